import { CsvError, parse } from 'csv-parse/sync';
import type { SheetView } from '../contract.ts';
import { delimiterOf } from '#server/text/csv.ts';
import { ROWS_SHOWN } from '../contract.ts';
import { written } from './figures.ts';
import { Unreadable } from './limits.ts';
import type { Budget } from './budget.ts';
import { encodingOf } from './text.ts';

/** Bytes parsed; 5000 rows are usually far fewer. */
const READ_MAX = 16 * 1024 * 1024;

const firstLines = (text: string): string => text.slice(0, 20_000).split(/\r?\n/).slice(0, 20).join('\n');

/** Bytes decoded at a time when a whole file is counted. */
const SLICE = 1024 * 1024;

/** The extent of the complete file in rows, without storing them: up to the last one with content. Line ends in quotation marks end none. */
function extentOf(bytes: Buffer, { quoted, lineEnd }: { quoted: boolean; lineEnd: string }): number {
  const decoder = new TextDecoder(encodingOf(bytes.subarray(0, READ_MAX)));
  const end = lineEnd.charCodeAt(0);
  let rows = 0;
  let extent = 0;
  let within = false;
  for (let start = 0; start < bytes.length; start += SLICE) {
    const text = decoder.decode(bytes.subarray(start, start + SLICE), { stream: true });
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (code === end && !within) rows += 1;
      else if (code > 0x20) extent = rows + 1;
      if (code === 0x22 && quoted) within = !within;
    }
  }
  return extent;
}

function records(text: string, delimiter: string): { rows: string[][]; quoted: boolean } {
  const options = { delimiter, relax_column_count: true, skip_empty_lines: false, to: ROWS_SHOWN + 1 };
  try {
    return { rows: parse(text, { ...options, relax_quotes: true }) as string[][], quoted: true };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // A quotation mark is never closed: parse again with quotation marks as ordinary characters.
    return { rows: parse(text, { ...options, quote: null }) as string[][], quoted: false };
  }
}

/** Reads a text with columns separated by commas, semicolons, tabs or bars. @throws {Unreadable} for binary content. */
export function readCsv(bytes: Buffer, budget: Budget): SheetView {
  const cut = bytes.length > READ_MAX;
  const part = bytes.subarray(0, READ_MAX);
  const decoded = new TextDecoder(encodingOf(part)).decode(part);
  const text = decoded.replace(/^sep=.\r?\n/i, '');
  // A picture or a program read as text is full of control characters.
  if (/[\p{Cc}\uFFFD]/u.test(text.slice(0, 2000).replace(/[\t\r\n\f]/g, '')))
    throw new Unreadable('It is no text.');
  const { rows, quoted } = records(
    cut ? text.slice(0, text.lastIndexOf('\n') + 1) : text,
    delimiterOf(firstLines(text)),
  );
  const whole = !cut && rows.length <= ROWS_SHOWN;
  const sheet = budget.sheet(
    '',
    rows.map((cells) => cells.map(written)),
  );
  if (whole) return sheet;
  const lineEnd = text.includes('\n') ? '\n' : '\r';
  const extent = extentOf(bytes, { quoted, lineEnd }) - (text === decoded ? 0 : 1);
  return { ...sheet, total_rows: Math.max(extent, sheet.rows.length) };
}
