const DIALOGS = '[role="dialog"], [role="alertdialog"]';
const LAYERS = `${DIALOGS}, [role="menu"], [role="listbox"]`;
const FIELDS = 'input:not([type="checkbox"]), textarea, select, [contenteditable]';

/** Whether the element is in a dialog that handles drop and paste itself. An alertdialog leaves them to the page. */
export const isInDialog = (element: Element | null): boolean => element?.closest('[role="dialog"]') != null;
/** Whether the element is in a field for text or a choice. */
export const isInField = (element: Element | null): boolean => element?.closest(FIELDS) != null;

/** Whether the element is in a field that takes `/` and `?` as text; in a choice no option begins with them. */
export const isTypedInto = (element: Element | null): boolean =>
  isInField(element) && element?.closest('select') == null;

const isOpen = (layers: string, over?: string): boolean =>
  [...document.querySelectorAll(layers)].some((layer) => !over || !layer.closest(over));

/** Whether a dialog is open; with the selector `over`, a dialog outside that layer. */
export const isDialogOpen = (over?: string): boolean => isOpen(DIALOGS, over);

/** Whether a dialog, menu or listbox is open, which then handles the keyboard; with the selector `over`, outside that layer. */
export const isOverlayOpen = (over?: string): boolean => isOpen(LAYERS, over);

/** Whether keys belong to an overlay, a field or a text selection, and not to the page's shortcuts. */
export function isKeyboardInUse(target: EventTarget | null): boolean {
  if (isOverlayOpen() || (target instanceof Element && isInField(target))) return true;
  return (getSelection()?.toString() ?? '') !== '';
}
