import { useState } from 'react';
import { LockKeyhole } from 'lucide-react';
import * as t from '#messages/preview.ts';
import { Button } from '../../components/Button.tsx';
import { PasswordField } from '../../components/PasswordField.tsx';

/** Asks for the password of a locked PDF, where the document will be. It stays in this browser. */
export function PdfPassword({
  again,
  onAnswer,
}: {
  again: boolean;
  onAnswer: (password: string | null) => void;
}) {
  const [password, setPassword] = useState('');
  return (
    <form
      className="viewer-room flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        onAnswer(password);
      }}
    >
      <LockKeyhole aria-hidden size={28} className="text-muted" />
      <p className="text-lg font-semibold">{t.protectedPdf}</p>
      <PasswordField
        label={t.pdfPassword}
        value={password}
        onChange={setPassword}
        autoFocus
        error={again ? t.wrongPassword : undefined}
        className="w-72"
      />
      <Button type="submit" variant="primary">
        {t.open}
      </Button>
    </form>
  );
}
