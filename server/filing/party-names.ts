import { fold } from '#server/text/fold.ts';

/** Titles before a name, which are ignored. */
const TITLES = /^(?:(?:m s|messrs|mr|mrs|ms|miss|smt|shrimati|shri|sri|kumari|dr|the) )+/;
const ABBREVIATIONS: Record<string, string> = {
  pvt: 'private',
  ltd: 'limited',
  co: 'company',
  cos: 'company',
};

/**
 * Normalises a name for comparison: `M/s. Sharma Steel (P) Ltd.` and `SHARMA STEEL PRIVATE LIMITED` are both `sharma
 * steel private limited`.
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
    .map((word) => ABBREVIATIONS[word] ?? word)
    .join(' ');
}

/**
 * Whether a normalised name is that of a company or an LLP. Registered names are unique, while two persons or shops
 * may share a name.
 */
export const isRegisteredName = (words: string): boolean =>
  /^\S.* (?:private limited|limited|llp)$/.test(words);
