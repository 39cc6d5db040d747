import type { FileHandle } from 'node:fs/promises';
import { rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { flushFolder } from '#storage/durable.ts';

/** Files that are flushed together; twice as many are held open at most. */
const BATCH = 64;
/** Flushes that wait for the disk at once: one of Node’s four threads stays for reading. */
const AT_ONCE = 3;
/** Not every file system can flush a folder. */
const CANNOT = ['EINVAL', 'ENOTSUP', 'EPERM', 'EISDIR', 'EBADF'];

export interface Unflushed {
  file: FileHandle;
  /** Where it is, and where it belongs. */
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
 * Files that were written beside their place. A batch at a time they are flushed and then renamed, so that a name never stands for
 * bytes that a power cut can take; while one batch waits for the disk, the next one is read and written.
 * @param demandHere asked before names are given. Rejects when the place is another.
 */
export function createFlushing(demandHere: () => Promise<void>) {
  const changed = new Set<string>();
  let waiting: Unflushed[] = [];
  let before = Promise.resolve();
  let last = before;

  /** Once a batch has failed, none after it gets its names. */
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
    // Who adds or settles next is told.
    last.catch(() => {});
  }

  return {
    /** In which something was made. */
    changed: (folder: string): void => void changed.add(folder),
    /** Resolves once there is room for another. Rejects with what an earlier batch failed of. */
    add(one: Unflushed): Promise<void> {
      waiting.push(one);
      if (waiting.length >= BATCH) begin();
      return before;
    },
    /** Resolves once all have their names, and survive a power cut. After a rejection nothing more can be written. */
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
