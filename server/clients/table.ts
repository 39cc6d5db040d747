import { Worker } from 'node:worker_threads';
import { invalid } from '#server/http/errors.ts';
import { headingsIn } from './columns.ts';
import type { Job, Read, Sheet } from './table.worker.ts';

/** Rows of one import, beside the header. */
const ROWS_MAX = 5000;
/** Rows of one sheet that are looked at: lists have gaps. */
const LOOKED_AT = 4 * ROWS_MAX;
const PATIENCE_MS = 20_000;

export interface Table {
  /** The name of the sheet; '' in a file that has only one. */
  sheet: string;
  /** Names of the sheets that have something in them. */
  sheets: string[];
  /** Without the empty ones; `line` is the number that a spreadsheet gives the row. */
  rows: { line: number; cells: string[] }[];
}

const bad = (message: string) => invalid({ file: [message] }, 'unreadable_table');

async function sheetsOf(bytes: Buffer): Promise<Sheet[]> {
  const job: Job = { bytes, rows: LOOKED_AT };
  const worker = new Worker(new URL('./table.worker.ts', import.meta.url), {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  const read = await new Promise<Read>((resolve) => {
    const tooHard = {
      fault: 'This file could not be read. Save the list as "CSV UTF-8" in Excel and choose that.',
    };
    const timer = setTimeout(() => resolve(tooHard), PATIENCE_MS);
    const end = (answer: Read) => {
      clearTimeout(timer);
      resolve(answer);
    };
    worker.once('message', end);
    worker.once('error', () => end(tooHard));
    worker.once('exit', () => end(tooHard));
  });
  await worker.terminate();
  if ('fault' in read) throw bad(read.fault);
  return read.sheets;
}

/**
 * The cells of a CSV or XLSX file as texts. Read in a thread of its own, with limits of time and memory, so that nobody
 * waits for somebody's strange file.
 * @param wanted the sheet to read; without one, that with the most known headings.
 * @throws {AppError} 422 on `file`, `unreadable_table`.
 */
export async function readTable(bytes: Buffer, wanted?: string): Promise<Table> {
  const sheets = (await sheetsOf(bytes))
    .map(({ name, rows }) => ({
      name,
      long: rows.length >= LOOKED_AT,
      rows: rows
        .map((cells, at) => ({ line: at + 1, cells }))
        .filter(({ cells }) => cells.some((text) => text !== '')),
    }))
    .filter(({ rows }) => rows.length > 0);
  const known = (rows: Table['rows']) => Math.max(...rows.slice(0, 20).map(({ cells }) => headingsIn(cells)));
  const [best] = sheets.toSorted((a, b) => known(b.rows) - known(a.rows));
  if (!best) throw bad('This file is empty.');
  const { name, rows, long } = sheets.find((one) => one.name === wanted) ?? best;
  if (rows.length === 1) throw bad('This file has a heading and nothing below it.');
  if (long || rows.length > ROWS_MAX + 1)
    throw bad(
      `This file has more than ${ROWS_MAX.toLocaleString('en-IN')} rows. Split it and import the parts one by one.`,
    );
  return { sheet: name, sheets: sheets.map((one) => one.name), rows };
}
