import { serveRequests } from '#server/sandbox/serve-requests.ts';
import type { CellKind, Sheet, SheetFault, SheetLimits } from './contract.ts';
import { SheetsUnreadable } from './contract.ts';

/** Sheets on their way between processes, where a million small objects would cost more than their texts. */
export interface Packed extends Omit<Sheet, 'rows'> {
  rows: { number: number; texts: string[]; kinds: CellKind[] | null }[];
}

/** What the server sends to the process. */
export interface SheetOrder {
  bytes: Uint8Array;
  limits: SheetLimits;
}

/** What the process that reads answers. */
export type Answer = { sheets: Packed[] } | { fault: SheetFault; line: number | undefined };

const starts = (bytes: Buffer, ...magic: number[]) => magic.every((byte, at) => bytes[at] === byte);

async function sheetsOf(bytes: Buffer, limits: SheetLimits) {
  if (starts(bytes, 0xd0, 0xcf, 0x11, 0xe0)) throw new SheetsUnreadable('old_format');
  // Only what this file needs is loaded, which is most of the time that a small one takes.
  if (!starts(bytes, 0x50, 0x4b)) {
    const { readCsv } = await import('./csv.ts');
    return [readCsv(bytes, limits)];
  }
  const { readWorkbook } = await import('./workbook.ts');
  try {
    return await readWorkbook(bytes, limits);
  } catch (error) {
    // Other programs' tables, and documents, are ZIP files as well.
    const stranger = error instanceof SheetsUnreadable && !bytes.includes('xl/workbook.xml');
    throw stranger ? new SheetsUnreadable('not_a_table') : error;
  }
}

async function answer(bytes: Buffer, limits: SheetLimits): Promise<Answer> {
  try {
    const sheets = await sheetsOf(bytes, limits);
    return {
      sheets: sheets.map(({ rows, ...sheet }) => ({
        ...sheet,
        rows: rows.map(({ number, cells }) => ({
          number,
          texts: cells.map(({ text }) => text),
          kinds: cells.every(({ kind }) => kind === 'text') ? null : cells.map(({ kind }) => kind),
        })),
      })),
    };
  } catch (error) {
    if (!(error instanceof SheetsUnreadable)) throw error;
    return { fault: error.fault, line: error.line };
  }
}

// Each file has a process of its own.
serveRequests(({ bytes, limits }: SheetOrder) =>
  answer(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), limits),
);
