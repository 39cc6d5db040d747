import type { FileHandle } from 'node:fs/promises';
import { open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StoreFull } from './blobs.ts';
import type { ByteWriter } from './bytes.ts';
import { flushFolder } from './durable.ts';

/**
 * Linux starts to write dirty pages late, and the flush at the end would wait for all of them. Flushing
 * behind the writing keeps disk and processor busy together, and bounds what is dirty.
 */
const FLUSH_BYTES = 32 * 1024 * 1024;

/** Full disk, full quota and a limit on file sizes have one meaning for the reader: make room. */
export function readable(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG' ? new StoreFull({ cause: error }) : error;
}

/** Returns the number of bytes, all of them; a single call may write fewer than it was given. */
async function writeWhole(file: FileHandle, buffers: Buffer[], position: number): Promise<number> {
  let left = buffers.filter((buffer) => buffer.length > 0);
  let at = position;
  while (left.length > 0) {
    let { bytesWritten } = await file.writev(left, at);
    at += bytesWritten;
    while (left[0] && left[0].length <= bytesWritten) bytesWritten -= left.shift()!.length;
    if (left[0]) left = [left[0].subarray(bytesWritten), ...left.slice(1)];
  }
  return at - position;
}

export interface DiskWriterOptions {
  temporary: string;
  final: string;
  /** Flushes the file before it gets its name, and not only before it is said to be stored. */
  flushFirst: boolean;
}

/** Writes to `temporary`, which becomes `final` at commit: write, rename, flush the file and its folder. */
export function createDiskWriter(
  { temporary, final, flushFirst }: DiskWriterOptions,
  headBytes: number,
): ByteWriter {
  let opening: Promise<FileHandle> | undefined;
  let last: Promise<void> = Promise.resolve();
  let flushing: Promise<void> | undefined;
  let position = headBytes;
  let unflushed = 0;
  let renamed = false;

  // Opened with the first write, so that a small object is opened, written, and flushed in one go.
  const file = (): Promise<FileHandle> => (opening ??= open(temporary, 'wx', 0o600));

  async function append(buffers: Buffer[]): Promise<void> {
    const handle = await file();
    const length = await writeWhole(handle, buffers, position);
    position += length;
    unflushed += length;
    if (unflushed < FLUSH_BYTES) return;
    unflushed = 0;
    // A flush that has not ended by now: the disk is slower than the source.
    await flushing;
    flushing = handle.datasync();
    // Seen by the next one who awaits it.
    flushing.catch(() => {});
  }

  return {
    async write(buffers) {
      const turn = last.then(() => append(buffers));
      last = turn;
      await turn.catch((error: unknown) => {
        throw readable(error);
      });
    },
    async commit(head, tail) {
      if (head.length !== headBytes) throw new RangeError('the head has another length than announced');
      try {
        await last;
        await flushing;
        const handle = await file();
        if (position === headBytes) {
          await writeWhole(handle, [head, ...tail], 0);
        } else {
          await writeWhole(handle, tail, position);
          await writeWhole(handle, [head], 0);
        }
        // Content and length are flushed; the times, which fsync would add, matter to nobody.
        if (flushFirst) await handle.datasync();
        await rename(temporary, final);
        renamed = true;
        // Side by side: a journaling file system does both in one go.
        await Promise.all([handle.datasync(), flushFolder(dirname(final))]);
        opening = undefined;
        await handle.close();
      } catch (error) {
        throw readable(error);
      }
    },
    async abort() {
      await last.catch(() => {});
      await flushing?.catch(() => {});
      const handle = await opening?.catch(() => undefined);
      await handle?.close().catch(() => {});
      await unlink(renamed ? final : temporary).catch(() => {});
    },
  };
}
