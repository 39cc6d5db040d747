import type { Knex } from 'knex';
import { networkOf } from '#server/http/network.ts';
import type { Limit, Try } from '#server/http/rate-limiter.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** How many failures are allowed in a period. Successes are not counted, except registrations. */
export const LIMITS = {
  /** Sign-ins to one account from one network. */
  signIn: { name: 'sign_in', tries: 10, seconds: 15 * MINUTE },
  /** Sign-ins to one account from all networks together; networks with an open session of the account are exempt. */
  signInAccount: { name: 'sign_in_account', tries: 50, seconds: HOUR },
  /** Sign-ins to any account from one network; a large office shares one network. */
  signInPlace: { name: 'sign_in_place', tries: 100, seconds: HOUR },
  /** The current password of a signed-in user. */
  password: { name: 'password', tries: 10, seconds: 15 * MINUTE },
  /** Every registration from one network, because the response reveals whether an address has an account. */
  register: { name: 'register', tries: 20, seconds: HOUR },
  /** Second-step codes for one account from one network; a code has a million values. */
  code: { name: 'code', tries: 6, seconds: 15 * MINUTE },
  /** Second-step codes for one account from all networks together. */
  codeAccount: { name: 'code_account', tries: 30, seconds: 24 * HOUR },
  /** Password reset e-mails to one address. */
  forgotten: { name: 'forgotten', tries: 5, seconds: HOUR },
  /** Password reset e-mails from one network. */
  forgottenPlace: { name: 'forgotten_place', tries: 40, seconds: HOUR },
  /** Invalid links of e-mails from one network. */
  emailedLink: { name: 'reset_token', tries: 30, seconds: 10 * MINUTE },
  /** E-mail changes of one user: each sends an e-mail to a stranger's mailbox. */
  emailChange: { name: 'email_change', tries: 5, seconds: HOUR },
  /** Unknown bearer tokens from one network. */
  token: { name: 'token', tries: 100, seconds: 10 * MINUTE },
  /** Wrong app passwords from one network; programs retry on their own. */
  appPassword: { name: 'app_password', tries: 30, seconds: 10 * MINUTE },
  /** Refused passkeys from one network. */
  passkey: { name: 'passkey', tries: 30, seconds: 10 * MINUTE },
  /** Wrong pairing codes from one network. */
  pairing: { name: 'pairing', tries: 10, seconds: 10 * MINUTE },
} as const satisfies Record<string, Limit>;

/**
 * An attacker can exhaust the limit of an account from anywhere; its owner is exempt on a network with an open
 * session.
 */
const isFromOwnNetwork = (email: string, ip: string) => async (trx: Knex.Transaction) => {
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
    { limit: LIMITS.signInAccount, subject: email, unless: isFromOwnNetwork(email, ip) },
  ] satisfies Try[],
});
export const signInAccountTry = (email: string): Try => ({ limit: LIMITS.signInAccount, subject: email });
/** With `from`, at sign-in: counts by network, and exempts the owner's own network. */
export const codeTries = (userId: number, from?: { email: string; ip: string }): Try[] => [
  { limit: LIMITS.code, subject: from ? `${userId} ${networkOf(from.ip)}` : `${userId} inside` },
  {
    limit: LIMITS.codeAccount,
    subject: String(userId),
    ...(from && { unless: isFromOwnNetwork(from.email, from.ip) }),
  },
];
export const forgottenTries = (email: string, ip: string): Try[] => [
  { limit: LIMITS.forgottenPlace, subject: networkOf(ip) },
  { limit: LIMITS.forgotten, subject: email },
];
export const emailedLinkTry = (ip: string): Try => ({ limit: LIMITS.emailedLink, subject: networkOf(ip) });
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
