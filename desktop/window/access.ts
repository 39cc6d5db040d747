import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const same = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

/**
 * Access control of the window: only the browser that this program opened, by a one-time URL that sets a
 * cookie. Pages of other sites and other users of this computer have neither.
 */
export function createAccess(port: () => number) {
  const keys = new Set<string>();
  const cookie = randomBytes(32).toString('base64url');
  const name = () => `almirah_uploader_${port()}`;
  const origin = () => `http://127.0.0.1:${port()}`;
  return {
    /** A URL that opens the window once. */
    address(): string {
      const key = randomBytes(32).toString('base64url');
      keys.add(key);
      return `${origin()}/open?key=${key}`;
    },
    /** @returns the cookie to set, for an unused key. */
    admit: (key: string): string | null =>
      keys.delete(key) ? `${name()}=${cookie}; Path=/; HttpOnly; SameSite=Strict` : null,
    /** Whether the Host header is this very address: any other name could belong to an attacker (DNS rebinding). */
    isHere: ({ headers }: IncomingMessage): boolean => headers.host === `127.0.0.1:${port()}`,
    isOurs({ headers, method }: IncomingMessage): boolean {
      const carried =
        (headers.cookie ?? '').split(/;\s*/).find((cookie) => cookie.startsWith(`${name()}=`)) ?? '';
      if (!same(carried.slice(name().length + 1), cookie)) return false;
      return method === 'GET' || headers.origin === origin();
    },
  };
}
