/** The address at which a request is open, and to which the preview of one of its files returns. */
export const requestHref = (id: number): string => `/requests?request=${id}`;

/** The id of the open request, or of the one from which a preview was opened, from a URL's query string. */
export function parseRequestId(search: string): number | null {
  const text = new URLSearchParams(search).get('request') ?? '';
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}
