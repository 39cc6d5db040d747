import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { open, stat } from 'node:fs/promises';
import type { Look } from '#desktop/queue/files.ts';
import type { Pace } from './pace.ts';

const BUFFER = 1024 * 1024;

/** The file is not any more what was to be sent. */
export class Changed extends Error {
  readonly now: Omit<Look, 'path'>;
  constructor(now: Omit<Look, 'path'>) {
    super('The file has changed.');
    this.now = now;
  }
}

/** @throws {Changed} when the file does not look as it did; what the system says when it is gone. */
export async function demandSame({ path, size, changed_at }: Look): Promise<void> {
  const now = await stat(path);
  if (now.size !== size || now.mtimeMs !== changed_at)
    throw new Changed({ size: now.size, changed_at: now.mtimeMs });
}

/** The SHA-256 of a whole file. @throws {Changed} */
export async function hashOf(file: Look, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const handle = await open(file.path);
  try {
    const buffer = Buffer.allocUnsafe(Math.min(BUFFER, file.size + 1));
    for (let at = 0; ;) {
      signal.throwIfAborted();
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
      if (bytesRead === 0) break;
      hash.update(buffer.subarray(0, bytesRead));
      at += bytesRead;
    }
  } finally {
    await handle.close();
  }
  await demandSame(file);
  return hash.digest('hex');
}

/**
 * Bytes of a file from `start` to `end`. The last byte of all goes only when the file still looks as it did, so no mixture of
 * two contents ever becomes complete. @throws {Changed}
 */
export async function* bytesOf(
  handle: FileHandle,
  file: Look,
  { start, end, pace, signal }: { start: number; end: number; pace: Pace; signal: AbortSignal },
): AsyncGenerator<Buffer> {
  for (let at = start; at < end;) {
    const length = Math.min(pace.piece(), end - at);
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, at);
    if (bytesRead === 0) {
      await demandSame(file);
      throw new Changed({ size: at, changed_at: file.changed_at });
    }
    if (at + bytesRead === file.size) await demandSame(file);
    await pace.pass(bytesRead, signal);
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}
