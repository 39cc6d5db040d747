import { createHash, randomBytes } from 'node:crypto';

/** Milliseconds for which a link that was opened in the browser stands. */
const STANDS_MS = 10 * 60_000;

/** `vault.firm.in`, `https://vault.firm.in/login` and the like as the address that calls are made to. @throws with words for the person. */
export function addressOf(typed: string): string {
  const text = typed.trim();
  const local = /^(?:localhost|127\.|\[::1\])/i.test(text);
  const withScheme = /^[a-z][a-z+.-]*:\/\//i.test(text) ? text : `${local ? 'http' : 'https'}://${text}`;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '' || text === '')
    throw new Error(
      'Enter the address of the vault as it stands in the browser, such as https://vault.firm.in',
    );
  return url.origin;
}

/** Pairings that were begun by a link: what came back with the right `state` may be exchanged, once. */
export function createLinks() {
  const open = new Map<string, { base: string; verifier: string; until: number }>();
  return {
    /** @returns what to open in the browser. */
    begin(base: string, port: number, name: string): string {
      const [verifier, state] = [
        randomBytes(32).toString('base64url'),
        randomBytes(24).toString('base64url'),
      ];
      open.set(state, { base, verifier, until: performance.now() + STANDS_MS });
      const url = new URL('/desktop/connect', base);
      url.searchParams.set('port', String(port));
      url.searchParams.set('challenge', createHash('sha256').update(verifier).digest('base64url'));
      url.searchParams.set('state', state);
      url.searchParams.set('name', name);
      return url.href;
    },
    take(state: string): { base: string; verifier: string } | undefined {
      const one = open.get(state);
      open.delete(state);
      return one && one.until > performance.now() ? one : undefined;
    },
  };
}
export type Links = ReturnType<typeof createLinks>;
