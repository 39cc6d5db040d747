import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const same = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/**
 * Who may see the window: the browser that this program opened, by an address that works once and leaves a cookie. Other
 * programs' pages have neither, and other people of this computer neither.
 */
export function createDoor(port: () => number) {
  const keys = new Set<string>();
  const cookie = randomBytes(32).toString('base64url');
  const name = () => `almirah_uploader_${port()}`;
  const origin = () => `http://127.0.0.1:${port()}`;
  return {
    /** An address that opens the window once. */
    address(): string {
      const key = randomBytes(32).toString('base64url');
      keys.add(key);
      return `${origin()}/open?key=${key}`;
    },
    /** @returns the cookie to set, for a key that was not used yet. */
    admit: (key: string): string | null =>
      keys.delete(key) ? `${name()}=${cookie}; Path=/; HttpOnly; SameSite=Strict` : null,
    /** Whether the request was made to this very address; a name that leads here could belong to anybody. */
    isHere: ({ headers }: IncomingMessage): boolean => headers.host === `127.0.0.1:${port()}`,
    isOurs({ headers, method }: IncomingMessage): boolean {
      const carried = (headers.cookie ?? '').split(/;\s*/).find((one) => one.startsWith(`${name()}=`)) ?? '';
      if (!same(carried.slice(name().length + 1), cookie)) return false;
      return method === 'GET' || headers.origin === origin();
    },
  };
}
