import { join } from 'node:path';
import type { Knex } from 'knex';
import { openDatabase } from '../datadir/database.ts';
import { databasesIn, sealFile } from '../datadir/seal-database.ts';
import { createColumnSealer } from '../db/column-encryption.ts';
import { openFile } from '../datadir/single-file.ts';
import { dropSnapshot } from '../datadir/update-snapshot.ts';
import { pageKeyOf } from '../db/sqlite/page-encryption.ts';
import { OUTBOX_FOLDER, OUTBOX_PURPOSE, resealOutbox } from '../mail/outbox.ts';
import { resealKeys, TLS_PURPOSE } from '../tls/key-store.ts';
import { TLS_FOLDER } from '../tls/service.ts';
import { databaseOf } from './open-alongside.ts';
import { Refused } from './refused.ts';
import { reseal, resealCopy } from './reseal.ts';

const opens = (db: Knex): Promise<boolean> =>
  db('sqlite_master')
    .first('name')
    .then(
      () => true,
      () => false,
    );

/** The first of these keys that opens a database file; a plain file opens with any key. */
async function keyOf(file: string, keys: readonly string[]): Promise<string | undefined> {
  for (const key of keys) {
    const db = openFile(file, { key, mode: 'ro' });
    if (await opens(db).finally(() => db.destroy())) return key;
  }
  return undefined;
}

/**
 * Reseals the database of a data folder with a new secret: sealed columns, stored e-mails, certificate keys,
 * then the pages and all copies of the database. It can be repeated after an interruption. No update may be under way.
 * @param dry only checks that everything can be resealed.
 * @throws {Refused} when neither secret opens the database, or it is of an older version.
 */
export async function resealDatabase(dataDir: string, from: Buffer, to: Buffer, dry: boolean): Promise<void> {
  const file = databaseOf(dataDir);
  const [old, fresh] = [pageKeyOf(from), pageKeyOf(to)];
  const key = await keyOf(file, [fresh, old]);
  if (key === undefined)
    throw new Refused(
      `${file} opens with no key we have: restore it from a backup first. Nothing was changed.`,
    );
  const db = openDatabase(dataDir, { key });
  try {
    if (!(await db.schema.hasTable('pdf_passwords')))
      throw new Refused(
        'This database is of an older version. Start the server once, stop it, and try again.',
      );
    await reseal(db, from, to, dry);
  } finally {
    await db.destroy();
  }
  if (dry) return;
  const [before, after] = [from, to].map((secret) => createColumnSealer(secret, OUTBOX_PURPOSE));
  await resealOutbox(join(dataDir, OUTBOX_FOLDER), before!, after!);
  const [oldKeys, newKeys] = [from, to].map((secret) => createColumnSealer(secret, TLS_PURPOSE));
  await resealKeys(join(dataDir, TLS_FOLDER), oldKeys!, newKeys!);
  // No update is under way: this copy was left by one that a power failure ended, and nobody goes back to it.
  await dropSnapshot(dataDir);
  for (const database of await databasesIn(dataDir)) {
    const sealedWith = await keyOf(database, [fresh, old]);
    // A copy of an earlier key stays as it is.
    if (sealedWith === undefined) continue;
    if (database !== file) {
      const copy = openFile(database, { key: sealedWith, mode: 'rw' });
      await resealCopy(copy, from, to).finally(() => copy.destroy());
    }
    await sealFile(database, sealedWith, fresh);
  }
}
