/**
 * A random UUID, such as the server takes as the key of an upload. Apart from `uniqueKey`, which every screen loads at
 * once.
 */
export function uuid(): string {
  const hex = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}
