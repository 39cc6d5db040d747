import type { Knex } from 'knex';
import { openBlobStore } from '#storage/store.ts';
import { migrate, openDatabase } from '../datadir/database.ts';
import { findPageKey } from '../datadir/page-key.ts';

/** Opens the database of a data folder with the key in it, encrypted or plain. */
export async function openVaultDatabase(
  dataDir: string,
  how: Parameters<typeof openDatabase>[1] = {},
): Promise<Knex> {
  const key = await findPageKey({ dataDir, masterKey: null, masterKeyFile: null });
  return openDatabase(dataDir, { ...how, key });
}

/** A data folder with an unencrypted database, as in old versions, so that its file can be searched. */
export async function openPlainVault(dataDir: string) {
  const { blobs, secret } = await openBlobStore({ dataDir });
  const db = openDatabase(dataDir);
  await migrate(db, null, new Date());
  return { db, blobs, secret, close: () => db.destroy() };
}
