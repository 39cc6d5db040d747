/**
 * Copies a text to the clipboard, while the page handles a click or key.
 * @returns false when the browser does not allow it.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (!navigator.clipboard) return copyByEvent(text);
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** By the older API: over plain http `navigator.clipboard` does not exist. */
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
