import type { FileHandle } from 'node:fs/promises';
import { rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { flushFolder } from '#storage/durable.ts';

/** Files that are flushed together. Up to twice as many are open at a time. */
const BATCH = 64;
/** Concurrent flushes: one of the four threads of Node’s pool stays free for reading. */
const AT_ONCE = 3;
/** Error codes of file systems that cannot flush a folder. */
const CANNOT_FLUSH = ['EINVAL', 'ENOTSUP', 'EPERM', 'EISDIR', 'EBADF'];

interface Unflushed {
  file: FileHandle;
  /** The temporary and the final path. */
  incoming: string;
  path: string;
}

async function flush(folder: string): Promise<void> {
  await flushFolder(folder).catch((error: NodeJS.ErrnoException) => {
    if (!CANNOT_FLUSH.includes(error.code ?? '')) throw error;
  });
}

/** Does the work for each element, a few at a time. */
async function forEach<T>(all: readonly T[], work: (element: T) => Promise<void>): Promise<void> {
  let next = 0;
  async function worker(): Promise<void> {
    while (next < all.length) {
      next += 1;
      await work(all[next - 1]!);
    }
  }
  const results = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

/**
 * Makes files durable in batches: each batch is flushed and then renamed, so that a final name never refers to bytes that a power failure
 * can lose. While one batch waits for the disk, the next one is read and written.
 * @param requireSamePlace called before files are renamed. Rejects if another file system is mounted at the place.
 */
export function createFlushing(requireSamePlace: () => Promise<void>) {
  const changed = new Set<string>();
  let waiting: Unflushed[] = [];
  let previous = Promise.resolve();
  let last = previous;

  /** After a batch has failed, no later one is renamed. */
  async function flushBatch(earlier: Promise<void>, batch: readonly Unflushed[]): Promise<void> {
    try {
      await earlier;
      await forEach(batch, ({ file }) => file.datasync());
    } finally {
      await Promise.all(batch.map(({ file }) => file.close()));
    }
    await requireSamePlace();
    for (const { incoming, path } of batch) {
      await rename(incoming, path);
      changed.add(dirname(path));
    }
  }

  function begin(): void {
    previous = last;
    last = flushBatch(previous, waiting);
    waiting = [];
    // The next `add` or `settle` rejects with the error.
    last.catch(() => {});
  }

  return {
    /** Marks a folder as changed, to be flushed by `settle`. */
    changed: (folder: string): void => void changed.add(folder),
    /** Adds a file. Resolves once another may be added; rejects with the error of an earlier batch. */
    add(file: Unflushed): Promise<void> {
      waiting.push(file);
      if (waiting.length >= BATCH) begin();
      return previous;
    },
    /** Resolves once all files are renamed and durable. After a rejection nothing more can be written. */
    async settle(): Promise<void> {
      begin();
      await last;
      await requireSamePlace();
      const folders = [...changed];
      changed.clear();
      await forEach(folders, flush);
    },
  };
}
