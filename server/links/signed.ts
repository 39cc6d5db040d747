import { createHmac, timingSafeEqual } from 'node:crypto';
import { stillGood } from '#server/http/link-lifetime.ts';

/** For how long a download link may be started, in milliseconds. */
export const LINK_LIFETIME = 5 * 60_000;

export interface Link {
  itemId: number;
  sessionId: number;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** Tokens that carry what they allow, sealed with `secret`; nothing is stored. */
export function createDownloadTokens(secret: Buffer) {
  const seal = (text: string) => createHmac('sha256', secret).update(`download ${text}`).digest();

  return {
    issue({ itemId, sessionId, expiresAt }: Link): string {
      const text = [itemId, sessionId, expiresAt].map((n) => n.toString(36)).join('.');
      return `${text}.${seal(text).toString('base64url')}`;
    },

    /** What the token allows, or null when it is not ours, altered, or over. */
    read(token: string, now: number): Link | null {
      const end = token.lastIndexOf('.');
      const text = token.slice(0, Math.max(0, end));
      // As text, not decoded: the last digit has bits to spare, and only one spelling is ours.
      const given = Buffer.from(token.slice(end + 1));
      const right = Buffer.from(seal(text).toString('base64url'));
      if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
      const [itemId = NaN, sessionId = NaN, expiresAt = NaN] = text
        .split('.')
        .map((n) => Number.parseInt(n, 36));
      return stillGood(expiresAt, LINK_LIFETIME, now) ? { itemId, sessionId, expiresAt } : null;
    },
  };
}
