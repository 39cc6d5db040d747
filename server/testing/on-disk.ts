import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { pino } from 'pino';
import type { BlobStore } from '#storage/blobs.ts';
import { openDiskBytes } from '#storage/disk.ts';
import { deriveMasterKey } from '#storage/masterkey.ts';
import { createSealedBlobs } from '#storage/sealed.ts';
import { DATABASE_FILE } from '../../knexfile.ts';
import { openDatabase } from '../datadir/database.ts';
import { onPostgres } from '../db/dialect.ts';
import { compose } from '../services.ts';
import { cheapPasswords } from './passwords.ts';
import { createBuild } from './build.ts';
import { databaseOfFolder } from './postgres.ts';
import { migratedFile } from './template.ts';

/** The database of a data folder, which another process may open afterwards. */
export async function databaseIn(dataDir: string): Promise<Knex> {
  if (onPostgres) return databaseOfFolder(dataDir);
  const file = join(dataDir, DATABASE_FILE);
  // A copy of a migrated file: running all migrations takes a hundred times as long.
  if (!existsSync(file)) await copyFile(await migratedFile(), file);
  const db = openDatabase(dataDir);
  await db.migrate.latest();
  return db;
}

/** Services over a data folder on disk. */
export async function openOnDisk(dataDir: string, wrap: (blobs: BlobStore) => BlobStore = (blobs) => blobs) {
  const db = await databaseIn(dataDir);
  const key = createHash('sha256').update('a key of tests').digest();
  const bytes = await openDiskBytes({ root: join(dataDir, 'blobs') });
  const blobs = wrap(createSealedBlobs(bytes, deriveMasterKey(key)));
  const log = pino({ level: 'silent' });
  const clock = () => new Date();
  const services = compose({
    db,
    blobs,
    clock,
    log,
    secret: key,
    passwords: cheapPasswords,
    config: { abuseLimits: false },
  });
  return { db, blobs, services, build: createBuild({ services, blobs, db }) };
}
