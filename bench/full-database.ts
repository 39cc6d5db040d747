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

/** A filled firm: who asks, and where the ids of its clients and items begin. */
export interface FilledFirm {
  actor: Actor;
  base: number;
  size: FirmSize;
}

export interface FullDatabase {
  db: Knex;
  services: Services;
  /** In the order of the sizes asked for. */
  firms: FilledFirm[];
  close(): Promise<void>;
}

/**
 * A database with a firm of each size. BENCH_KEEP names a folder in which it stays, to be measured again without
 * filling it again; otherwise it goes when it is closed.
 */
export async function fullDatabase(sizes: readonly FirmSize[]): Promise<FullDatabase> {
  const kept = process.env.BENCH_KEEP;
  const folder = kept ?? (await scratchFolder());
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
  // Opened anew: filling it left more in memory than a server keeps there.
  const { db, services, close } = await openServices(folder);
  return {
    db,
    services,
    firms,
    async close() {
      await close();
      if (!kept) await rm(folder, { recursive: true });
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
  // Sealed as a vault's is, so that its cost is in every figure.
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
  // Nothing is lost with it, so it may be written in the fastest way.
  for (const setting of [
    'synchronous = OFF',
    'foreign_keys = OFF',
    'cache_size = -400000',
    'temp_store = FILE',
  ])
    await db.raw(`PRAGMA ${setting}`);
  const build = createBuild({ services, blobs, db });
  const firms: FilledFirm[] = [];
  for (const [place, size] of sizes.entries()) {
    const actor = await build.actor();
    const firm = { actor, base: 10_000_000 * (place + 1), size };
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
