import { useEffect, useRef, useState } from 'react';
import * as common from '#messages/common.ts';
import * as t from '#messages/requests.ts';
import { Button } from '../../components/Button.tsx';
import { TextField } from '../../components/TextField.tsx';
import { sendsEmail } from '../../lib/sendsEmail.ts';

export interface ReasonFormProps {
  busy: boolean;
  onSend: (reason: string) => void;
  onCancel: () => void;
  /** Called with the typed reason that is not sent; '' for none. */
  onTyping: (reason: string) => void;
}

/** Why something is sent back, below what it is about. */
export function ReasonForm({ busy, onSend, onCancel, onTyping }: ReasonFormProps) {
  const [reason, setReason] = useState('');
  const form = useRef<HTMLFormElement>(null);
  // With its buttons, which are below the focused field.
  useEffect(() => {
    form.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <form
      ref={form}
      className="mt-2 flex flex-wrap items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onSend(reason);
      }}
    >
      <TextField
        label={t.reason}
        description={sendsEmail() ? t.reasonHint : `${t.reasonHint}. ${t.notTold}`}
        className="min-w-56 flex-1"
        autoFocus
        maxLength={500}
        value={reason}
        onChange={(typed) => {
          setReason(typed);
          onTyping(typed.trim());
        }}
        onKeyDown={(event) => {
          // With a typed reason the dialog asks before it closes.
          if (event.key === 'Escape' && reason.trim() === '') onCancel();
          else event.continuePropagation();
        }}
      />
      {/* Beside the field, whose label is above it and whose hint is below it. */}
      <div className="flex gap-2 sm:mt-6.5">
        <Button onPress={onCancel}>{common.cancel}</Button>
        <Button type="submit" variant="primary" busy={busy} isDisabled={reason.trim() === ''}>
          {t.sendBack}
        </Button>
      </div>
    </form>
  );
}
