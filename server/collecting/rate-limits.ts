import { createHmac, timingSafeEqual } from 'node:crypto';
import { networkOf } from '#server/http/network.ts';
import type { Limit, Try } from '#server/http/rate-limiter.ts';
import type { Sender } from './contract.ts';

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

/** CSRF tokens for the forms and scripts of a page. */
export function createForms(secret: Buffer) {
  const formOf = ({ token, cookie }: Pick<Sender, 'token' | 'cookie'>): string =>
    createHmac('sha256', secret).update(`collect form\0${token}\0${cookie}`).digest('base64url');
  return {
    formOf,
    isOurs(sender: Pick<Sender, 'token' | 'cookie'>, form: string): boolean {
      const [expected, actual] = [Buffer.from(formOf(sender)), Buffer.from(form)];
      return sender.cookie !== '' && expected.length === actual.length && timingSafeEqual(expected, actual);
    },
  };
}
