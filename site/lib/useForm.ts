import type { FormEvent } from 'react';
import { useRef, useState } from 'react';
import { ApiError, messageOf } from './apiError.ts';

type Errors<Field extends string> = Partial<Record<Field, string | undefined>>;

/** What a text field takes from a form. */
export interface FieldProps {
  name: string;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}

/** Nothing more will be shown: the button stays busy until the next page is there. */
export const LEAVING = 'leaving';

/**
 * Fields of text with an error each, and one call that saves them. `catchAll` is the field under which stands what is
 * about none; without it that goes into the banner.
 */
export function useForm<Field extends string>(initial: Record<Field, string>, catchAll?: Field) {
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<Errors<Field>>({});
  const [banner, setBanner] = useState<string>();
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const fields = Object.keys(initial) as Field[];

  function edit(field: Field, value: string): void {
    setValues((old) => ({ ...old, [field]: value }));
    setErrors((old) => ({ ...old, [field]: undefined }));
    setBanner(undefined);
  }

  const focus = (field: Field | undefined) =>
    requestAnimationFrame(() => form.current?.querySelector<HTMLInputElement>(`[name="${field}"]`)?.focus());

  /** The cursor goes to the first wrong field when they are told, and is left alone while they are corrected. */
  function showErrors(found: Errors<Field>): void {
    setErrors(found);
    focus(fields.find((field) => found[field]));
  }

  /** Says what is about no field. The cursor goes to `next`. */
  function showMessage(text: string | undefined, next?: Field): void {
    if (catchAll) showErrors({ [catchAll]: text } as Errors<Field>);
    else setBanner(text);
    if (next) focus(next);
  }

  function fail(failure: unknown, fallback: string): void {
    const told = failure instanceof ApiError ? (failure.errors ?? {}) : {};
    const found = fields.flatMap((field) => (told[field]?.[0] ? [[field, told[field][0]]] : []));
    if (found.length > 0) return showErrors(Object.fromEntries(found) as Errors<Field>);
    const wordless =
      failure instanceof ApiError && (!failure.hasServerMessage || failure.code === 'unreadable');
    return showMessage(wordless ? fallback : messageOf(failure, fallback));
  }

  /** Runs `save`; what the server says of a field goes there, the rest into the banner. */
  const submit = (save: () => Promise<unknown>, fallback: string) => async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setBanner(undefined);
    try {
      if ((await save()) === LEAVING) return;
    } catch (failure) {
      fail(failure, fallback);
    }
    setBusy(false);
  };

  /** What stands in the fields now: a password manager may have filled them without an event. */
  function readValues(): Record<Field, string> {
    const sent = new FormData(form.current ?? undefined);
    const now = Object.fromEntries(
      fields.map((field) => [field, String(sent.get(field) ?? values[field])]),
    ) as Record<Field, string>;
    setValues(now);
    return now;
  }

  const reset = (fresh: Record<Field, string> = initial) => {
    setValues(fresh);
    setErrors({});
    setBanner(undefined);
  };

  const field = (name: Field): FieldProps => ({
    name,
    value: values[name],
    onChange: (value: string) => edit(name, value),
    error: errors[name],
  });
  return {
    values,
    errors,
    banner,
    busy,
    form,
    field,
    edit,
    setValues,
    show: showErrors,
    tell: showMessage,
    submit,
    typed: readValues,
    reset,
  };
}
export type Form<Field extends string> = ReturnType<typeof useForm<Field>>;
