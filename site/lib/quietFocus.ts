let quiet = false;

/** Whether the focus is being moved by the page, not by the user: then a field opens no list over the others. */
export const isFocusedQuietly = (): boolean => quiet;

export function focusQuietly(element: HTMLElement): void {
  quiet = true;
  element.focus();
  quiet = false;
}
