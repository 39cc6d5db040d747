/** A random unique key. `crypto.randomUUID` is missing where the server is reached without TLS. */
export function uniqueKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');
}
