import type { Knex } from 'knex';
import { networkOf } from '#server/http/network.ts';
import type { Limit, Try } from '#server/http/rate-limiter.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** How often one may fail before having to wait. What succeeds is not counted, registration excepted. */
export const LIMITS = {
  /** Sign-in to one account from one place. */
  signIn: { name: 'sign_in', tries: 10, seconds: 15 * MINUTE },
  /** Sign-in to one account from all places together; places with an open session of the account are let through. */
  signInAccount: { name: 'sign_in_account', tries: 50, seconds: HOUR },
  /** Sign-in to any account from one place; an office of many shares one. */
  signInPlace: { name: 'sign_in_place', tries: 100, seconds: HOUR },
  /** The current password, asked again of one who is signed in. */
  password: { name: 'password', tries: 10, seconds: 15 * MINUTE },
  /** Every registration from one place, for it tells whether an address has an account. */
  register: { name: 'register', tries: 20, seconds: HOUR },
  /** Codes of the second step for one account from one place; a code has a million values. */
  code: { name: 'code', tries: 6, seconds: 15 * MINUTE },
  /** The same from all places together. */
  codeAccount: { name: 'code_account', tries: 30, seconds: 24 * HOUR },
  /** E-mails to one address, and from one place. */
  forgotten: { name: 'forgotten', tries: 5, seconds: HOUR },
  forgottenPlace: { name: 'forgotten_place', tries: 40, seconds: HOUR },
  /** Reset links from one place that open nothing. */
  resetToken: { name: 'reset_token', tries: 30, seconds: 10 * MINUTE },
  /** New e-mail addresses that one user asks for: each sends an e-mail to somebody. */
  emailChange: { name: 'email_change', tries: 5, seconds: HOUR },
  /** Bearer tokens from one place that name nobody. */
  token: { name: 'token', tries: 100, seconds: 10 * MINUTE },
  /** App passwords from one place that are not right; a program asks again and again by itself. */
  appPassword: { name: 'app_password', tries: 30, seconds: 10 * MINUTE },
  /** Passkeys from one place that open nothing. */
  passkey: { name: 'passkey', tries: 30, seconds: 10 * MINUTE },
  /** Codes from one place by which a program is to be connected; those that are right are not counted. */
  pairing: { name: 'pairing', tries: 10, seconds: 10 * MINUTE },
} as const satisfies Record<string, Limit>;

/** Someone may have made an account's password fail from everywhere, but its owner is at a place where it was right. */
const isHome = (email: string, ip: string) => async (trx: Knex.Transaction) => {
  const rows: { ip: string }[] = await trx('sessions')
    .join('users', 'users.id', 'sessions.user_id')
    .where('users.email', email)
    .select('sessions.ip');
  return rows.some((row) => networkOf(row.ip) === networkOf(ip));
};

export const signInTries = (email: string, ip: string) => ({
  own: { limit: LIMITS.signIn, subject: `${email} ${networkOf(ip)}` } satisfies Try,
  shared: [
    { limit: LIMITS.signInPlace, subject: networkOf(ip) },
    { limit: LIMITS.signInAccount, subject: email, unless: isHome(email, ip) },
  ] satisfies Try[],
});
export const signInAccountTry = (email: string): Try => ({ limit: LIMITS.signInAccount, subject: email });
/** At sign-in with the place, and with `email` so that the owner's own place is let through. */
export const codeTries = (userId: number, from?: { email: string; ip: string }): Try[] => [
  { limit: LIMITS.code, subject: from ? `${userId} ${networkOf(from.ip)}` : `${userId} inside` },
  {
    limit: LIMITS.codeAccount,
    subject: String(userId),
    ...(from && { unless: isHome(from.email, from.ip) }),
  },
];
export const forgottenTries = (email: string, ip: string): Try[] => [
  { limit: LIMITS.forgottenPlace, subject: networkOf(ip) },
  { limit: LIMITS.forgotten, subject: email },
];
export const resetTokenTry = (ip: string): Try => ({ limit: LIMITS.resetToken, subject: networkOf(ip) });
export const emailChangeTry = (userId: number): Try => ({
  limit: LIMITS.emailChange,
  subject: String(userId),
});
export const passwordTry = (userId: number): Try => ({ limit: LIMITS.password, subject: String(userId) });
export const registerTry = (ip: string): Try => ({ limit: LIMITS.register, subject: networkOf(ip) });
export const tokenTry = (ip: string): Try => ({ limit: LIMITS.token, subject: networkOf(ip) });
export const pairingTry = (ip: string): Try => ({ limit: LIMITS.pairing, subject: networkOf(ip) });
export const appPasswordTry = (ip: string): Try => ({ limit: LIMITS.appPassword, subject: networkOf(ip) });
export const passkeyTry = (ip: string): Try => ({ limit: LIMITS.passkey, subject: networkOf(ip) });
