import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { open, stat } from 'node:fs/promises';
import type { FileStat } from '#desktop/queue/files.ts';
import type { Pace } from './pace.ts';

const BUFFER_BYTES = 1024 * 1024;

/** The file has changed since it was queued. */
export class FileChanged extends Error {
  readonly now: Omit<FileStat, 'path'>;
  constructor(now: Omit<FileStat, 'path'>) {
    super('The file has changed.');
    this.now = now;
  }
}

/** @throws {FileChanged} when size or time differ; the system's error when the file is missing. */
export async function requireUnchanged({ path, size, changed_at }: FileStat): Promise<void> {
  const now = await stat(path);
  if (now.size !== size || now.mtimeMs !== changed_at)
    throw new FileChanged({ size: now.size, changed_at: now.mtimeMs });
}

/** The SHA-256 of a file. @throws {FileChanged} */
export async function hashOf(file: FileStat, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const handle = await open(file.path);
  try {
    const buffer = Buffer.allocUnsafe(Math.min(BUFFER_BYTES, file.size + 1));
    for (let position = 0; ;) {
      signal.throwIfAborted();
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
      if (bytesRead === 0) break;
      hash.update(buffer.subarray(0, bytesRead));
      position += bytesRead;
    }
  } finally {
    await handle.close();
  }
  await requireUnchanged(file);
  return hash.digest('hex');
}

/**
 * The bytes of a file from `start` to `end`. The last byte is only sent when the file has not changed, so that
 * no mixture of two contents is ever completed.
 * @throws {FileChanged}
 */
export async function* bytesOf(
  handle: FileHandle,
  file: FileStat,
  { start, end, pace, signal }: { start: number; end: number; pace: Pace; signal: AbortSignal },
): AsyncGenerator<Buffer> {
  for (let position = start; position < end;) {
    const length = Math.min(pace.pieceSize(), end - position);
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, position);
    if (bytesRead === 0) {
      await requireUnchanged(file);
      throw new FileChanged({ size: position, changed_at: file.changed_at });
    }
    if (position + bytesRead === file.size) await requireUnchanged(file);
    await pace.throttle(bytesRead, signal);
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}
