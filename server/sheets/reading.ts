import { fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Sheet, SheetLimits } from './contract.ts';
import { SheetsUnreadable } from './contract.ts';
import type { Answer, Packed } from './reader.ts';

export interface ProcessLimits {
  /** For one file. */
  milliseconds: number;
  /** Resident, of the whole process. */
  memory: number;
}

const LOOK_MS = 50;
const PAGE_BYTES = 4096;
const root = join(import.meta.dirname, '../..');
/** All that the process may read: the program, and nothing that it keeps. */
const READABLE = ['package.json', 'server/sheets/*', 'server/archive/read/*', 'node_modules/*'];

async function isOver(pid: number, bytes: number): Promise<boolean> {
  const statm = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '');
  return Number(statm.split(' ')[1] ?? 0) * PAGE_BYTES > bytes;
}

const unpacked = ({ rows, ...sheet }: Packed): Sheet => ({
  ...sheet,
  rows: rows.map(({ number, texts, kinds }) => ({
    number,
    cells: texts.map((text, at) => ({ text, kind: kinds?.[at] ?? 'text' })),
  })),
});

/** At most `most` bytes. @throws {SheetsUnreadable} `too_large` for more. */
async function* within(pieces: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let seen = 0;
  for await (const piece of pieces) {
    seen += piece.length;
    if (seen > most) throw new SheetsUnreadable('too_large');
    yield piece;
  }
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
  signal.throwIfAborted();
  const child = fork(new URL('./reader.ts', import.meta.url), [JSON.stringify(limits)], {
    cwd: root,
    execArgv: [
      '--permission',
      ...READABLE.map((path) => `--allow-fs-read=${join(root, path)}`),
      '--max-old-space-size=192',
      '--no-warnings',
    ],
    env: {},
    serialization: 'advanced',
    stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
  });
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const tooLarge = () => reject(new SheetsUnreadable('too_large'));
  const abort = () => reject(signal.reason as Error);
  signal.addEventListener('abort', abort);
  const patience = setTimeout(tooLarge, milliseconds);
  const look = setInterval(() => {
    void isOver(child.pid ?? 0, memory).then((over) => over && tooLarge());
  }, LOOK_MS);
  child.once('message', (answer) => resolve(answer as Answer));
  child.once('error', reject);
  // Without an answer it ran out of memory.
  child.once('exit', tooLarge);
  try {
    if (child.pid !== undefined) setPriority(child.pid, 5);
  } catch {
    // Without it, it takes its share.
  }
  const pieces = Buffer.isBuffer(input) ? Readable.from([input], { objectMode: false }) : input;
  pipeline(within(pieces, limits.bytes), child.stdin!).catch((error: NodeJS.ErrnoException) => {
    // The process ended before it had read the whole file; its exit code tells why.
    if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') reject(error);
  });
  try {
    const answer = await promise;
    if ('fault' in answer) throw new SheetsUnreadable(answer.fault, answer.line);
    return answer.sheets.map(unpacked);
  } finally {
    clearTimeout(patience);
    clearInterval(look);
    signal.removeEventListener('abort', abort);
    child.kill('SIGKILL');
  }
}
