import { useEffect, useEffectEvent, useRef } from 'react';
import type { FieldMessages } from '../../lib/apiError.ts';
import { focusQuietly } from '../../lib/quietFocus.ts';
import { FIELDS_WITH_ERRORS } from './Fields.tsx';

const inputOf = (field: string): string =>
  field === 'client_ids' ? 'input[role=combobox]' : `[name=${field}]`;

/**
 * Focuses the first field with an error when the answer to a submitted form arrives, and scrolls both into view. Never
 * while the user corrects one field after the other: the next letters would go into another field.
 * @returns the ref of the form.
 */
export function useErrorFocus(busy: boolean, errors: FieldMessages | undefined) {
  const form = useRef<HTMLFormElement>(null);
  const focusFirst = useEffectEvent(() => {
    const first = FIELDS_WITH_ERRORS.find((field) => errors?.[field]);
    const input = first && form.current?.querySelector<HTMLElement>(inputOf(first));
    if (!input) return;
    focusQuietly(input);
    // What is wrong stands below the field, perhaps out of sight.
    for (const id of input.getAttribute('aria-describedby')?.split(' ') ?? [])
      document.getElementById(id)?.scrollIntoView({ block: 'nearest' });
  });
  useEffect(() => {
    if (!busy) focusFirst();
  }, [busy]);
  return form;
}
