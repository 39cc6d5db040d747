import { TO_DIGIT, TO_LETTERS } from './look-alikes.ts';
import type { Line, Word } from '../layout/page.ts';
import type { Identifier } from './scan.ts';
import { SHAPES } from './shapes.ts';

/** More misread characters in one identifier are not plausible. */
const CHANGES_MAX = 4;

/** Replaces each character by a look-alike of the class that its position requires; null if impossible. */
function fitToPositions(word: string, places: string): string | null {
  if (word.length !== places.length) return null;
  let [made, changes] = ['', 0];
  for (const [at, sign] of [...word].entries()) {
    const wants = places[at]!;
    const right =
      wants === '*' ? /[A-Z0-9]/.test(sign) : wants === '9' ? /\d/.test(sign) : /[A-Z]/.test(sign);
    const put = right
      ? sign
      : wants === '9'
        ? TO_DIGIT[sign]
        : wants === 'A'
          ? TO_LETTERS[sign]?.[0]
          : undefined;
    if (put === undefined) return null;
    changes += put === sign ? 0 : 1;
    made += put;
  }
  return changes > 0 && changes <= CHANGES_MAX ? made : null;
}

/** The candidates for positions that allow letters and digits. */
function ambiguousCandidates(word: string, places: string): string[] {
  const all = [word];
  for (const [at, wants] of [...places].entries()) {
    const other = wants === '*' && (TO_DIGIT[word[at]!] ?? TO_LETTERS[word[at]!]?.[0]);
    if (other) all.push(...all.map((one) => one.slice(0, at) + other + one.slice(at + 1)));
  }
  return all;
}

/**
 * Repairs identifiers with misread characters, only where they have a check digit, and exactly one candidate passes
 * it.
 */
export function repairIdentifiers({ words }: Line): Omit<Identifier, 'page' | 'isRepaired'>[] {
  return words.flatMap((word) => {
    const signs = word.text.toUpperCase().replace(/^[^A-Z0-9|]+|[^A-Z0-9|]+$/g, '');
    for (const name of ['gstin', 'arn']) {
      const { places = '', pattern, check } = SHAPES[name]!;
      if (signs.length !== places.length || (pattern.test(signs) && check(signs) === 'checksum')) continue;
      const base = fitToPositions(signs, places) ?? (pattern.test(signs) ? signs : null);
      if (!base) continue;
      const ways = ambiguousCandidates(base, places).filter(
        (one) => one !== signs && pattern.test(one) && check(one) === 'checksum',
      );
      if (ways.length === 1)
        return [{ name, value: ways[0]!, check: 'checksum' as const, words: [word] as Word[] }];
    }
    return [];
  });
}
