import { createHash, randomBytes } from 'node:crypto';

/** Ms that a link opened in the browser stays valid. */
const LIFETIME_MS = 10 * 60_000;

/**
 * The base URL of a typed address such as `vault.firm.in` or `https://vault.firm.in/login`.
 * @throws with a message for the user.
 */
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

/** Pairings started by a link: each `state` can be redeemed once. */
export function createLinks() {
  const open = new Map<string, { base: string; verifier: string; until: number }>();
  return {
    /** @returns the URL to open in the browser. */
    begin(base: string, port: number, name: string): string {
      const [verifier, state] = [
        randomBytes(32).toString('base64url'),
        randomBytes(24).toString('base64url'),
      ];
      open.set(state, { base, verifier, until: performance.now() + LIFETIME_MS });
      const url = new URL('/desktop/connect', base);
      url.searchParams.set('port', String(port));
      url.searchParams.set('challenge', createHash('sha256').update(verifier).digest('base64url'));
      url.searchParams.set('state', state);
      url.searchParams.set('name', name);
      return url.href;
    },
    redeem(state: string): { base: string; verifier: string } | undefined {
      const pending = open.get(state);
      open.delete(state);
      return pending && pending.until > performance.now() ? pending : undefined;
    },
  };
}
export type Links = ReturnType<typeof createLinks>;
