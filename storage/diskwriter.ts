import { close as closeFile, closeSync, fdatasync, open as openFile, writev as writeFile } from 'node:fs';
import { rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { StoreFull } from './blobs.ts';
import type { ByteWriter } from './bytes.ts';
import { isDiskFull } from './disk-full.ts';
import { flushChangedFolder } from './durable.ts';

// File descriptors, not handles: what is flushed is closed at once, without waking a thread.
const open = promisify(openFile);
const writev = promisify(writeFile);
const datasync = promisify(fdatasync);
const close = promisify(closeFile);

/**
 * Linux starts to write dirty pages late, and a flush at the end would wait for all of them. Periodic flushes keep disk and
 * processor busy at the same time and limit the dirty pages.
 */
const FLUSH_BYTES = 8 * 1024 * 1024;

export const readable = (error: unknown): unknown =>
  isDiskFull(error) ? new StoreFull({ cause: error }) : error;

/** Writes all bytes, since a single call may write fewer, and returns their number. */
async function writeWhole(file: number, buffers: Buffer[], position: number): Promise<number> {
  let left = buffers.filter((buffer) => buffer.length > 0);
  let offset = position;
  while (left.length > 0) {
    let { bytesWritten } = await writev(file, left, offset);
    offset += bytesWritten;
    while (left[0] && left[0].length <= bytesWritten) bytesWritten -= left.shift()!.length;
    if (left[0]) left = [left[0].subarray(bytesWritten), ...left.slice(1)];
  }
  return offset - position;
}

interface DiskWriterOptions {
  temporary: string;
  final: string;
  /** Whether to flush the file before the rename, and not only before `commit` resolves. */
  flushFirst: boolean;
}

/** Writes to `temporary`, which is renamed to `final` at commit; then the file and its folder are flushed. */
export function createDiskWriter(
  { temporary, final, flushFirst }: DiskWriterOptions,
  headBytes: number,
): ByteWriter {
  let opening: Promise<number> | undefined;
  let last: Promise<void> = Promise.resolve();
  let flushing: Promise<void> | undefined;
  let position = headBytes;
  let unflushed = 0;
  let renamed = false;
  /** Its descriptor soon belongs to another file. */
  let ended = false;

  // Opened with the first write, so that a small object is opened, written and flushed in sequence.
  const file = async (): Promise<number> => {
    if (ended) throw new Error('This object is written or given up already.');
    return (opening ??= open(temporary, 'wx', 0o600));
  };

  async function append(buffers: Buffer[]): Promise<void> {
    const descriptor = await file();
    const length = await writeWhole(descriptor, buffers, position);
    position += length;
    unflushed += length;
    if (unflushed < FLUSH_BYTES) return;
    unflushed = 0;
    // Waits for the previous flush: the disk is slower than the source.
    await flushing;
    flushing = datasync(descriptor);
    // A rejection reaches the next caller that awaits the flush.
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
        const descriptor = await file();
        if (position === headBytes) {
          await writeWhole(descriptor, [head, ...tail], 0);
        } else {
          await writeWhole(descriptor, tail, position);
          await writeWhole(descriptor, [head], 0);
        }
        // fdatasync: content and length are flushed, timestamps are not needed.
        if (flushFirst) await datasync(descriptor);
        await rename(temporary, final);
        renamed = true;
        // Concurrently: a journaling file system combines both flushes.
        flushing = datasync(descriptor);
        await Promise.all([flushing, flushChangedFolder(dirname(final))]);
        ended = true;
        opening = undefined;
        closeSync(descriptor);
      } catch (error) {
        throw readable(error);
      }
    },
    async abort() {
      ended = true;
      // Nothing may be closed while it is in use: its number would soon be that of another file.
      await last.catch(() => {});
      await flushing?.catch(() => {});
      const descriptor = await opening?.catch(() => undefined);
      opening = undefined;
      if (descriptor !== undefined) await close(descriptor).catch(() => {});
      await unlink(renamed ? final : temporary).catch(() => {});
    },
  };
}
