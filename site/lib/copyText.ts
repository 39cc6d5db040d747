/**
 * Copies a text to the clipboard, while the page handles a click or key.
 * @returns false when the browser does not allow it.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyByEvent(text);
  }
}

/** By the older API: over plain http `navigator.clipboard` does not exist, and elsewhere it may be forbidden. */
function copyByEvent(text: string): boolean {
  const replaceSelection = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener('copy', replaceSelection, { capture: true });
  const copied = document.execCommand('copy');
  removeEventListener('copy', replaceSelection, { capture: true });
  return copied;
}
