import { createHmac, randomInt } from 'node:crypto';
import { networkOf } from '#server/http/network.ts';
import type { Limit, Try } from '#server/http/rate-limiter.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Lifetime of a code. */
export const CODE_LIFETIME_MS = 10 * MINUTE * 1000;
/** After so many wrong attempts a code is invalid, and a new one has to be requested. */
export const MAX_CODE_TRIES = 5;

/** Six random digits that prove the ownership of an e-mail address. */
export const newCode = (): string => String(randomInt(1_000_000)).padStart(6, '0');

/**
 * A keyed hash (HMAC): a plain hash of six digits could be reversed by anyone with a copy of the database.
 * @param about binds the code to its link and e-mail address.
 */
export const codeHash = (secret: Buffer, about: readonly (string | number)[], code: string): string =>
  createHmac('sha256', secret)
    .update([...about, code].join('\0'))
    .digest('base64url');

/** Rate limits for entering and sending codes. @param name kind of link; each kind has its own counters. */
export function codeLimits(name: string) {
  const limit = (what: string, tries: number, seconds: number): Limit => ({
    name: `${name}_${what}`,
    tries,
    seconds,
  });
  // Attempts per link and network. A code has a million values, and allows five attempts itself.
  const code = limit('code', 10, 15 * MINUTE);
  const codeLink = limit('code_link', 60, HOUR);
  // A client's page stays for years: by the hour alone, patient guessing would open it.
  const codeDay = limit('code_day', 60, DAY);
  // E-mails with codes: per link and address, and per network.
  const email = limit('email', 5, HOUR);
  const emailDay = limit('email_day', 15, DAY);
  const emailPlace = limit('email_place', 30, HOUR);
  return {
    codeTries: (linkId: number, ip: string): Try[] => [
      { limit: codeDay, subject: String(linkId) },
      { limit: codeLink, subject: String(linkId) },
      { limit: code, subject: `${linkId} ${networkOf(ip)}` },
    ],
    emailTries: (linkId: number, address: string, ip: string): Try[] => [
      { limit: emailPlace, subject: networkOf(ip) },
      { limit: emailDay, subject: `${linkId} ${address}` },
      { limit: email, subject: `${linkId} ${address}` },
    ],
  };
}
