import { useState } from 'react';
import { LockKeyhole } from 'lucide-react';
import * as t from '#messages/preview.ts';
import { Button } from '../../components/Button.tsx';
import { Checkbox } from '../../components/Checkbox.tsx';
import { PasswordField } from '../../components/PasswordField.tsx';
import type { TypedPassword } from './usePdf.ts';

/** The password form of a locked PDF, in place of the document. */
export function PdfPassword({
  again,
  isKept,
  clientName,
  onAnswer,
}: {
  again: boolean;
  /** Whether to store the password encrypted on the server; otherwise it is used only in this browser. */
  isKept: boolean;
  /** The client for whose other documents the password is tried; null for none. */
  clientName: string | null;
  onAnswer: (typed: TypedPassword) => void;
}) {
  const [password, setPassword] = useState('');
  const [remember, setRemember] = useState(true);
  return (
    <form
      className="viewer-room flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (password !== '') onAnswer({ password, remember: remember && clientName !== null });
      }}
    >
      <LockKeyhole aria-hidden size={28} className="text-muted" />
      <div className="flex flex-col items-center gap-1 px-4 text-center">
        <p className="text-lg font-semibold">{t.protectedPdf}</p>
        <p className="max-w-80 text-sm text-muted">{isKept ? t.passwordKept : t.passwordHere}</p>
      </div>
      <PasswordField
        label={t.pdfPassword}
        value={password}
        onChange={setPassword}
        autoFocus
        error={again ? t.wrongPassword : undefined}
        className="w-72"
      />
      {clientName !== null && (
        <Checkbox isSelected={remember} onChange={setRemember} className="w-72">
          {t.rememberFor(clientName)}
        </Checkbox>
      )}
      <Button type="submit" variant="primary">
        {t.open}
      </Button>
    </form>
  );
}
