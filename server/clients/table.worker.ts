import { parentPort, workerData } from 'node:worker_threads';
import { inflateRawSync } from 'node:zlib';
import { CsvError, parse } from 'csv-parse/sync';
import readSheets from 'read-excel-file/universal';

/** Rows of texts as the file has them, empty ones too, so that a row's place is its number. */
export interface Sheet {
  /** '' in a file that has only one. */
  name: string;
  rows: string[][];
}

/** What a worker answers: at least one sheet, or why there is none. */
export type Read = { sheets: Sheet[] } | { fault: string };

export interface Job {
  bytes: Uint8Array;
  /** Rows beyond this are not looked at, of each sheet. */
  rows: number;
}

class Unreadable extends Error {}

const NEITHER =
  'This is not a CSV or Excel file. Save the list in Excel as "CSV UTF-8" or "Excel Workbook (.xlsx)" and choose it again.';
/** Portals and accounting programs give such files the ending .xls. */
const WEB_PAGE =
  'This is a web page and not a workbook, whatever its name says. Open it in Excel, save it as "Excel Workbook (.xlsx)" and choose that.';
/** Bytes of one part of a workbook; a list of clients has a few hundred kilobytes. */
const PART_MAX = 40 * 1024 * 1024;

const starts = (bytes: Buffer, ...magic: number[]) => magic.every((byte, at) => bytes[at] === byte);

function decoded(bytes: Buffer): string {
  if (starts(bytes, 0xff, 0xfe)) return new TextDecoder('utf-16le').decode(bytes);
  if (starts(bytes, 0xfe, 0xff)) return new TextDecoder('utf-16be').decode(bytes);
  // Without a mark, every second byte of Latin text in UTF-16 is zero.
  const head = bytes.subarray(0, 400);
  const zeros = (parity: number) => head.filter((byte, at) => byte === 0 && at % 2 === parity).length;
  const half = head.length / 4;
  if (zeros(1) > half && zeros(0) === 0) return new TextDecoder('utf-16le').decode(bytes);
  if (zeros(0) > half && zeros(1) === 0) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes.includes(0)) throw new Unreadable(NEITHER);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // What Excel writes as plain "CSV" in India.
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function delimiterOf(text: string): string {
  const line =
    text
      .slice(0, 20_000)
      .split(/\r?\n/)
      .find((one) => one.trim() !== '') ?? '';
  const bare = line.replace(/"[^"]*"/g, '');
  const counts = [',', ';', '\t', '|'].map((sign) => ({ sign, count: bare.split(sign).length - 1 }));
  return counts.toSorted((a, b) => b.count - a.count)[0]!.sign;
}

function readCsv(bytes: Buffer, rows: number): string[][] {
  const text = decoded(bytes)
    .replace(/^\uFEFF/, '')
    .replace(/^sep=.\r?\n/i, '');
  // A picture or a program read as text is full of control characters.
  if (/[\p{Cc}\uFFFD]/u.test(text.slice(0, 2000).replace(/[\t\r\n]/g, ''))) throw new Unreadable(NEITHER);
  if (/^\s*<(?:!doctype|html|table|\?xml|meta|head|style)\b/i.test(text)) throw new Unreadable(WEB_PAGE);
  try {
    return parse(text, {
      delimiter: delimiterOf(text),
      relax_quotes: true,
      relax_column_count: true,
      trim: true,
      to: rows,
      max_record_size: 100_000,
    }) as string[][];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { code, lines } = error as CsvError & { lines?: number };
    const why =
      code === 'CSV_MAX_RECORD_SIZE'
        ? 'this row has no end: either the file is no list, or a quotation mark is opened and never closed'
        : 'a quotation mark is opened and never closed';
    throw new Unreadable(`Near line ${lines}: ${why}. Mend it and choose the file again.`);
  }
}

/** What the parser would unpack is unpacked here first, with a limit: a small file can hold gigabytes. */
function checkParts(bytes: Buffer): void {
  for (let at = bytes.indexOf('PK\x01\x02'); at >= 0; at = bytes.indexOf('PK\x01\x02', at + 4)) {
    if (at + 46 > bytes.length) break;
    const method = bytes.readUInt16LE(at + 10);
    const packed = bytes.readUInt32LE(at + 20);
    const local = bytes.readUInt32LE(at + 42);
    if (method !== 8 || local + 30 > bytes.length) continue;
    const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    inflateRawSync(bytes.subarray(from, from + packed), { maxOutputLength: PART_MAX });
  }
}

const EXCEL_BEGINS = new Date('1900-01-01');

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  // A formula that points to an empty cell, shown as a date, is the day before Excel's first.
  if (value instanceof Date) return value < EXCEL_BEGINS ? '' : value.toISOString().slice(0, 10);
  return String(value).trim();
}

async function readXlsx(bytes: Buffer, rows: number): Promise<Sheet[]> {
  try {
    checkParts(bytes);
    const sheets = await readSheets(new Uint8Array(bytes).buffer);
    return sheets.map(({ sheet, data }) => ({
      name: sheet,
      rows: data.slice(0, rows).map((row) => row.map(cell)),
    }));
  } catch {
    // Other programs' tables, and documents, are ZIP files as well.
    if (!bytes.includes('xl/workbook.xml')) throw new Unreadable(NEITHER);
    throw new Unreadable(
      'This Excel file could not be read. Save it in Excel as "CSV UTF-8" and choose that.',
    );
  }
}

async function read({ bytes: given, rows }: Job): Promise<Read> {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  try {
    if (starts(bytes, 0xd0, 0xcf, 0x11, 0xe0))
      throw new Unreadable(
        'This is an old (.xls) or a protected Excel file. Open it in Excel, save it as "Excel Workbook (.xlsx)" without a password, and choose that.',
      );
    const sheets = starts(bytes, 0x50, 0x4b)
      ? await readXlsx(bytes, rows)
      : [{ name: '', rows: readCsv(bytes, rows) }];
    return { sheets };
  } catch (error) {
    if (error instanceof Unreadable) return { fault: error.message };
    throw error;
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(await read(workerData as Job));
