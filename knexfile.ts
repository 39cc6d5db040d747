import { join } from 'node:path';
import type { Knex } from 'knex';
import type { SqliteConfig } from './server/vault/sqlite-client.ts';
import { SqliteClient } from './server/vault/sqlite-client.ts';

type Connection = { run(sql: string, done: (error: Error | null) => void): void };

/** Node lends four threads to all that waits for a disk; these are at most half of them. */
const READERS = 2;
const EACH = ['busy_timeout = 5000', 'temp_store = MEMORY', 'cache_size = -16000'];
/** `synchronous = FULL` makes every commit survive a power cut; WAL lets others read while one writes. */
const WRITER = ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON', ...EACH];
const READER = ['query_only = ON', ...EACH];

function pool(connections: number, pragmas: readonly string[]): Knex.PoolConfig {
  return {
    min: 1,
    max: connections,
    afterCreate(connection: Connection, done: (error: Error | null, connection: Connection) => void) {
      const next = (at: number, error: Error | null): void => {
        const pragma = pragmas[at];
        if (error || !pragma) done(error, connection);
        else connection.run(`PRAGMA ${pragma}`, (failed) => next(at + 1, failed));
      };
      next(0, null);
    },
  };
}

/** The settings of a database in `file`, an absolute or relative path or `:memory:`. */
export function sqlite(file: string): SqliteConfig {
  return {
    client: SqliteClient,
    connection: { filename: file },
    useNullAsDefault: true,
    // Or a failed insert would write names, numbers and hashes into the error's message, and so into the log.
    compileSqlOnError: false,
    // SQLite has one writer: a second connection would only wait for it.
    pool: pool(1, WRITER),
    // What is in memory is seen by its own connection alone.
    ...(file !== ':memory:' && { readers: pool(READERS, READER) }),
    migrations: {
      directory: join(import.meta.dirname, 'migrations'),
      extension: 'ts',
      loadExtensions: ['.ts'],
    },
  };
}

export const DATABASE_FILE = 'almirah.sqlite';

export default sqlite(join(process.env.DATA_DIR ?? 'data', DATABASE_FILE));
