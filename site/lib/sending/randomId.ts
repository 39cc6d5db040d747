/**
 * A random id of a photograph, or one that those of a document share. `crypto.randomUUID` is missing without HTTPS. Apart from
 * `uniqueKey`, with which the pages for clients would load the script of all screens.
 */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
