import { TO_DIGIT, TO_LETTERS } from './look-alikes.ts';
import type { Line, Word } from '../layout/page.ts';
import type { Identifier } from './scan.ts';
import { SHAPES } from './shapes.ts';

/** More misread characters in one identifier are not plausible. */
const CHANGES_MAX = 4;

/** Replaces each character by a look-alike of the class that its position requires; null if impossible. */
function fitToPositions(word: string, places: string): string | null {
  if (word.length !== places.length) return null;
  let [repaired, changes] = ['', 0];
  for (const [index, sign] of [...word].entries()) {
    const wants = places[index]!;
    const isAllowed =
      wants === '*' ? /[A-Z0-9]/.test(sign) : wants === '9' ? /\d/.test(sign) : /[A-Z]/.test(sign);
    const replacement = isAllowed
      ? sign
      : wants === '9'
        ? TO_DIGIT[sign]
        : wants === 'A'
          ? TO_LETTERS[sign]?.[0]
          : undefined;
    if (replacement === undefined) return null;
    changes += replacement === sign ? 0 : 1;
    repaired += replacement;
  }
  return changes > 0 && changes <= CHANGES_MAX ? repaired : null;
}

/** The candidates for positions that allow letters and digits. */
function ambiguousCandidates(word: string, places: string): string[] {
  const candidates = [word];
  for (const [index, wants] of [...places].entries()) {
    const lookAlike = wants === '*' && (TO_DIGIT[word[index]!] ?? TO_LETTERS[word[index]!]?.[0]);
    if (lookAlike)
      candidates.push(
        ...candidates.map((candidate) => candidate.slice(0, index) + lookAlike + candidate.slice(index + 1)),
      );
  }
  return candidates;
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
      const valid = ambiguousCandidates(base, places).filter(
        (candidate) => candidate !== signs && pattern.test(candidate) && check(candidate) === 'checksum',
      );
      if (valid.length === 1)
        return [{ name, value: valid[0]!, check: 'checksum' as const, words: [word] as Word[] }];
    }
    return [];
  });
}
