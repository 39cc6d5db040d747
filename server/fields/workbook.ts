import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { CSV_START, csvLine } from '#server/http/csv.ts';
import type { ValueKind } from '#server/recognition/contract.ts';

/** Rupees and other numbers, days as spreadsheets count them, and texts. */
export type SheetCell = string | { number: number; amount: boolean } | { date: number } | null;

export interface SheetOrder {
  /** At most 31 characters, none of `[]:*?/\`. */
  name: string;
  headings: string[];
  /** In characters. */
  widths: number[];
  rows: SheetCell[][];
}

export const FORMS = ['xlsx', 'csv'] as const;
export type SheetForm = (typeof FORMS)[number];

const DAY = 86_400_000;
/** The day that spreadsheets count from, so that theirs and ours agree after February 1900. */
const DAY_ZERO = Date.UTC(1899, 11, 30);

/** A value in its normal form as a cell. */
export function cellOf(kind: ValueKind, value: string | null): SheetCell {
  if (value === null) return null;
  if (kind === 'amount' && Number.isSafeInteger(Number(value)))
    return { number: Number(value) / 100, amount: true };
  if (kind === 'number' && /^-?\d{1,15}(?:\.\d+)?$/.test(value))
    return { number: Number(value), amount: false };
  const day = kind === 'date' ? Date.parse(`${value}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(day) ? value : { date: (day - DAY_ZERO) / DAY };
}

/** A workbook of one sheet, made beside the answering of requests: thousands of rows take a second. */
async function xlsx(order: SheetOrder): Promise<Buffer> {
  const worker = new Worker(new URL('./workbook.worker.ts', import.meta.url), {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  try {
    const [made] = (await once(worker, 'message')) as [Uint8Array];
    return Buffer.from(made.buffer, made.byteOffset, made.byteLength);
  } finally {
    await worker.terminate();
  }
}

/** A negative amount begins like a formula, and is none: numbers are written as numbers. */
const plain = (cell: SheetCell): string | number | null => {
  if (cell === null || typeof cell === 'string') return cell;
  return 'date' in cell ? new Date(DAY_ZERO + cell.date * DAY).toISOString().slice(0, 10) : cell.number;
};

function csv({ headings, rows }: SheetOrder): Buffer {
  return Buffer.from(CSV_START + csvLine(headings) + rows.map((cells) => csvLine(cells.map(plain))).join(''));
}

export const TYPES: Record<SheetForm, string> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
};

export const sheetBytes = (order: SheetOrder, form: SheetForm): Promise<Buffer> =>
  form === 'xlsx' ? xlsx(order) : Promise.resolve(csv(order));
