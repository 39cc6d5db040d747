/** A match: the page, from 1, and the range in that page's text. */
export interface Match {
  page: number;
  start: number;
  end: number;
}

/** Ignores case and accents. Each letter stays one letter, so that positions in the folded text are valid in the original. */
export const fold = (text: string): string =>
  Array.from(text, (letter) => {
    const plain = letter
      .normalize('NFD')
      .replace(/[\u0300-\u036f]/g, '')
      .toLowerCase();
    return plain.length === letter.length ? plain : letter;
  }).join('');

/** All matches of `wanted` in the pages' texts, in reading order. */
export function findAll(pages: readonly string[], wanted: string): Match[] {
  const word = fold(wanted.trim());
  if (word === '') return [];
  return pages.flatMap((text, index) => {
    const folded = fold(text);
    const matches: Match[] = [];
    for (let start = folded.indexOf(word); start >= 0; start = folded.indexOf(word, start + word.length)) {
      matches.push({ page: index + 1, start, end: start + word.length });
    }
    return matches;
  });
}

/** Like `findAll` for several words, each searched separately; overlapping matches are omitted. */
export function findEach(pages: readonly string[], wanted: readonly string[]): Match[] {
  if (wanted.length === 1) return findAll(pages, wanted[0]!);
  const all = wanted.flatMap((word) => findAll(pages, word));
  const ordered = all.toSorted((a, b) => a.page - b.page || a.start - b.start || b.end - a.end);
  return ordered.filter((match, index) => {
    const previous = ordered[index - 1];
    return !previous || previous.page !== match.page || previous.end <= match.start;
  });
}

/** Converts a position in a page's text to a text piece and the offset in it. */
export function locate(pieces: readonly string[], offset: number): { piece: number; offset: number } | null {
  let start = 0;
  for (const [piece, text] of pieces.entries()) {
    if (offset <= start + text.length) return { piece, offset: offset - start };
    start += text.length;
  }
  return null;
}

/** The number of characters within which matches count as close together. */
const NEARBY_CHARS = 240;

/** The match with the most other matches around it, the first of equals; null without matches. */
export function bestOf(texts: readonly string[], matches: readonly Match[]): Match | null {
  const matchedTexts = matches.map(({ page, start, end }) => fold(texts[page - 1]!.slice(start, end)));
  let [best, mostWords] = [null as Match | null, 0];
  for (const [index, match] of matches.entries()) {
    const words = new Set<string>();
    for (let next = index; next < matches.length; next += 1) {
      const other = matches[next]!;
      if (other.page !== match.page || other.start - match.start > NEARBY_CHARS) break;
      words.add(matchedTexts[next]!);
    }
    if (words.size > mostWords) [best, mostWords] = [match, words.size];
  }
  return best;
}
