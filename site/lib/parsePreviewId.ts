/** The file that an address asks to be previewed. */
export function parsePreviewId(search: string): number | null {
  const text = new URLSearchParams(search).get('preview') ?? '';
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}
