import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { DATABASE_FILE } from '../knexfile.ts';
import type { Actor } from '#server/actor.ts';
import { openDatabase } from '../server/datadir/database.ts';
import type { Services } from '../server/services.ts';
import { compose } from '../server/services.ts';
import { createBuild } from '../server/testing/build.ts';
import { memoryBlobs } from '../server/testing/world.ts';
import type { FirmSize } from './firms.ts';
import { fillFirm, indexFirms } from './firms.ts';
import { scratchFolder } from './server.ts';

/** A filled firm: the user who makes the calls, and the first id of its clients and items. */
export interface FilledFirm {
  actor: Actor;
  base: number;
  size: FirmSize;
}

interface FullDatabase {
  db: Knex;
  services: Services;
  /** In the order of the requested sizes. */
  firms: FilledFirm[];
  close(): Promise<void>;
}

/**
 * A database with a firm of each size. BENCH_KEEP names a folder that keeps it for the next run; otherwise it is deleted
 * when it is closed.
 */
export async function fullDatabase(sizes: readonly FirmSize[]): Promise<FullDatabase> {
  const keptFolder = process.env.BENCH_KEEP;
  const folder = keptFolder ?? (await scratchFolder());
  await mkdir(folder, { recursive: true });
  const list = join(folder, 'firms.json');
  if (!(await isThere(list))) {
    if (await isThere(join(folder, DATABASE_FILE)))
      throw new Error(`${folder} was not filled to its end. Remove it.`);
    await writeFile(list, JSON.stringify(await fill(folder, sizes)));
  }
  const firms = JSON.parse(await readFile(list, 'utf8')) as FilledFirm[];
  if (JSON.stringify(firms.map(({ size }) => size)) !== JSON.stringify(sizes))
    throw new Error(`${folder} holds firms of other sizes. Remove it.`);
  // Opened again, since filling it leaves more in memory than a server has there.
  const { db, services, close } = await openServices(folder);
  return {
    db,
    services,
    firms,
    async close() {
      await close();
      if (!keptFolder) await rm(folder, { recursive: true });
    },
  };
}

const isThere = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );

/** The services on the database of a folder, with blobs in memory. */
export async function openServices(folder: string) {
  // Encrypted as in a vault, so that every figure includes that cost.
  const db = openDatabase(folder, { key: 'ab'.repeat(32) });
  await db.migrate.latest();
  const blobs = memoryBlobs();
  const log = pino({ level: 'silent' });
  const config = { abuseLimits: false };
  const services = compose({ db, blobs, log, clock: () => new Date(), secret: randomBytes(32), config });
  const close = async (): Promise<void> => {
    await services.stop();
    await db.destroy();
  };
  return { db, blobs, services, close };
}

async function fill(folder: string, sizes: readonly FirmSize[]): Promise<FilledFirm[]> {
  const { db, blobs, services, close } = await openServices(folder);
  // Fast and unsafe settings, since a lost database can be filled again.
  for (const setting of [
    'synchronous = OFF',
    'foreign_keys = OFF',
    'cache_size = -400000',
    'temp_store = FILE',
  ])
    await db.raw(`PRAGMA ${setting}`);
  const build = createBuild({ services, blobs, db });
  const firms: FilledFirm[] = [];
  for (const [index, size] of sizes.entries()) {
    const actor = await build.actor();
    const firm = { actor, base: 10_000_000 * (index + 1), size };
    await fillFirm(db, { firmId: actor.firmId, userId: actor.userId, base: firm.base, size });
    firms.push(firm);
  }
  await indexFirms(
    db,
    firms.map(({ actor }) => actor.firmId),
  );
  await close();
  return firms;
}
