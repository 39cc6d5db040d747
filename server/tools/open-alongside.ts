import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import knex from 'knex';
import type { Knex } from 'knex';
import type { BlobStore } from '#storage/blobs.ts';
import { openBlobStore } from '#storage/store.ts';
import { DATABASE_FILE } from '../../knexfile.ts';
import type { Config } from '../config/config.ts';
import { isCurrent, openDatabase } from '../datadir/database.ts';
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
  const db = openDatabase(dataDir);
  if (!(await isCurrent(db))) {
    await db.destroy();
    throw new Refused(OTHER_VERSION);
  }
  return { db, blobs, secret, close: () => db.destroy() };
}

/** Opens a database that nobody writes, without leaving a trace beside it. */
export const openCopy = (filename: string): Knex =>
  knex({
    client: 'sqlite3',
    connection: { filename: `${pathToFileURL(filename).href}?mode=ro`, flags: ['OPEN_URI'] },
    useNullAsDefault: true,
    pool: { min: 1, max: 1 },
  });

export interface FileRow {
  id: number;
  name: string;
  blob_id: string;
  file_size: number;
  sha256: string;
}

/** The files that are there for somebody and those in Trash, which an older database has not. */
export async function keptItems(db: Knex): Promise<() => Knex.QueryBuilder> {
  if (!(await db.schema.hasTable('trash'))) return () => db('items');
  return () => db('item_rows').whereNotIn('id', db('hidden_items').whereNull('trash').select('item_id'));
}

/** Every file that the database names, a page at a time. */
export async function* fileRows(db: Knex): AsyncGenerator<FileRow> {
  const kept = await keptItems(db);
  let after = '';
  for (;;) {
    const page: FileRow[] = await kept()
      .where('blob_id', '>', after)
      .orderBy('blob_id')
      .limit(1000)
      .select('id', 'name', 'blob_id', 'file_size', 'sha256');
    yield* page;
    if (page.length === 0) return;
    after = page.at(-1)!.blob_id;
  }
}

/** Every blob that the files need: each file's own, and the parts of joined ones. An older database has no parts. */
export async function* fileBlobs(db: Knex): AsyncGenerator<string> {
  for await (const { blob_id } of fileRows(db)) yield blob_id;
  if (!(await db.schema.hasTable('blob_parts'))) return;
  const kept = await keptItems(db);
  let after = '';
  for (;;) {
    const page: string[] = await db('blob_parts')
      .where('part_id', '>', after)
      .whereIn('blob_id', kept().whereNotNull('blob_id').select('blob_id'))
      .orderBy('part_id')
      .limit(1000)
      .pluck('part_id');
    yield* page;
    if (page.length === 0) return;
    after = page.at(-1)!;
  }
}
