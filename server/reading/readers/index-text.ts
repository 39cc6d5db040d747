import { maskAadhaar } from '#server/text/aadhaar.ts';
import { packText } from '../stored-text.ts';
import { cellContinuations, continuationPairs } from '../words/cell-continuations.ts';
import { namedIn, wordsOf } from '../words/words.ts';
import type { FileText, ReadResponse, PageText } from './contract.ts';

/** Words of one file in the index: about five hundred full pages. */
const WORDS_MAX = 250_000;

/** A page with fewer letters and digits has only a page number or a stamp beside a scan. */
const LETTERS_MIN = 3;
const hasText = (text: string): boolean => (text.match(/[\p{L}\p{Nd}]/gu)?.length ?? 0) >= LETTERS_MIN;

/** A page without text that was not yet read as a picture. */
const isUnscanned = ({ text, sure }: PageText): boolean => sure === undefined && !hasText(text);

function meanConfidence(pages: readonly PageText[]): number | null {
  const all = pages.flatMap(({ sure = [] }) => sure);
  return all.length === 0 ? null : Math.round(all.reduce((sum, value) => sum + value, 0) / all.length);
}

type IndexedText = Omit<Extract<ReadResponse, { packed: Uint8Array }>, 'recognised'>;

/** Builds the stored form of a text and its index data. Masks Aadhaar numbers. */
export function indexText({ pages, ...file }: FileText): IndexedText {
  const terms = new Map<string, number>();
  const named = new Set<string>();
  const sequence: number[] = [];
  let { cut } = file;
  const addWords = (text: string): void => {
    for (const { term } of wordsOf(text)) {
      if (sequence.length >= WORDS_MAX) {
        cut ??= 'size';
        break;
      }
      const index = terms.get(term) ?? terms.size;
      terms.set(term, index);
      sequence.push(index);
    }
  };
  const masked = pages.map((page) => {
    const { text, numbers } = maskAadhaar(page.text);
    for (const number of numbers) named.add(`aadhaar ${number}`);
    for (const { term } of namedIn(text)) named.add(term);
    addWords(text);
    const label = maskAadhaar(page.label).text;
    // The lines of a scan run across all cells of a table: index continued cells as phrases too.
    const across = page.sure && page.boxes ? cellContinuations(text, page.boxes) : [];
    for (const [from, to, then, end] of continuationPairs(across))
      addWords(`${text.slice(from, to)} ${text.slice(then, end)}`);
    return { ...page, label, text, ...(across.length > 0 && { across }) };
  });
  return {
    packed: packText({ kind: file.kind, pages: masked }),
    kind: file.kind,
    count: file.count,
    without: masked.filter(({ text }) => !hasText(text)).length,
    unscanned: file.kind === 'page' ? masked.filter(isUnscanned).map(({ page }) => page) : [],
    password: file.password ?? null,
    sure: meanConfidence(masked),
    characters: masked.reduce((sum, { text }) => sum + text.length, 0),
    cut,
    terms: [...terms.keys()].join('\n'),
    sequence: Uint32Array.from(sequence),
    named: [...named].join('\n'),
  };
}
