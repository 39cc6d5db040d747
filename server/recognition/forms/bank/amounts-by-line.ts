import type { Layout, Line, Word } from '../../layout/page.ts';
import { readAmount, looksLikeMoney } from '../../values/amounts.ts';
import { readDate } from '../../values/dates.ts';
import { CLOSING, FORWARD, OPENING, TOTAL } from './headings.ts';

/** A horizontal range in tenths of a point. */
export interface Range {
  left: number;
  right: number;
}

export interface PlacedAmount extends Range {
  /** Signed as printed; negative for `Dr`. */
  paise: number;
  isMoney: boolean;
  /** `d` or `c` from the mark after it. */
  side: string | null;
}

/** A line that looks like a transaction: a date and amounts, or two amounts. */
export interface AmountLine {
  index: number;
  dates: Range[];
  amounts: PlacedAmount[];
  /** Marks such as `Dr`, `C` or `Credit` in a column of their own. */
  marks: (Range & { side: string })[];
}

const MARK = /^\(?(cr|dr|c|d|credit|debit)\.?\)?$/i;
const NO_YEAR =
  /^\d{1,2}(?:st|nd|rd|th)?[\s/-]*(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[-/]?$/i;

const rangeOf = (words: readonly Word[]): Range => ({
  left: Math.min(...words.map(({ left }) => left)),
  right: Math.max(...words.map(({ right }) => right)),
});

/** The dates of a line, of one to three words each. */
function datesOf(words: readonly Word[]): { ranges: Range[]; taken: Set<Word> } {
  const [ranges, taken] = [[] as Range[], new Set<Word>()];
  for (let index = 0; index < words.length; index += 1) {
    for (const count of [1, 3, 2]) {
      const dateWords = words.slice(index, index + count);
      if (dateWords.length < count) continue;
      const text = dateWords.map((word) => word.text).join(' ');
      if (!/^\d/.test(text) || !/\d(?:['’]?)$|[a-z][-/]?$/i.test(text)) continue;
      if (readDate(text)?.raw !== text && !NO_YEAR.test(text)) continue;
      ranges.push(rangeOf(dateWords));
      for (const word of dateWords) taken.add(word);
      index += count - 1;
      break;
    }
  }
  return { ranges, taken };
}

function amountLineOf(line: Line, index: number): AmountLine {
  const { ranges, taken } = datesOf(line.words);
  const amountLine: AmountLine = { index, dates: ranges, amounts: [], marks: [] };
  let previous: PlacedAmount | null = null;
  for (const word of line.words) {
    const side = MARK.exec(word.text)?.[1]?.toLowerCase();
    const amount = taken.has(word) || /^\d{10,}$/.test(word.text) ? null : readAmount(word.text);
    if (side) {
      if (previous) previous.side = side[0]!;
      // A mark after an amount is read with it, unless it is a single letter.
      if (!previous || !/^[cd]r/i.test(side)) amountLine.marks.push({ ...rangeOf([word]), side: side[0]! });
    }
    previous = null;
    if (!amount) continue;
    previous = {
      ...rangeOf([word]),
      paise: amount.paise,
      side: amount.side?.[0] ?? null,
      isMoney: looksLikeMoney(word.text),
    };
    amountLine.amounts.push(previous);
  }
  return amountLine;
}

/** Merges a line that has only a date with a line below that has only amounts. */
function* withDatesAbove({ lines }: Layout): Generator<AmountLine> {
  let above: AmountLine | null = null;
  for (const [index, line] of lines.entries()) {
    const current = amountLineOf(line, index);
    const money = current.amounts.filter(({ isMoney }) => isMoney).length;
    if (above && current.dates.length === 0 && current.amounts.length > 1 && above.index === index - 1)
      current.dates = above.dates;
    above = current.dates.length > 0 && current.amounts.length === 0 ? current : null;
    if ((current.dates.length > 0 && current.amounts.length > 0) || money > 1) yield current;
  }
}

/** The lines that look like transactions, without totals and balances carried forward. */
export const amountLines = (layout: Layout, limit: number): AmountLine[] => {
  const transactions: AmountLine[] = [];
  for (const line of withDatesAbove(layout)) {
    const { text } = layout.lines[line.index]!;
    const isOther = [OPENING, FORWARD, CLOSING, TOTAL].some((pattern) => pattern.test(text));
    if (!isOther && transactions.push(line) >= limit) break;
  }
  return transactions;
};
