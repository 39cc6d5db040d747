import type { FormEvent } from 'react';
import { useState } from 'react';
import { ApiError, messageOf } from './apiError.ts';

/** A dialog's one call: busy while it runs, and the server's reason under the field it is about. */
export function useSubmit(field: string, fallback: string) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | undefined>();

  const submit = (run: () => Promise<void>) => async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setError(undefined);
    try {
      await run();
    } catch (failure) {
      const told = failure instanceof ApiError ? failure.errors?.[field]?.[0] : undefined;
      setError(told ?? messageOf(failure, fallback));
    }
    setBusy(false);
  };
  return { busy, error, setError, submit };
}
