import { fold } from '#server/text/fold.ts';

/** What offices write before a name, and what they leave off as well. */
const TITLES = /^(?:(?:m s|messrs|mr|mrs|ms|miss|smt|shrimati|shri|sri|kumari|dr|the) )+/;
const SHORT: Record<string, string> = { pvt: 'private', ltd: 'limited', co: 'company', cos: 'company' };

/**
 * A name as names are compared: `M/s. Sharma Steel (P) Ltd.` and `SHARMA STEEL PRIVATE LIMITED` are
 * `sharma steel private limited`.
 */
export function nameWords(name: string): string {
  const words = fold(name)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
    .replace(TITLES, '')
    .replace(/\bl l p\b/g, 'llp')
    .replace(/\bp (?=(?:ltd|limited)\b)/g, 'private ')
    .split(' ');
  return words
    .filter((word) => word !== 'and')
    .map((word) => SHORT[word] ?? word)
    .join(' ');
}

/**
 * Whether a name, as `nameWords` has it, is one under which a company or an LLP is registered: the register takes no two
 * of the same name, while two persons or two shops may well be called alike.
 */
export const isRegisteredName = (words: string): boolean =>
  /^\S.* (?:private limited|limited|llp)$/.test(words);
