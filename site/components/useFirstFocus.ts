import type { RefObject } from 'react';
import { useEffect } from 'react';
import { hasTouch } from '../lib/touch.ts';

/**
 * Focuses the first empty field after hydration. Does nothing on touch screens, where the keyboard would cover the page,
 * when another element already has the focus, or when the URL has a fragment.
 */
export function useFirstFocus(form: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const hasFocus = document.activeElement && document.activeElement !== document.body;
    if (hasFocus || location.hash !== '' || hasTouch()) return;
    const fields = [...(form.current?.querySelectorAll<HTMLInputElement>('input:not([type=hidden])') ?? [])];
    // A field that the browser has filled in is skipped.
    const visible = fields.filter(
      (field) => field.offsetParent !== null && !field.readOnly && field.tabIndex >= 0,
    );
    (visible.find((field) => field.value === '') ?? visible[0])?.focus({ preventScroll: true });
  }, [form]);
}
