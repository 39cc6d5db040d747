/** The id of the file to preview, from a URL's query string. */
export function parsePreviewId(search: string): number | null {
  const text = new URLSearchParams(search).get('preview') ?? '';
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}
