import { packText } from '../packed.ts';
import { acrossOf, pairsOf } from '../words/across.ts';
import { withoutAadhaar } from '../words/aadhaar.ts';
import { namedIn, wordsOf } from '../words/words.ts';
import type { FileText, MadeText, PageText } from './contract.ts';

/** Words of one file that the index takes: some five hundred full pages. */
const WORDS_MAX = 250_000;

/** Fewer letters than this on a page are a number or a stamp beside a scan. */
const LETTERS_MIN = 3;
const says = (text: string): boolean => (text.match(/[\p{L}\p{Nd}]/gu)?.length ?? 0) >= LETTERS_MIN;

/** A page of a file that has pages, of which no picture was looked at yet. */
const isUnscanned = ({ text, sure }: PageText): boolean => sure === undefined && !says(text);

function sureOf(pages: readonly PageText[]): number | null {
  const all = pages.flatMap(({ sure = [] }) => sure);
  return all.length === 0 ? null : Math.round(all.reduce((sum, one) => sum + one, 0) / all.length);
}

export type Listed = Omit<Extract<MadeText, { packed: Uint8Array }>, 'recognised'>;

/** What of a text goes into the index, beside the text itself as it is kept. */
export function listed({ pages, ...file }: FileText): Listed {
  const terms = new Map<string, number>();
  const named = new Set<string>();
  const sequence: number[] = [];
  let { cut } = file;
  const take = (text: string): void => {
    for (const { term } of wordsOf(text)) {
      if (sequence.length >= WORDS_MAX) {
        cut ??= 'size';
        break;
      }
      const place = terms.get(term) ?? terms.size;
      terms.set(term, place);
      sequence.push(place);
    }
  };
  const kept = pages.map((page) => {
    const { text, numbers } = withoutAadhaar(page.text);
    for (const number of numbers) named.add(`aadhaar ${number}`);
    for (const { term } of namedIn(text)) named.add(term);
    take(text);
    const label = withoutAadhaar(page.label).text;
    // Of a scan the lines are read across all cells: what goes on in a cell is a phrase as well.
    const across = page.sure && page.boxes ? acrossOf(text, page.boxes) : [];
    for (const [from, to, then, end] of pairsOf(across))
      take(`${text.slice(from, to)} ${text.slice(then, end)}`);
    return { ...page, label, text, ...(across.length > 0 && { across }) };
  });
  return {
    packed: packText({ kind: file.kind, pages: kept }),
    kind: file.kind,
    count: file.count,
    without: kept.filter(({ text }) => !says(text)).length,
    unscanned: file.kind === 'page' ? kept.filter(isUnscanned).map(({ page }) => page) : [],
    password: file.password ?? null,
    sure: sureOf(kept),
    characters: kept.reduce((sum, { text }) => sum + text.length, 0),
    cut,
    terms: [...terms.keys()].join('\n'),
    sequence: Uint32Array.from(sequence),
    named: [...named].join('\n'),
  };
}
