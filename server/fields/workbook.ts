import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { CSV_START, csvLine } from '#server/text/csv.ts';
import type { ValueKind } from '#server/recognition/contract.ts';

/** Amounts in rupees, other numbers, dates as spreadsheet serial numbers, and texts. */
export type SheetCell = string | { number: number; amount: boolean } | { date: number } | null;

export interface SheetContent {
  /** At most 31 characters, none of `[]:*?/\`. */
  name: string;
  headings: string[];
  /** In characters. */
  widths: number[];
  rows: SheetCell[][];
}

const FORMS = ['xlsx', 'csv'] as const;
export type SheetForm = (typeof FORMS)[number];

const DAY_MS = 86_400_000;
/** Day 0 of spreadsheet serial numbers; right from March 1900 on. */
const DAY_ZERO = Date.UTC(1899, 11, 30);

/** A value in its normal form as a cell. */
export function cellOf(kind: ValueKind, value: string | null): SheetCell {
  if (value === null) return null;
  if (kind === 'amount' && Number.isSafeInteger(Number(value)))
    return { number: Number(value) / 100, amount: true };
  if (kind === 'number' && /^-?\d{1,15}(?:\.\d+)?$/.test(value))
    return { number: Number(value), amount: false };
  const day = kind === 'date' ? Date.parse(`${value}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(day) ? value : { date: (day - DAY_ZERO) / DAY_MS };
}

/** Builds a workbook in a worker thread: thousands of rows take a second. */
async function xlsx(content: SheetContent): Promise<Buffer> {
  const worker = new Worker(new URL('./workbook.worker.ts', import.meta.url), {
    workerData: content,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  try {
    const [bytes] = (await once(worker, 'message')) as [Uint8Array];
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  } finally {
    await worker.terminate();
  }
}

/** A negative amount is written as a number, although it begins like a formula. */
const csvCell = (cell: SheetCell): string | number | null => {
  if (cell === null || typeof cell === 'string') return cell;
  return 'date' in cell ? new Date(DAY_ZERO + cell.date * DAY_MS).toISOString().slice(0, 10) : cell.number;
};

function csv({ headings, rows }: SheetContent): Buffer {
  return Buffer.from(
    CSV_START + csvLine(headings) + rows.map((cells) => csvLine(cells.map(csvCell))).join(''),
  );
}

export const CONTENT_TYPES: Record<SheetForm, string> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
};

export const sheetBytes = (content: SheetContent, form: SheetForm): Promise<Buffer> =>
  form === 'xlsx' ? xlsx(content) : Promise.resolve(csv(content));
