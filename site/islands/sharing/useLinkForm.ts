import type { FormEvent } from 'react';
import { useEffect, useRef, useState } from 'react';
import * as t from '#messages/sharing.ts';
import { ApiError, messageOf } from '../../lib/apiError.ts';
import type { Fields } from './linkFields.ts';

/** The form state of a link: its fields, the server's errors and the submit handler. */
export function useLinkForm(initial: () => Fields) {
  const [fields, setFields] = useState(initial);
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const form = useRef<Element | null>(null);
  useEffect(() => {
    // Otherwise the focus stays on the button, away from what is to be corrected.
    if (!busy) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [busy]);

  const submit = (save: () => Promise<void>) => async (event?: FormEvent) => {
    event?.preventDefault();
    if (busy) return;
    form.current = event?.currentTarget ?? null;
    setBusy(true);
    setErrors({});
    setFault(undefined);
    try {
      await save();
    } catch (error) {
      const fieldErrors = error instanceof ApiError ? (error.errors ?? {}) : {};
      const known = Object.entries(fieldErrors).flatMap(([field, [text]]) =>
        text && field in fields ? [[field, text]] : [],
      );
      if (known.length > 0) setErrors(Object.fromEntries(known));
      else setFault(Object.values(fieldErrors)[0]?.[0] ?? messageOf(error, t.failed));
    }
    setBusy(false);
  };

  return {
    fields,
    set: (change: Partial<Fields>) => {
      setFields((old) => ({ ...old, ...change }));
      setErrors((old) => ({
        ...old,
        ...Object.fromEntries(Object.keys(change).map((field) => [field, undefined])),
      }));
    },
    errors,
    fault,
    busy,
    submit,
  };
}
