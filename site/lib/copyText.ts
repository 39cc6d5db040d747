/**
 * Copies a text to the clipboard.
 * @returns false when the browser does not allow it; over plain http `navigator.clipboard` does not exist.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
