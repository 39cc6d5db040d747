import type { FormEvent } from 'react';
import { useState } from 'react';
import { ApiError, messageOf } from './apiError.ts';

/** One call that a dialog makes, with what the server says against it. */
export function useSaving(fallback: string) {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<{ text: string; code: string }>();

  const submit = (save: () => Promise<void>) => async (event?: FormEvent) => {
    event?.preventDefault();
    if (busy) return;
    setBusy(true);
    setFault(undefined);
    try {
      await save();
    } catch (error) {
      const { errors, code = '' } = error instanceof ApiError ? error : {};
      setFault({ text: errors ? Object.values(errors).flat().join(' ') : messageOf(error, fallback), code });
    }
    setBusy(false);
  };
  return { busy, fault, submit };
}
