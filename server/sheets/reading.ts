import { createSandbox } from '#server/sandbox/sandbox.ts';
import type { Sheet, SheetFault, SheetLimits } from './contract.ts';
import { SHEET_FAULTS, SheetsUnreadable } from './contract.ts';
import type { Answer, Packed, SheetOrder } from './reader.ts';

export interface ProcessLimits {
  /** For one file. */
  milliseconds: number;
  /** Resident, of the whole process. */
  memory: number;
}

const unpacked = ({ rows, ...sheet }: Packed): Sheet => ({
  ...sheet,
  rows: rows.map(({ number, texts, kinds }) => ({
    number,
    cells: texts.map((text, at) => ({ text, kind: kinds?.[at] ?? 'text' })),
  })),
});

const isFault = (text: string): text is SheetFault => SHEET_FAULTS.some((fault) => fault === text);

/** All of it. @throws {SheetsUnreadable} `too_large` for more than `most` bytes. */
async function within(input: Buffer | AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let seen = 0;
  for await (const piece of Buffer.isBuffer(input) ? [input] : input) {
    seen += piece.length;
    if (seen > most) throw new SheetsUnreadable('too_large');
    pieces.push(piece);
  }
  return Buffer.concat(pieces, seen);
}

/**
 * Reads a file in a process of its own, which is ended when it takes too much time or memory, or the signal aborts. It
 * has neither our environment, above all no key, nor the folder of the data.
 * @throws {SheetsUnreadable}; the signal's reason; what `input` throws.
 */
export async function readApart(
  input: Buffer | AsyncIterable<Buffer>,
  limits: SheetLimits,
  { milliseconds, memory }: ProcessLimits,
  signal: AbortSignal,
): Promise<Sheet[]> {
  const bytes = await within(input, limits.bytes);
  const sandbox = createSandbox<SheetOrder, Answer>(new URL('./reader.ts', import.meta.url), {
    milliseconds,
    bytes: memory,
    heapMb: 192,
    nice: 5,
  });
  try {
    const outcome = await sandbox.run({ bytes, limits }, 'this file', signal);
    if ('sheets' in outcome) return outcome.sheets.map(unpacked);
    // What it took too much of, or what ended it, is for the file the same.
    const fault = isFault(outcome.fault) ? outcome.fault : 'too_large';
    throw new SheetsUnreadable(fault, 'line' in outcome ? outcome.line : undefined);
  } finally {
    sandbox.stop();
  }
}
