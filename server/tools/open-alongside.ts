import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Knex } from 'knex';
import type { BlobStore } from '#storage/blobs.ts';
import { openBlobStore } from '#storage/store.ts';
import { DATABASE_FILE } from '../../knexfile.ts';
import type { Config } from '../config/config.ts';
import { isCurrent, openDatabase } from '../datadir/database.ts';
import { pageKeyOf } from '../db/page-encryption.ts';
import { Refused } from './refused.ts';

export interface Beside {
  db: Knex;
  blobs: BlobStore;
  secret: Buffer;
  close(): Promise<void>;
}

/** The data folder's database file. @throws {Refused} when there is none. */
export function databaseOf(dataDir: string): string {
  const file = join(dataDir, DATABASE_FILE);
  if (existsSync(file)) return file;
  throw new Refused(`${dataDir} holds no ${DATABASE_FILE}. Set DATA_DIR to the folder that the server uses.`);
}

const OTHER_VERSION =
  'This database is of another version of Almirah. Start the server of this version once, and try again.';

/**
 * Opens a data folder that a server may be using at the same time, and changes nothing by doing so.
 * @throws {Refused} when its database is of another version.
 */
export async function openAlongside({ dataDir, masterKey, masterKeyFile }: Config): Promise<Beside> {
  databaseOf(dataDir);
  const { blobs, secret } = await openBlobStore({
    dataDir,
    masterKey: masterKey ?? undefined,
    masterKeyFile: masterKeyFile ?? undefined,
    clean: false,
  });
  const db = openDatabase(dataDir, { key: pageKeyOf(secret) });
  if (!(await isCurrent(db))) {
    await db.destroy();
    throw new Refused(OTHER_VERSION);
  }
  return { db, blobs, secret, close: () => db.destroy() };
}
