import type { FormEvent } from 'react';
import { useState } from 'react';
import type { FieldMessages } from './apiError.ts';
import { ApiError, messageOf } from './apiError.ts';

export interface Fault {
  text: string;
  code: string;
  /** What is wrong with single fields, for a dialog that says it under them. */
  errors: FieldMessages;
}

/** One call that a dialog makes, with what the server says against it. */
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
  /** What was said of these fields goes as soon as they are edited. */
  const edited = (...fields: readonly string[]) =>
    setFault((old) => {
      const left = Object.entries(old?.errors ?? {}).filter(([field]) => !fields.includes(field));
      if (!old || left.length === Object.keys(old.errors).length) return old;
      const errors = Object.fromEntries(left);
      return left.length > 0 ? { ...old, text: Object.values(errors).flat().join(' '), errors } : undefined;
    });
  return { busy, fault, submit, edited };
}
