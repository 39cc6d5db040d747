import { createSandbox } from '#server/sandbox/sandbox.ts';
import type { Sheet, SheetFault, SheetLimits } from './contract.ts';
import { SHEET_FAULTS, SheetsUnreadable } from './contract.ts';
import type { SheetResponse, PackedSheet, SheetRequest } from './process.ts';

export interface ProcessLimits {
  /** Time per file. */
  milliseconds: number;
  /** Resident memory of the process, in bytes. */
  memory: number;
}

const unpackSheet = ({ rows, ...sheet }: PackedSheet): Sheet => ({
  ...sheet,
  rows: rows.map(({ number, texts, kinds }) => ({
    number,
    cells: texts.map((text, index) => ({ text, kind: kinds?.[index] ?? 'text' })),
  })),
});

const isFault = (text: string): text is SheetFault => SHEET_FAULTS.some((fault) => fault === text);

/** Reads all bytes. @throws {SheetsUnreadable} `too_large` for more than `maxBytes`. */
async function readAll(input: Buffer | AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let total = 0;
  for await (const piece of Buffer.isBuffer(input) ? [input] : input) {
    total += piece.length;
    if (total > maxBytes) throw new SheetsUnreadable('too_large');
    pieces.push(piece);
  }
  return Buffer.concat(pieces, total);
}

/**
 * Reads a file in a sandboxed process of its own, which is killed when it exceeds its limits or the signal aborts.
 * @throws {SheetsUnreadable}; the signal's reason; what `input` throws.
 */
export async function readInSandbox(
  input: Buffer | AsyncIterable<Buffer>,
  limits: SheetLimits,
  { milliseconds, memory }: ProcessLimits,
  signal: AbortSignal,
): Promise<Sheet[]> {
  const bytes = await readAll(input, limits.bytes);
  const sandbox = createSandbox<SheetRequest, SheetResponse>(new URL('./process.ts', import.meta.url), {
    milliseconds,
    bytes: memory,
    heapMb: 192,
    nice: 5,
  });
  try {
    const outcome = await sandbox.run({ bytes, limits }, 'this file', signal);
    if ('sheets' in outcome) return outcome.sheets.map(unpackSheet);
    // Exceeding a limit and crashing are the same fault to the caller.
    const fault = isFault(outcome.fault) ? outcome.fault : 'too_large';
    throw new SheetsUnreadable(fault, 'line' in outcome ? outcome.line : undefined);
  } finally {
    sandbox.stop();
  }
}
