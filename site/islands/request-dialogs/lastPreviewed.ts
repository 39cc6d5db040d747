const KEY = 'request-file';

/** Keeps which file of a request was last previewed, for the request to focus it when the preview leads back. */
export const keepPreviewed = (requestId: number, itemId: number): void =>
  sessionStorage.setItem(KEY, `${requestId} ${itemId}`);

/** The file of the request that was last previewed, once; null without one. */
export function takePreviewed(requestId: number): number | null {
  const [request, item] = (sessionStorage.getItem(KEY) ?? '').split(' ').map(Number);
  sessionStorage.removeItem(KEY);
  return request === requestId && item ? item : null;
}
