import type { FileText } from '../server/reading/readers/contract.ts';

/** Characters of one document. */
export const TEXT_SIZE = 3000;
const WORDS = 30_000;
const LINE = 9;

/** A generator of numbers from 0 to below 1, always the same for a seed. */
function chance(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const COMMON =
  'the of and to in for is on by as from with tax or be this account amount date year income total no rs bank invoice'
    .concat(' payment return section financial assessment form paid due balance company under value details')
    .split(' ');
const SYLLABLES =
  'con de re in pro com ex ad dis per sub trans ac as im un pre en al mi ra sha ku pa ta na me so ti on er al ment tion ing ate ive'
    .concat(
      ' able ence ion ed ly ness ship age ure ist or ar ty sis lo mo no vi va ni la ma ri sa te to tu di do du',
    )
    .split(' ');

/** The words of all documents, the most frequent first; as in a language, many begin alike. */
export const vocabulary: readonly string[] = (() => {
  const random = chance(7);
  const words = new Set(COMMON);
  while (words.size < WORDS) {
    const count = 2 + Math.floor(random() * 3);
    words.add(
      Array.from({ length: count }, () => SYLLABLES[Math.floor(random() * SYLLABLES.length)]).join(''),
    );
  }
  return [...words];
})();

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** The text of document `n`: words with frequencies by Zipf's law, amounts, days and identifiers. */
export function textOf(n: number): string {
  const random = chance(n + 100);
  const below = (limit: number): number => Math.floor(random() * limit);
  const letters = (count: number): string =>
    Array.from({ length: count }, () => LETTERS[below(LETTERS.length)]).join('');
  const piece = (): string => {
    const kind = random();
    if (kind < 0.86) return vocabulary[Math.floor(WORDS ** random()) - 1]!;
    if (kind < 0.95) return (below(10_000_000) / 100).toLocaleString('en-IN');
    if (kind < 0.98) return `${1 + below(28)}-${1 + below(12)}-${2020 + below(7)}`;
    if (kind < 0.99) return `${letters(3)}P${letters(1)}${1000 + below(9000)}${letters(1)}`;
    return `INV/${2020 + below(7)}/${below(100_000)}`;
  };
  let text = '';
  for (let number = 1; text.length < TEXT_SIZE; number += 1)
    text += piece() + (number % LINE === 0 ? '\n' : ' ');
  return text;
}

/** A document as the readers of files return it. */
export const documentOf = (n: number): FileText => ({
  kind: 'page',
  pages: [{ page: 1, label: '', text: textOf(n) }],
  count: 1,
  cut: null,
});
