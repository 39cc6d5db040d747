import type { FormEvent } from 'react';
import { useRef, useState } from 'react';
import { ApiError, messageOf } from './apiError.ts';

type Errors<Field extends string> = Partial<Record<Field, string | undefined>>;

/** The props that bind a text field to a form. */
export interface FieldProps {
  name: string;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}

/** Returned by `save` when the page is about to change: the button stays busy until then. */
export const LEAVING = 'leaving';

/**
 * State of a form of text fields, each with an error, and one call that saves them. Messages about no field are shown
 * under the field `catchAll`, or without it in the banner.
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

  /** Shows errors and focuses the first invalid field. */
  function showErrors(errorsByField: Errors<Field>): void {
    setErrors(errorsByField);
    focus(fields.find((field) => errorsByField[field]));
  }

  /** Shows a message about no field, and focuses `next`. */
  function showMessage(text: string | undefined, next?: Field): void {
    if (catchAll) showErrors({ [catchAll]: text } as Errors<Field>);
    else setBanner(text);
    if (next) focus(next);
  }

  function fail(failure: unknown, fallback: string): void {
    const messages = failure instanceof ApiError ? (failure.errors ?? {}) : {};
    const entries = fields.flatMap((field) => (messages[field]?.[0] ? [[field, messages[field][0]]] : []));
    if (entries.length > 0) return showErrors(Object.fromEntries(entries) as Errors<Field>);
    const hasNoMessage =
      failure instanceof ApiError && (!failure.hasServerMessage || failure.code === 'unreadable');
    return showMessage(hasNoMessage ? fallback : messageOf(failure, fallback));
  }

  /** Runs `save`; field errors from the server are shown at their fields, other errors in the banner. */
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

  /** The fields' current values, from the DOM: a password manager may fill them without an event. */
  function readValues(): Record<Field, string> {
    const data = new FormData(form.current ?? undefined);
    const current = Object.fromEntries(
      fields.map((field) => [field, String(data.get(field) ?? values[field])]),
    ) as Record<Field, string>;
    setValues(current);
    return current;
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
    showErrors,
    showMessage,
    submit,
    readValues,
    reset,
  };
}
export type Form<Field extends string> = ReturnType<typeof useForm<Field>>;
