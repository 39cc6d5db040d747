import { networkOf } from '#server/http/network.ts';
import type { Limit, Try } from '#server/http/rate-limiter.ts';

const HOUR = 60 * 60;
const LIMITS = {
  /** Files by one link from one network; ten phones of one family stay below it. */
  files: { name: 'collect_files', tries: 3000, seconds: HOUR },
  /** Answers without files by one link from one network; each goes into the history. */
  answers: { name: 'collect_answers', tries: 300, seconds: HOUR },
  /** Invalid addresses from one network. */
  guesses: { name: 'collect_guesses', tries: 120, seconds: HOUR },
} as const satisfies Record<string, Limit>;

export const fileTry = (door: string, ip: string): Try => ({
  limit: LIMITS.files,
  subject: `${door} ${networkOf(ip)}`,
});
export const answerTry = (door: string, ip: string): Try => ({
  limit: LIMITS.answers,
  subject: `${door} ${networkOf(ip)}`,
});
export const guessTry = (ip: string): Try => ({ limit: LIMITS.guesses, subject: networkOf(ip) });
