import { Worker } from 'node:worker_threads';
import { invalid } from '#server/http/errors.ts';
import type { Job, Read } from './table.worker.ts';

/** Rows of one import, beside the header. */
export const ROWS_MAX = 5000;
const PATIENCE_MS = 20_000;

const bad = (message: string) => invalid({ file: [message] }, 'unreadable_table');

/**
 * The cells of a CSV or XLSX file as texts, the header first and empty rows left out. Read in a thread of its own,
 * with limits of time and memory, so that nobody waits for somebody's strange file.
 * @throws {AppError} 422 on `file`, `unreadable_table`.
 */
export async function readTable(bytes: Buffer): Promise<string[][]> {
  const job: Job = { bytes, rows: ROWS_MAX + 2 };
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
  if (read.rows.length === 0) throw bad('This file is empty.');
  if (read.rows.length === 1) throw bad('This file has a heading and nothing below it.');
  if (read.rows.length > ROWS_MAX + 1)
    throw bad(
      `This file has more than ${ROWS_MAX.toLocaleString('en-IN')} rows. Split it and import the parts one by one.`,
    );
  return read.rows;
}
