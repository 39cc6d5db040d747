import type { FormEvent } from 'react';
import { useState } from 'react';
import * as t from '#messages/sharing.ts';
import { ApiError, messageOf } from '../../lib/apiError.ts';
import type { Fields } from './settings.ts';

/** The fields of a link, with what the server says against each, and one call that saves them. */
export function useLinkForm(initial: () => Fields) {
  const [fields, setFields] = useState(initial);
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);

  const submit = (save: () => Promise<void>) => async (event?: FormEvent) => {
    event?.preventDefault();
    if (busy) return;
    setBusy(true);
    setErrors({});
    setFault(undefined);
    try {
      await save();
    } catch (error) {
      const told = error instanceof ApiError ? (error.errors ?? {}) : {};
      const known = Object.entries(told).flatMap(([field, [text]]) =>
        text && field in fields ? [[field, text]] : [],
      );
      if (known.length > 0) setErrors(Object.fromEntries(known));
      else setFault(Object.values(told)[0]?.[0] ?? messageOf(error, t.failed));
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
