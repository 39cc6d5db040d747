import type { FileHandle } from 'node:fs/promises';
import { rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { flushFolder } from '#storage/durable.ts';

/** Files that are flushed together. Up to twice as many are open at a time. */
const BATCH = 64;
/** Concurrent flushes: one of the four threads of Node’s pool stays free for reading. */
const AT_ONCE = 3;
/** Error codes of file systems that cannot flush a folder. */
const CANNOT = ['EINVAL', 'ENOTSUP', 'EPERM', 'EISDIR', 'EBADF'];

export interface Unflushed {
  file: FileHandle;
  /** The temporary and the final path. */
  incoming: string;
  path: string;
}

async function flush(folder: string): Promise<void> {
  await flushFolder(folder).catch((error: NodeJS.ErrnoException) => {
    if (!CANNOT.includes(error.code ?? '')) throw error;
  });
}

async function each<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  let next = 0;
  async function some(): Promise<void> {
    while (next < all.length) {
      next += 1;
      await work(all[next - 1]!);
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, some));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}

/**
 * Makes files durable in batches: each batch is flushed and then renamed, so that a final name never refers to bytes that a power failure
 * can lose. While one batch waits for the disk, the next one is read and written.
 * @param demandHere called before files are renamed. Rejects if another file system is mounted at the place.
 */
export function createFlushing(demandHere: () => Promise<void>) {
  const changed = new Set<string>();
  let waiting: Unflushed[] = [];
  let before = Promise.resolve();
  let last = before;

  /** After a batch has failed, no later one is renamed. */
  async function name(earlier: Promise<void>, batch: readonly Unflushed[]): Promise<void> {
    try {
      await earlier;
      await each(batch, ({ file }) => file.datasync());
    } finally {
      await Promise.all(batch.map(({ file }) => file.close()));
    }
    await demandHere();
    for (const { incoming, path } of batch) {
      await rename(incoming, path);
      changed.add(dirname(path));
    }
  }

  function begin(): void {
    before = last;
    last = name(before, waiting);
    waiting = [];
    // The next `add` or `settle` rejects with the error.
    last.catch(() => {});
  }

  return {
    /** Marks a folder as changed, to be flushed by `settle`. */
    changed: (folder: string): void => void changed.add(folder),
    /** Adds a file. Resolves once another may be added; rejects with the error of an earlier batch. */
    add(one: Unflushed): Promise<void> {
      waiting.push(one);
      if (waiting.length >= BATCH) begin();
      return before;
    },
    /** Resolves once all files are renamed and durable. After a rejection nothing more can be written. */
    async settle(): Promise<void> {
      begin();
      await last;
      await demandHere();
      const folders = [...changed];
      changed.clear();
      await each(folders, flush);
    },
  };
}
