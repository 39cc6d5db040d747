import { randomBytes } from 'node:crypto';
import { open, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { BlobStore } from '#storage/blobs.ts';
import { StoreFull } from '#storage/blobs.ts';

const MB = 1024 * 1024;
const RESERVE_FILE = 'reserve';
/** Of the disk, within these bounds: enough for ten thousands of deletions, and for the database's log. */
const RESERVE = { share: 1 / 16, least: MB, most: 16 * MB };
const LOOK_EVERY = 2000;
/** What was seen less than this many milliseconds ago still holds. */
const FRESH = 250;
/** With so much room nobody waits for the look. */
const PLENTY = 1024 * MB;
/** After a write failed although there seemed to be room, as under a quota, the reserve is not made again so soon. */
const REST = 30_000;

/**
 * Room on the disk. A file holds some of it back; when the disk is nearly full the file is given up, so that the
 * database can go on (deleting, signing in, changing a name), and no more files are taken in. It is made again, and
 * files are taken again, once there is twice as much room.
 */
export interface Room {
  /** Whether the reserve is given up. */
  readonly low: boolean;
  /** Looks again, unless it was seen just now. */
  glance(): Promise<void>;
  /** To be called when the database had no room, whatever the disk says of itself; what it needs to go on is free then. */
  ranOut(): Promise<void>;
  /** The store, taking in nothing while the disk is nearly full: what is under way then rejects with StoreFull. */
  guard(blobs: BlobStore): BlobStore;
  close(): Promise<void>;
}

async function holdBack(file: string, bytes: number): Promise<void> {
  const handle = await open(file, 'w', 0o600);
  try {
    // Not zeros, which some file systems do not store.
    for (let at = 0; at < bytes; at += MB) await handle.write(randomBytes(Math.min(MB, bytes - at)));
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

/** Before there is anybody who looks after it: gives up what a server before has held back. @returns whether there was any. */
export async function giveRoomUp(dataDir: string): Promise<boolean> {
  const file = join(dataDir, RESERVE_FILE);
  const held = await stat(file).catch(() => null);
  await rm(file, { force: true });
  return (held?.size ?? 0) > 0;
}

/** Bytes that are free for us, and bytes that the whole disk has. */
export type AskDisk = (folder: string) => Promise<{ free: number; size: number }>;

export const ofDisk: AskDisk = async (folder) => {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, size: blocks * bsize };
};

export function keepRoom(
  dataDir: string,
  log: Pick<Logger, 'error' | 'info'>,
  { ask = ofDisk, fresh = FRESH }: { ask?: AskDisk; fresh?: number } = {},
): Room {
  const file = join(dataDir, RESERVE_FILE);
  const incoming = new Set<Readable>();
  let reserve = RESERVE.most;
  let low = false;
  let free = 0;
  let lookedAt = -Infinity;
  let notBefore = -Infinity;
  let looking: Promise<void> | undefined;
  let freeing: Promise<void> | undefined;

  async function giveUp(): Promise<void> {
    if (low) return freeing;
    low = true;
    await (freeing = rm(file, { force: true }));
    log.error(
      { free_mb: Math.floor(free / MB) },
      'The disk is full. No more files are taken in until there is room; opening, downloading and deleting go on.',
    );
    for (const source of incoming) source.destroy(new StoreFull());
  }

  async function makeAgain(): Promise<void> {
    try {
      await holdBack(file, reserve);
    } catch {
      await rm(file, { force: true });
      notBefore = performance.now() + REST;
      return;
    }
    if (low) log.info('There is room on the disk again. Files are taken in as before.');
    low = false;
  }

  async function look(): Promise<void> {
    const disk = await ask(dataDir);
    lookedAt = performance.now();
    free = disk.free;
    reserve = Math.min(RESERVE.most, Math.max(RESERVE.least, Math.floor(disk.size * RESERVE.share)));
    if (!low && free < reserve / 2) await giveUp();
    else if (low && free >= 2 * reserve && lookedAt >= notBefore) await makeAgain();
  }

  /** Where the disk cannot be asked, there is room until a write fails. */
  const inTurn = (): Promise<void> =>
    (looking ??= look()
      .catch(() => {})
      .finally(() => (looking = undefined)));

  async function glance(): Promise<void> {
    if (performance.now() - lookedAt < fresh) return;
    const looked = inTurn();
    if (free < PLENTY) await looked;
  }

  /** As `look`, after a start: the reserve may never have been made, or have been given up before. */
  async function begin(): Promise<void> {
    await look();
    const held = await stat(file).catch(() => null);
    if (low || held?.size === reserve) return;
    if (free < 2 * reserve) await giveUp();
    else await makeAgain();
  }

  // Nobody waits for it: writing the reserve takes longer than the rest of a start.
  looking = begin()
    .catch(() => {})
    .finally(() => (looking = undefined));
  const timer = setInterval(() => void inTurn(), LOOK_EVERY).unref();

  return {
    get low() {
      return low;
    },
    glance,
    async ranOut() {
      // A look that has begun may have been before.
      await looking;
      await inTurn();
      if (!low) notBefore = performance.now() + REST;
      await giveUp();
    },
    guard: (blobs) => ({
      ...blobs,
      async put(source, running) {
        if (low) await inTurn();
        if (low) {
          source.destroy();
          throw new StoreFull();
        }
        incoming.add(source);
        try {
          return await blobs.put(source, running);
        } finally {
          incoming.delete(source);
        }
      },
    }),
    async close() {
      clearInterval(timer);
      await looking;
    },
  };
}
