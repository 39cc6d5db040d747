/**
 * Where computers and phones learn to trust the office's authority: over plain http, because before that a browser warns of https.
 * @param httpPort of plain http; null without it.
 */
export function trustAddress(baseUrl: string, httpPort: number | null): string {
  const { hostname, origin } = new URL(baseUrl);
  if (httpPort === null) return `${origin}/trust (the browser warns there until it is done)`;
  return `http://${hostname}${httpPort === 80 ? '' : `:${httpPort}`}/trust`;
}
