const DIALOGS = '[role="dialog"], [role="alertdialog"]';
const LAYERS = `${DIALOGS}, [role="menu"], [role="listbox"]`;
const FIELDS = 'input:not([type="checkbox"]), textarea, select, [contenteditable]';

/** In a dialog that takes what is dropped or pasted by itself. A question does not: it is still the page's. */
export const isInDialog = (element: Element | null): boolean => element?.closest('[role="dialog"]') != null;
/** Somebody writes there. */
export const isInField = (element: Element | null): boolean => element?.closest(FIELDS) != null;

/** Whether a dialog lies over the page; over the layer that `over` selects, where that is asked for. */
export const isDialogOpen = (over?: string): boolean =>
  [...document.querySelectorAll(DIALOGS)].some((dialog) => !over || !dialog.closest(over));

/** Whether a dialog, a menu or a list of choices lies over the page, and has the keyboard. */
export const isOverlayOpen = (): boolean => document.querySelector(LAYERS) !== null;

/** Somebody is writing, answering, or copying text: the keys are theirs, and not the page's. */
export function isKeyboardInUse(target: EventTarget | null): boolean {
  if (isOverlayOpen() || (target instanceof Element && isInField(target))) return true;
  return (getSelection()?.toString() ?? '') !== '';
}
