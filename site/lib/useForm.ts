import type { FormEvent } from 'react';
import { useRef, useState } from 'react';
import { ApiError, messageOf } from './apiError.ts';

/** Fields of text with an error each, and one call that saves them. */
export function useForm<Field extends string>(initial: Record<Field, string>) {
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<Partial<Record<Field, string>>>({});
  const [banner, setBanner] = useState<string>();
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  function edit(field: Field, value: string): void {
    setValues((old) => ({ ...old, [field]: value }));
    setErrors((old) => ({ ...old, [field]: undefined }));
    setBanner(undefined);
  }

  function show(found: Partial<Record<Field, string>>): void {
    setErrors(found);
    const first = (Object.keys(initial) as Field[]).find((field) => found[field]);
    requestAnimationFrame(() => {
      form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
    });
  }

  /** Runs `save`; what the server says of a field goes there, the rest into the banner. */
  const submit = (save: () => Promise<void>, fallback: string) => async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setBanner(undefined);
    try {
      await save();
    } catch (failure) {
      const told = failure instanceof ApiError ? (failure.errors ?? {}) : {};
      const known = (Object.keys(initial) as Field[]).filter((field) => told[field]?.[0]);
      if (known.length > 0) {
        show(Object.fromEntries(known.map((field) => [field, told[field]?.[0]])) as typeof errors);
      } else {
        const wordless = failure instanceof ApiError && !failure.hasWords;
        setBanner(wordless ? fallback : messageOf(failure, fallback));
      }
    }
    setBusy(false);
  };

  const reset = (fresh: Record<Field, string> = initial) => {
    setValues(fresh);
    setErrors({});
    setBanner(undefined);
  };
  return { values, errors, banner, busy, form, edit, show, submit, reset };
}
export type Form<Field extends string> = ReturnType<typeof useForm<Field>>;
