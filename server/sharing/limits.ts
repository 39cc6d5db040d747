import { networkOf } from '#server/http/network.ts';
import type { Limit, Try } from '#server/http/rate-limiter.ts';
import { codeLimits } from '#server/links/email-code.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

const LIMITS = {
  /** Passwords for one link from one network. */
  password: { name: 'share_password', tries: 10, seconds: 15 * MINUTE },
  /** Passwords for one link from all networks together. */
  passwordLink: { name: 'share_password_link', tries: 100, seconds: HOUR },
  /** Passwords for any link from one network. */
  passwordPlace: { name: 'share_password_place', tries: 60, seconds: HOUR },
  /** Downloads by one link from one network; each adds rows to the database. */
  begin: { name: 'share_begin', tries: 600, seconds: HOUR },
  /** Recorded openings of one link from one network; each adds rows to the database. */
  open: { name: 'share_open', tries: 120, seconds: HOUR },
  /** Pages of parts of files, which are rendered anew each time. */
  inside: { name: 'share_inside', tries: 1200, seconds: HOUR },
  /** E-mails with links per user. */
  sent: { name: 'share_sent', tries: 200, seconds: 24 * HOUR },
} as const satisfies Record<string, Limit>;

export const passwordTries = (linkId: number, ip: string): Try[] => [
  { limit: LIMITS.passwordPlace, subject: networkOf(ip) },
  { limit: LIMITS.passwordLink, subject: String(linkId) },
  { limit: LIMITS.password, subject: `${linkId} ${networkOf(ip)}` },
];
export const { codeTries, emailTries } = codeLimits('share');
export const beginTries = (linkId: number, ip: string): Try[] => [
  { limit: LIMITS.begin, subject: `${linkId} ${networkOf(ip)}` },
];
export const openTries = (linkId: number, ip: string): Try[] => [
  { limit: LIMITS.open, subject: `${linkId} ${networkOf(ip)}` },
];
export const insideTries = (linkId: number, ip: string): Try[] => [
  { limit: LIMITS.inside, subject: `${linkId} ${networkOf(ip)}` },
];
export const sentTry = (userId: number): Try => ({ limit: LIMITS.sent, subject: String(userId) });
