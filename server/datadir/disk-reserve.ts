import { randomBytes } from 'node:crypto';
import { open, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { BlobStore } from '#storage/blobs.ts';
import { StoreFull } from '#storage/blobs.ts';

const MB = 1024 * 1024;
const RESERVE_FILE = 'reserve';
/** A share of the disk within bounds: enough for tens of thousands of deletions, and for the database's log. */
const RESERVE = { share: 1 / 16, minBytes: MB, maxBytes: 16 * MB };
const CHECK_EVERY_MS = 2000;
/** For how long a measurement of the free space is used again. */
const FRESH_MS = 250;
/** With so much free space, writers do not wait for a new measurement. */
const PLENTY_BYTES = 1024 * MB;
/** The pause before the reserve is restored after a write failed although space seemed to be free, such as under a quota. */
const RESTORE_AFTER_MS = 30_000;

/**
 * A reserve of disk space, held by a file. When the disk is nearly full the file is deleted, so that the database can still be written
 * (deleting, signing in, renaming), and new files are refused. Once twice the reserve is free, the file is written again and new files
 * are accepted.
 */
export interface DiskReserve {
  /** Whether the reserve is released, and new files are refused. */
  readonly low: boolean;
  /** Measures the free space, unless that was done just now. */
  refresh(): Promise<void>;
  /** Writes to the disk without taking space. @throws when it cannot be written, as one that is read-only since a fault. */
  touch(): Promise<void>;
  /** Releases the reserve after the database could not be written, whatever the measurement says. */
  freeForDatabase(): Promise<void>;
  /** Wraps the store so that it refuses new files while the disk is nearly full; uploads under way are rejected with StoreFull. */
  guard(blobs: BlobStore): BlobStore;
  close(): Promise<void>;
}

/** What says nothing about whether a disk can be written: the reserve is released, or a full disk is about to be noticed. */
const FULL = new Set(['ENOENT', 'ENOSPC', 'EDQUOT']);

async function touchReserve(file: string): Promise<void> {
  try {
    const handle = await open(file, 'r+');
    await handle.write(randomBytes(1), 0, 1, 0).finally(() => handle.close());
  } catch (error) {
    if (!FULL.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

async function writeReserve(file: string, bytes: number): Promise<void> {
  const handle = await open(file, 'w', 0o600);
  try {
    // Random bytes, since some file systems do not store zeros.
    for (let start = 0; start < bytes; start += MB)
      await handle.write(randomBytes(Math.min(MB, bytes - start)));
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

/** Deletes the reserve that an earlier server left. @returns whether that freed any space. */
export async function releaseReserve(dataDir: string): Promise<boolean> {
  const file = join(dataDir, RESERVE_FILE);
  const left = await stat(file).catch(() => null);
  await rm(file, { force: true });
  return (left?.size ?? 0) > 0;
}

/** Measures a disk, in bytes: the free space for this user, and all that is not reserved for root, as `df` computes its share. */
export type MeasureDisk = (folder: string) => Promise<{ free: number; size: number }>;

export const measureDisk: MeasureDisk = async (folder) => {
  const { bavail, bfree, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, size: (blocks - bfree + bavail) * bsize };
};

export function createDiskReserve(
  dataDir: string,
  log: Pick<Logger, 'error' | 'info'>,
  { measure = measureDisk, freshMs = FRESH_MS }: { measure?: MeasureDisk; freshMs?: number } = {},
): DiskReserve {
  const file = join(dataDir, RESERVE_FILE);
  const incoming = new Set<Readable>();
  let reserve = RESERVE.maxBytes;
  let low = false;
  let free = 0;
  let checkedAt = -Infinity;
  let restoreNotBefore = -Infinity;
  let checking: Promise<void> | undefined;
  let freeing: Promise<void> | undefined;

  async function release(): Promise<void> {
    if (low) return freeing;
    low = true;
    await (freeing = rm(file, { force: true }));
    log.error(
      { free_mb: Math.floor(free / MB) },
      'The disk is full. No more files are taken in until there is room; opening, downloading and deleting go on.',
    );
    for (const source of incoming) source.destroy(new StoreFull());
  }

  async function restore(): Promise<void> {
    try {
      await writeReserve(file, reserve);
    } catch {
      await rm(file, { force: true });
      restoreNotBefore = performance.now() + RESTORE_AFTER_MS;
      return;
    }
    if (low) log.info('There is room on the disk again. Files are taken in as before.');
    low = false;
  }

  async function check(): Promise<void> {
    const disk = await measure(dataDir);
    checkedAt = performance.now();
    free = disk.free;
    reserve = Math.min(RESERVE.maxBytes, Math.max(RESERVE.minBytes, Math.floor(disk.size * RESERVE.share)));
    if (!low && free < reserve / 2) await release();
    else if (low && free >= 2 * reserve && checkedAt >= restoreNotBefore) await restore();
  }

  /** One check at a time. If the disk cannot be measured, space counts as free until a write fails. */
  const checkOnce = (): Promise<void> =>
    (checking ??= check()
      .catch(() => {})
      .finally(() => (checking = undefined)));

  async function refresh(): Promise<void> {
    if (performance.now() - checkedAt < freshMs) return;
    const checked = checkOnce();
    if (free < PLENTY_BYTES) await checked;
  }

  /** The first check: the reserve may not exist yet, or may have been released by an earlier server. */
  async function initialize(): Promise<void> {
    await check();
    const existing = await stat(file).catch(() => null);
    if (low || existing?.size === reserve) return;
    if (free < 2 * reserve) await release();
    else await restore();
  }

  // Not awaited: writing the reserve takes longer than the rest of a start.
  checking = initialize()
    .catch(() => {})
    .finally(() => (checking = undefined));
  const timer = setInterval(() => void checkOnce(), CHECK_EVERY_MS).unref();

  return {
    get low() {
      return low;
    },
    refresh,
    touch: () => touchReserve(file),
    async freeForDatabase() {
      // A check that has begun may have measured before the write failed.
      await checking;
      await checkOnce();
      if (!low) restoreNotBefore = performance.now() + RESTORE_AFTER_MS;
      await release();
    },
    guard: (blobs) => ({
      ...blobs,
      async put(source, options) {
        if (low) await checkOnce();
        if (low) {
          source.destroy();
          throw new StoreFull();
        }
        incoming.add(source);
        try {
          return await blobs.put(source, options);
        } finally {
          incoming.delete(source);
        }
      },
    }),
    async close() {
      clearInterval(timer);
      await checking;
    },
  };
}
