import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { networkOf } from '#server/http/network.ts';
import type { Limit, Try } from '#server/http/rate-limiter.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Milliseconds for which a code is good. */
export const CODE_LIFETIME = 10 * MINUTE * 1000;
/** Wrong codes after which another has to be asked for. */
export const CODE_TRIES = 5;
/** Milliseconds for which a browser that was let in need not prove it again. */
export const SESSION_LIFETIME = 24 * HOUR * 1000;

/** Six digits, by which somebody outside proves an e-mail address. */
export const newCode = (): string => String(randomInt(1_000_000)).padStart(6, '0');

/**
 * Under a key of the server's: six digits alone would be found in a copy of the database.
 * @param about what the code is bound to: the link and the address.
 */
export const codeHash = (secret: Buffer, about: readonly (string | number)[], code: string): string =>
  createHmac('sha256', secret)
    .update([...about, code].join('\0'))
    .digest('base64url');

/** Compares without telling by the time taken how much agrees. */
export function sameHash(given: string, kept: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(kept)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** How often codes are tried and mailed. @param name of the kind of link, which counts by itself. */
export function codeLimits(name: string) {
  const limit = (what: string, tries: number, seconds: number): Limit => ({
    name: `${name}_${what}`,
    tries,
    seconds,
  });
  // Codes of one link from one place; a code has a million values, and five tries of its own.
  const code = limit('code', 10, 15 * MINUTE);
  const codeLink = limit('code_link', 60, HOUR);
  // E-mails with codes to one address by one link, and from one place.
  const email = limit('email', 5, HOUR);
  const emailPlace = limit('email_place', 30, HOUR);
  return {
    codeTries: (linkId: number, ip: string): Try[] => [
      { limit: codeLink, subject: String(linkId) },
      { limit: code, subject: `${linkId} ${networkOf(ip)}` },
    ],
    emailTries: (linkId: number, address: string, ip: string): Try[] => [
      { limit: emailPlace, subject: networkOf(ip) },
      { limit: email, subject: `${linkId} ${address}` },
    ],
  };
}
