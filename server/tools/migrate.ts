import { join } from 'node:path';
import type { Knex } from 'knex';
import { readChecks, unfinishedReplacement } from '#storage/keys.ts';
import { readMigration } from '../../knexfile.ts';
import { copyDatabase } from '../datadir/copies.ts';
import type { Version } from '../datadir/database.ts';
import { openDatabase, refuseNewer, versionOf } from '../datadir/database.ts';
import { withoutDeletions } from '../datadir/deletion-lock.ts';
import { lockDataFolder } from '../datadir/lock.ts';
import { findPageKey } from '../datadir/page-key.ts';
import { readUnlockedConfig } from './ask-passphrase.ts';
import { databaseOf } from './open-alongside.ts';
import type { Command, CommandInput } from './command.ts';
import { Refused } from './refused.ts';

const ON_POSTGRES =
  'This vault’s database is in PostgreSQL, and each start brings it to the version of the program by itself. To go down, bring it into a file first: npm run admin -- move --to-database file';

export const migrate: Command = {
  summary: 'bring the database to another version, with the server stopped',
  args: [],
  options: { to: { type: 'string' }, 'lose-data': { type: 'boolean' } },
  help: `Brings the database to this program's newest migration, as the next start would, or up or down to the one
given. The database is copied to DATA_DIR/backups first. Needed only to go back to an older version of Almirah: go down
with this version, then start that one. "npx knex migrate:status" lists all migrations.

  --to NAME     stop when this migration has been run and none after it; a part of its name will do
  --lose-data   go down although some of what the firms have is deleted by it; without it, that is only listed`,

  async run({ options, env, say }) {
    const config = await readUnlockedConfig(env);
    const { dataDir } = config;
    databaseOf(dataDir, ON_POSTGRES);
    const unlock = await lockDataFolder(dataDir).catch((error: Error) => {
      throw new Refused(error.message);
    });
    const checks = await readChecks(dataDir);
    if (checks && checks.keys > 1) {
      await unlock();
      throw unfinishedReplacement(dataDir);
    }
    const release = await withoutDeletions(dataDir);
    const db = openDatabase(dataDir, { guarded: false, key: await findPageKey(config) });
    try {
      if (!release) throw new Refused('A backup of this vault is running. Try again when it is done.');
      return await migrateTo(db, join(dataDir, 'backups'), options, say);
    } finally {
      await db.destroy();
      await release?.();
      await unlock();
    }
  },
};

async function migrateTo(
  db: Knex,
  backups: string,
  options: CommandInput['options'],
  say: CommandInput['say'],
) {
  const version = await versionOf(db);
  try {
    refuseNewer(version);
  } catch (error) {
    throw new Refused((error as Error).message);
  }
  const target = typeof options.to === 'string' ? find(version, options.to) : version.known.at(-1)!;
  const up = version.known.filter((name) => name <= target && !version.done.includes(name));
  const down = version.done
    .filter((name) => name > target)
    .toSorted()
    .toReversed();
  if (up.length + down.length === 0) {
    say(`The database is at ${target} already.`);
    return true;
  }
  await requireConsent(db, down, options['lose-data'] === true, say);
  const copy = await copyDatabase(db, backups, new Date()).catch((error: Error) => {
    throw new Refused(error.message);
  });
  say(`The database as it is now is in ${copy}.`);
  for (const name of down) {
    await db.migrate.down({ name } as Knex.MigratorConfig);
    say(`down  ${name}`);
  }
  if (up.length > 0) await db.migrate.to({ name: target } as Knex.MigratorConfig);
  for (const name of up) say(`up    ${name}`);
  return true;
}

function find({ known }: Version, wanted: string): string {
  const exact = known.find((name) => name === wanted || name === `${wanted}.ts`);
  const found = exact ? [exact] : known.filter((name) => name.includes(wanted));
  if (found.length === 1) return found[0]!;
  throw new Refused(
    found.length === 0
      ? `There is no migration "${wanted}". "npx knex migrate:status" lists them.`
      : `"${wanted}" is in the names of ${found.join(', ')}. Give more of it.`,
  );
}

/**
 * Lists what the down migrations would delete.
 * @throws {Refused} when that is anything and `agreed` is false.
 */
async function requireConsent(db: Knex, down: readonly string[], agreed: boolean, say: CommandInput['say']) {
  const inUse =
    (await db.schema.hasTable('firms')) && (await db('firms').where('id', '>', 0).first('id')) !== undefined;
  if (!inUse) return;
  const losses: string[] = [];
  for (const name of down) {
    const { lost } = await readMigration(name);
    // A migration that does not declare its losses may lose anything.
    if (lost !== null)
      losses.push(`  ${name}: ${lost ?? 'it does not say, so take it for all that it brought'}`);
  }
  if (losses.length === 0) return;
  const list = `Going down deletes:\n${losses.join('\n')}`;
  if (!agreed)
    throw new Refused(
      `${list}\nNothing was changed. If that may be lost, say so with --lose-data; a copy is made first.`,
    );
  say(list);
}
