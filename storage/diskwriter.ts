import type { FileHandle } from 'node:fs/promises';
import { open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StoreFull } from './blobs.ts';
import type { ByteWriter } from './bytes.ts';
import { flushFolder } from './durable.ts';

/** Fewer, larger writes: below this, bytes wait for more to come. */
const WRITE_BYTES = 1024 * 1024;
/** Held in memory at most, beyond what one write takes; then the source has to wait. */
const QUEUE_BYTES = 4 * 1024 * 1024;
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

async function writeWhole(file: FileHandle, buffers: Buffer[], position: number): Promise<void> {
  let left = buffers;
  let at = position;
  for (;;) {
    const { bytesWritten } = await file.writev(left, at);
    at += bytesWritten;
    let rest = bytesWritten;
    const done = left.findIndex((buffer) => (rest -= buffer.length) < 0);
    if (done < 0) return;
    left = [left[done]!.subarray(left[done]!.length + rest), ...left.slice(done + 1)];
  }
}

export interface DiskWriterPaths {
  temporary: string;
  final: string;
}

/** Writes to `temporary`, which becomes `final` at commit: temp, write, flush, rename, flush the folder. */
export function createDiskWriter({ temporary, final }: DiskWriterPaths, headBytes: number): ByteWriter {
  let opening: Promise<FileHandle> | undefined;
  let queue: Buffer[] = [];
  let queued = 0;
  let position = headBytes;
  let unflushed = 0;
  let writing: Promise<void> | undefined;
  let flushing: Promise<void> | undefined;
  let renamed = false;
  let failure: { error: unknown } | undefined;

  // Opened with the first write, so that a small object is opened, written, and flushed in one go.
  const file = (): Promise<FileHandle> => (opening ??= open(temporary, 'wx', 0o600));

  function flushBehind(handle: FileHandle): void {
    unflushed = 0;
    flushing = handle
      .datasync()
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => {
        flushing = undefined;
      });
  }

  async function drain(): Promise<void> {
    try {
      const handle = await file();
      while (queued >= WRITE_BYTES && !failure) {
        const buffers = queue;
        const length = queued;
        queue = [];
        queued = 0;
        await writeWhole(handle, buffers, position);
        position += length;
        unflushed += length;
        if (unflushed < FLUSH_BYTES) continue;
        // The disk has not finished the last flush: it is slower than the source.
        if (flushing) await flushing;
        flushBehind(handle);
      }
    } catch (error) {
      failure ??= { error };
    } finally {
      writing = undefined;
    }
  }

  const failIfBroken = (): void => {
    if (failure) throw readable(failure.error);
  };

  return {
    write(buffers) {
      failIfBroken();
      for (const buffer of buffers) queued += buffer.length;
      queue.push(...buffers);
      if (queued >= WRITE_BYTES) writing ??= drain();
      if (queued < QUEUE_BYTES) return undefined;
      return writing?.then(failIfBroken);
    },
    async commit(head) {
      if (head.length !== headBytes) throw new RangeError('the head has another length than announced');
      await writing;
      await flushing;
      failIfBroken();
      try {
        const handle = await file();
        if (position === headBytes) {
          await writeWhole(handle, [head, ...queue], 0);
        } else {
          if (queued > 0) await writeWhole(handle, queue, position);
          await writeWhole(handle, [head], 0);
        }
        queue = [];
        // Content and length are flushed; the times, which fsync would add, matter to nobody.
        await handle.datasync();
        await handle.close();
        opening = undefined;
        await rename(temporary, final);
        renamed = true;
        await flushFolder(dirname(final));
      } catch (error) {
        throw readable(error);
      }
    },
    async abort() {
      queue = [];
      queued = 0;
      await writing;
      await flushing;
      const handle = await opening?.catch(() => undefined);
      await handle?.close().catch(() => {});
      await unlink(renamed ? final : temporary).catch(() => {});
    },
  };
}
