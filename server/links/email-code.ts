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

/**
 * What the page is told of a wrong code: the query after `said=`. The page counts the wrong codes itself, in the form, since what the
 * server counts tells a stranger whether a code was sent.
 */
export function wrongCodeQuery(fields: URLSearchParams): string {
  const n = (Number(fields.get('wrong')) || 0) + 1;
  return n < MAX_CODE_TRIES ? `code&n=${n}` : 'codes';
}

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

/** What counters belong to: a link and its present address, so that a link with a new address has used up nothing. */
interface CodeLink {
  id: number;
  token_hash: string;
}

/**
 * Rate limits for entering and sending codes. They count by recipient: a stranger who has the link of a firm's client can shut
 * out nobody else.
 * @param name kind of link; each kind has its own counters.
 */
export function codeLimits(name: string) {
  const limit = (what: string, tries: number, seconds: number): Limit => ({
    name: `${name}_${what}`,
    tries,
    seconds,
  });
  // Attempts per link and network. A code has a million values, and allows five attempts itself.
  const code = limit('code', 10, 15 * MINUTE);
  // A client's page stays for years: by the number of e-mails alone, patient guessing would open it.
  const codeDay = limit('code_day', 30, DAY);
  // E-mails with codes: per link and recipient, and per network.
  const email = limit('email', 5, HOUR);
  const emailDay = limit('email_day', 15, DAY);
  const emailPlace = limit('email_place', 30, HOUR);
  return {
    /**
     * @param who the e-mail address to which the entered code was sent; for any other address the visitor, so that the limits do
     * not reveal which is a recipient's.
     */
    codeTries: ({ id, token_hash }: CodeLink, who: string, ip: string): Try[] => [
      { limit: codeDay, subject: `${id} ${token_hash} ${who}` },
      { limit: code, subject: `${id} ${networkOf(ip)}` },
    ],
    emailTries: ({ id, token_hash }: CodeLink, address: string, ip: string): Try[] => [
      { limit: emailPlace, subject: networkOf(ip) },
      { limit: emailDay, subject: `${id} ${token_hash} ${address}` },
      { limit: email, subject: `${id} ${token_hash} ${address}` },
    ],
  };
}
