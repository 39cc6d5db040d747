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

/** Counts the records of the complete file without storing them: line ends outside quotation marks. */
function countRecords(bytes: Buffer, quoted: boolean): number {
  let count = 0;
  let within = false;
  let some = false;
  for (const byte of bytes) {
    if (byte === 0x22 && quoted) within = !within;
    if (byte === 0x0a && !within) {
      if (some) count += 1;
      some = false;
    } else if (byte > 0x20) some = true;
  }
  return count + (some ? 1 : 0);
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
  const text = new TextDecoder(encodingOf(part)).decode(part).replace(/^sep=.\r?\n/i, '');
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
  return whole ? sheet : { ...sheet, total_rows: Math.max(countRecords(bytes, quoted), sheet.rows.length) };
}
