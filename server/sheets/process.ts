import { serveRequests } from '#server/sandbox/serve-requests.ts';
import type { CellKind, Sheet, SheetFault, SheetLimits } from './contract.ts';
import { SheetsUnreadable } from './contract.ts';

/** Sheets in transit between processes: a million small objects would cost more than their texts. */
export interface PackedSheet extends Omit<Sheet, 'rows'> {
  rows: { number: number; texts: string[]; kinds: CellKind[] | null }[];
}

/** The request to the process. */
export interface SheetRequest {
  bytes: Uint8Array;
  limits: SheetLimits;
}

/** The response of the process. */
export type SheetResponse = { sheets: PackedSheet[] } | { fault: SheetFault; line: number | undefined };

const starts = (bytes: Buffer, ...magic: number[]) => magic.every((byte, index) => bytes[index] === byte);

async function sheetsOf(bytes: Buffer, limits: SheetLimits) {
  if (starts(bytes, 0xd0, 0xcf, 0x11, 0xe0)) throw new SheetsUnreadable('old_format');
  // Load only what this file needs: for a small file loading takes most of the time.
  if (!starts(bytes, 0x50, 0x4b)) {
    const { readCsv } = await import('./csv.ts');
    return [readCsv(bytes, limits)];
  }
  const { readWorkbook } = await import('./workbook.ts');
  try {
    return await readWorkbook(bytes, limits);
  } catch (error) {
    // Documents and other programs' tables are ZIP files as well.
    const stranger = error instanceof SheetsUnreadable && !bytes.includes('xl/workbook.xml');
    throw stranger ? new SheetsUnreadable('not_a_table') : error;
  }
}

async function readSheets(bytes: Buffer, limits: SheetLimits): Promise<SheetResponse> {
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

// Runs in the sandbox: each file has a process of its own.
serveRequests(({ bytes, limits }: SheetRequest) =>
  readSheets(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), limits),
);
