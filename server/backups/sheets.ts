import { readFile } from 'node:fs/promises';
import type { Knex } from 'knex';
import { checkPath } from '#storage/keys.ts';
import type { BackupsView } from './contract.ts';
import { keyIdOf } from './repository/keys.ts';

/** The id of the data folder's master key, from `master.check`; null if it cannot be read. */
export async function keyInUse(dataDir: string): Promise<string | null> {
  return keyIdOf(await readFile(checkPath(dataDir), 'utf8').catch(() => ''));
}

export async function addSheet(
  trx: Knex.Transaction,
  { keyId, userId, now }: { keyId: string; userId: number; now: Date },
): Promise<void> {
  await trx('recovery_sheets').insert({ key_id: keyId, user_id: userId, saved_at: now.toISOString() });
}

/** When and by whom the sheet of a key was last saved; null if it never was. */
export async function sheetOf(db: Knex, keyId: string): Promise<BackupsView['sheet']> {
  const row = (await db('recovery_sheets')
    .leftJoin('users', 'users.id', 'recovery_sheets.user_id')
    .where({ key_id: keyId })
    .orderBy('recovery_sheets.id', 'desc')
    .first('recovery_sheets.saved_at', 'users.name')) as
    { saved_at: string; name: string | null } | undefined;
  return row ? { saved_at: row.saved_at, by: row.name } : null;
}
