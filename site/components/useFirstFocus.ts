import type { RefObject } from 'react';
import { useEffect } from 'react';

/**
 * Puts the cursor into the first field once the form is alive, so that one can type at once. Not where a finger would
 * have the keyboard cover the page, and not away from where somebody is already.
 */
export function useFirstFocus(form: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const somewhere = document.activeElement && document.activeElement !== document.body;
    if (somewhere || location.hash !== '' || matchMedia('(pointer: coarse)').matches) return;
    const fields = [...(form.current?.querySelectorAll<HTMLInputElement>('input:not([type=hidden])') ?? [])];
    // One that the browser fills in is not asked for again.
    const visible = fields.filter(
      (field) => field.offsetParent !== null && !field.readOnly && field.tabIndex >= 0,
    );
    (visible.find((field) => field.value === '') ?? visible[0])?.focus({ preventScroll: true });
  }, [form]);
}
