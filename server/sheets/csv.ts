import { CsvError, parse } from 'csv-parse/sync';
import { delimiterOf } from '#server/text/csv.ts';
import type { Row, Sheet, SheetLimits } from './contract.ts';
import { SheetsUnreadable } from './contract.ts';

const starts = (bytes: Buffer, ...magic: number[]) => magic.every((byte, index) => bytes[index] === byte);

function decode(bytes: Buffer): string {
  if (starts(bytes, 0xff, 0xfe)) return new TextDecoder('utf-16le').decode(bytes);
  if (starts(bytes, 0xfe, 0xff)) return new TextDecoder('utf-16be').decode(bytes);
  // Without a byte order mark: every second byte of Latin text in UTF-16 is zero.
  const head = bytes.subarray(0, 400);
  const zeros = (parity: number) => head.filter((byte, index) => byte === 0 && index % 2 === parity).length;
  const half = head.length / 4;
  if (zeros(1) > half && zeros(0) === 0) return new TextDecoder('utf-16le').decode(bytes);
  if (zeros(0) > half && zeros(1) === 0) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes.includes(0)) throw new SheetsUnreadable('not_a_table');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Excel writes plain "CSV" in this encoding in India.
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

const firstLine = (text: string): string =>
  text
    .slice(0, 20_000)
    .split(/\r?\n/)
    .find((line) => line.trim() !== '') ?? '';

function records(text: string, to: number): string[][] {
  try {
    return parse(text, {
      delimiter: delimiterOf(firstLine(text)),
      relax_quotes: true,
      relax_column_count: true,
      trim: true,
      to,
      max_record_size: 100_000,
    }) as string[][];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { code, lines } = error as CsvError & { lines?: number };
    throw new SheetsUnreadable(code === 'CSV_MAX_RECORD_SIZE' ? 'endless_row' : 'open_quote', lines);
  }
}

/**
 * Reads a text table with commas, semicolons, tabs or bars, in UTF-8, UTF-16 or Windows-1252.
 * @throws {SheetsUnreadable}
 */
export function readCsv(bytes: Buffer, { rows: rowsMax, columns }: SheetLimits): Sheet {
  const text = decode(bytes)
    .replace(/^\uFEFF/, '')
    .replace(/^sep=.\r?\n/i, '');
  // A binary file read as text is full of control characters.
  if (/[\p{Cc}\uFFFD]/u.test(text.slice(0, 2000).replace(/[\t\r\n]/g, '')))
    throw new SheetsUnreadable('not_a_table');
  if (/^\s*<(?:!doctype|html|table|\?xml|meta|head|style)\b/i.test(text))
    throw new SheetsUnreadable('web_page');
  // Allow for up to three empty rows per row.
  const to = 4 * rowsMax;
  const all = records(text, to);
  let more_rows = all.length >= to;
  let more_columns = false;
  const rows: Row[] = [];
  for (const [index, texts] of all.entries()) {
    const width = texts.findLastIndex((text) => text !== '') + 1;
    if (width === 0) continue;
    if (rows.length === rowsMax) {
      more_rows = true;
      break;
    }
    more_columns ||= width > columns;
    const cells = texts.slice(0, Math.min(width, columns));
    rows.push({ number: index + 1, cells: cells.map((cell) => ({ text: cell, kind: 'text' })) });
  }
  return { name: '', hidden: false, rows, more_rows, more_columns };
}
