import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Knex } from 'knex';
import type { Client } from 'pg';
import { onBaseline } from './server/db/postgres/baseline.ts';
import { PostgresClient } from './server/db/postgres/client.ts';
import type { SqliteConfig } from './server/db/sqlite/client.ts';
import { findPageKey } from './server/datadir/page-key.ts';
import { runOnConnect, isUnsealed, unlockStatements } from './server/db/sqlite/page-encryption.ts';
import { SqliteClient } from './server/db/sqlite/client.ts';

/** Node lends four threads to all that waits for a disk; these are at most half of them. */
const READERS = 2;
/** `secure_delete` overwrites what is deleted, so that it is nowhere in the file. */
const EACH = ['secure_delete = ON', 'busy_timeout = 5000', 'temp_store = MEMORY', 'cache_size = -16000'];
/** `synchronous = FULL` makes every commit survive a power cut; WAL lets others read while one writes. */
const WRITER = ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON', ...EACH];
const READER = ['query_only = ON', ...EACH];

interface Opening {
  file: string;
  /** Of the pages; null where they are plain. */
  key: string | null;
}

function pool(connections: number, pragmas: readonly string[], { file, key }: Opening): Knex.PoolConfig {
  const statements = [
    ...(key === null ? [] : unlockStatements(key)),
    ...pragmas.map((pragma) => `PRAGMA ${pragma}`),
  ];
  return {
    min: 1,
    max: connections,
    afterCreate: runOnConnect(statements, file),
  };
}

export const MIGRATIONS = join(import.meta.dirname, 'migrations');

/** A migration, with what its way down takes from a vault: null when nothing, undefined when it does not say. */
export interface Migration extends Knex.Migration {
  lost?: string | null;
}

export const readMigration = (file: string): Promise<Migration> =>
  import(pathToFileURL(join(MIGRATIONS, file)).href);

/** @throws when there is a firm whose data going down might take. */
async function refuseDown(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasTable('firms')) || !(await knex('firms').where('id', '>', 0).first('id')))
    return;
  throw new Error(
    'This vault holds data of firms, so knex does not take its database back: that deletes whole tables. ' +
      'Nothing was changed. "npm run admin -- migrate --to NAME" goes to one migration, up or down: it makes a ' +
      'copy first and says what would be lost.',
  );
}

/** As knex reads them from the folder, but with a way down that `guarded` closes to vaults that are in use. */
const migrations = (guarded: boolean): Knex.MigrationSource<string> => ({
  getMigrations: async () => (await readdir(MIGRATIONS)).filter((file) => file.endsWith('.ts')).toSorted(),
  getMigrationName: (file) => file,
  async getMigration(file) {
    const { up, down } = await readMigration(file);
    return {
      up,
      async down(knex) {
        if (guarded) await refuseDown(knex);
        await down?.(knex);
      },
    };
  },
});

/** Of an error that knex also throws it writes the stack trace to the console: whoever catches the error says it in plain words. */
export const QUIET: Knex.Logger = {
  warn(message: string) {
    if (!/^(?:Acquire connection|Connection) error/i.test(message)) process.emitWarning(message);
  },
};

/**
 * The settings of a database in `file`, an absolute or relative path or `:memory:`.
 * @param guarded whether migrations refuse to go down where there are firms.
 * @param key of the pages (`pageKeyOf`), with which a new file is made; one that is there and plain is opened as it is.
 */
export function sqlite(
  file: string,
  { guarded = true, key }: { guarded?: boolean | undefined; key?: string | undefined } = {},
): SqliteConfig {
  const inMemory = file === ':memory:';
  const opening = { file, key: key === undefined || inMemory || isUnsealed(file) ? null : key };
  return {
    client: SqliteClient,
    connection: { filename: file },
    useNullAsDefault: true,
    // Or a failed insert would write names, numbers and hashes into the error's message, and so into the log.
    compileSqlOnError: false,
    // SQLite has one writer: a second connection would only wait for it.
    pool: pool(1, WRITER, opening),
    // What is in memory is seen by its own connection alone.
    ...(!inMemory && { readers: pool(READERS, READER, opening) }),
    log: QUIET,
    migrations: { migrationSource: migrations(guarded), extension: 'ts' },
  };
}

/**
 * Rows lie in memory or on an SSD, where one page costs about as much as the next. Starting parallel workers takes longer
 * than reading a page of a list, and other users need the cores.
 */
const PLANNER_SETTINGS = 'SET random_page_cost = 1.1; SET max_parallel_workers_per_gather = 0';

/** Connections of one process: a reader waits for none of the others. */
const CONNECTIONS = 10;

/** The settings of a database of PostgreSQL, at `postgres://user:password@host/name`. */
export const postgres = (
  address: string,
  { guarded = true }: { guarded?: boolean | undefined } = {},
): Knex.Config => ({
  client: PostgresClient as unknown as typeof Knex.Client,
  connection: {
    connectionString: address,
    application_name: 'almirah',
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
  },
  // Or a failed insert would write names, numbers and hashes into the error's message, and so into the log.
  compileSqlOnError: false,
  pool: {
    min: 0,
    max: CONNECTIONS,
    afterCreate: (connection: Client, ready: (error: Error | null, connection: Client) => void) =>
      connection.query(PLANNER_SETTINGS, (error) => ready(error, connection)),
  },
  // Whoever asks is told then that the database does not answer.
  acquireConnectionTimeout: 15_000,
  log: QUIET,
  migrations: { migrationSource: onBaseline(migrations(guarded)), extension: 'ts' },
});

export const DATABASE_FILE = 'almirah.sqlite';

/** For knex's own commands, which would otherwise make an empty database where there is none. */
function existing(file: string): string {
  if (existsSync(file) || !process.argv[1]?.includes('knex')) return file;
  process.stderr.write(
    `${dirname(file)} holds no ${DATABASE_FILE} yet: "npm start" makes it. Set DATA_DIR if it lies elsewhere.\n`,
  );
  process.exit(1);
}

const { DATA_DIR = 'data', MASTER_KEY, MASTER_KEY_FILE } = process.env;
const dataDir = resolve(import.meta.dirname, DATA_DIR);
const file = existing(join(dataDir, DATABASE_FILE));
const key = process.argv[1]?.includes('knex')
  ? await findPageKey({ dataDir, masterKey: MASTER_KEY || null, masterKeyFile: MASTER_KEY_FILE || null })
  : undefined;

export default sqlite(file, { key });
