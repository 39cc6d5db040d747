import type { FormEvent } from 'react';
import { useState } from 'react';
import type { FieldMessages } from './apiError.ts';
import { ApiError, messageOf } from './apiError.ts';

interface Fault {
  text: string;
  code: string;
  /** Errors by field, for a dialog that shows them at the fields. */
  errors: FieldMessages;
}

/** State of a dialog's save call: whether it is running, and its error. */
export function useSaving(fallback: string) {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault>();

  const submit = (save: () => Promise<void>) => async (event?: FormEvent) => {
    event?.preventDefault();
    if (busy) return;
    setBusy(true);
    setFault(undefined);
    try {
      await save();
    } catch (error) {
      const { errors, code = '' } = error instanceof ApiError ? error : {};
      const text = errors ? Object.values(errors).flat().join(' ') : messageOf(error, fallback);
      setFault({ text, code, errors: errors ?? {} });
    }
    setBusy(false);
  };
  /** Clears the errors of edited fields. */
  const edited = (...fields: readonly string[]) =>
    setFault((old) => {
      const remaining = Object.entries(old?.errors ?? {}).filter(([field]) => !fields.includes(field));
      if (!old || remaining.length === Object.keys(old.errors).length) return old;
      const errors = Object.fromEntries(remaining);
      return remaining.length > 0
        ? { ...old, text: Object.values(errors).flat().join(' '), errors }
        : undefined;
    });
  return { busy, fault, submit, edited };
}
