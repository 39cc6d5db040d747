import { parse } from 'csv-parse/sync';
import type { Cell, Word } from './page.ts';
import { cellOf } from './page.ts';

/** Substitute sizes for text without positions: a character, its height, a line, and a column. */
const [CHARACTER, HEIGHT, LINE, COLUMN] = [50, 100, 140, 4000];
const LINES_MAX = 30_000;

function placeWords(text: string, left: number, top: number): Word[] {
  return Array.from(text.matchAll(/\S+/g), ({ 0: word, index }) => ({
    text: word.normalize('NFKC'),
    left: left + index * CHARACTER,
    top,
    right: left + (index + word.length) * CHARACTER,
    bottom: top + HEIGHT,
  }));
}

/** The cells of a row, positioned by column number. */
const rowCells = (row: readonly string[], top: number): Cell[] =>
  row.flatMap((text, column) => {
    const words = placeWords(text.trim().slice(0, COLUMN / CHARACTER - 2), column * COLUMN, top);
    return words.length > 0 ? [cellOf(words)] : [];
  });

/** The cells of a typed line: two blanks separate columns. */
const typedCells = (line: string, top: number): Cell[] =>
  Array.from(line.matchAll(/\S+(?: \S+)*/g), ({ 0: text, index }) =>
    cellOf(placeWords(text, index * CHARACTER, top)),
  );

/**
 * An amount between blanks, whose commas group its digits: `2,50,000.50`, `₹1,20,000/-`. In a comma-separated line the
 * numbers of several columns have text or a blank column before them, so that they do not look like one amount.
 */
const AMOUNT =
  /(?<=\s|^)[(₹+-]{0,3}(?:(?:rs|inr)\.?)?[(₹+-]{0,3}\d{1,3}(?:(?:,\d{2})*,\d{3}|(?:,\d{3})+)(?:\.\d+)?(?:\/-|[)*.:;-]|cr\b|dr\b)*(?=\s|$)/gi;
const withoutGrouping = (line: string): string => {
  const plain = line.trim();
  return plain.replace(AMOUNT, (amount) => (amount === plain ? amount : amount.replaceAll(',', '')));
};

/** The column separator of a text; null for none. */
function separatorOf(lines: readonly string[], fileType: string): string | null {
  const sample = lines.slice(0, 200);
  /** The share of lines with more than so many columns. */
  const share = (separator: string, columns: number, among = sample): number =>
    among.filter((line) => line.split(separator).length > columns).length / Math.max(1, among.length);
  if (share('^', 3) > 0.3) return '^';
  if (fileType !== 'csv' && fileType !== 'txt') return null;
  if (share(';', 2) > 0.6) return ';';
  if (fileType === 'csv') return share(',', 1) > 0.6 ? ',' : null;
  return share(',', 3, sample.map(withoutGrouping)) > 0.6 ? ',' : null;
}

const OPTIONS = { relax_column_count: true, relax_quotes: true, skip_empty_lines: false, bom: true };

/** The cells of each line of a text without positions. */
export function cellsOfText(text: string, fileType: string): Cell[][] {
  const lines = text.split(/\r?\n/, LINES_MAX);
  const delimiter = separatorOf(lines, fileType);
  const rows =
    delimiter === ',' || delimiter === ';'
      ? (parse(lines.join('\n'), { ...OPTIONS, delimiter }) as string[][])
      : lines.map((line) =>
          delimiter ? line.split(delimiter) : line.includes('\t') ? line.split('\t') : line,
        );
  return rows.map((row, index) =>
    typeof row === 'string' ? typedCells(row, index * LINE) : rowCells(row, index * LINE),
  );
}
