import { join } from 'node:path';
import type { Knex } from 'knex';
import { PreparedClient } from './server/vault/prepared-client.ts';

type Connection = { run(sql: string, done: (error: Error | null) => void): void };

/**
 * `synchronous=FULL` makes every commit survive a power cut; WAL lets a backup read while we write.
 * One connection: SQLite has one writer, and a second connection would only wait for it.
 */
const PRAGMAS = [
  'PRAGMA journal_mode = WAL',
  'PRAGMA synchronous = FULL',
  'PRAGMA foreign_keys = ON',
  'PRAGMA busy_timeout = 5000',
  'PRAGMA temp_store = MEMORY',
  'PRAGMA cache_size = -16000',
];

/** The settings of a database in `file`, an absolute or relative path or `:memory:`. */
export function sqlite(file: string): Knex.Config {
  return {
    client: PreparedClient,
    connection: { filename: file },
    useNullAsDefault: true,
    // Or a failed insert would write names, numbers and hashes into the error's message, and so into the log.
    compileSqlOnError: false,
    pool: {
      min: 1,
      max: 1,
      afterCreate(connection: Connection, done: (error: Error | null, connection: Connection) => void) {
        const next = (at: number, error: Error | null): void => {
          const pragma = PRAGMAS[at];
          if (error || !pragma) done(error, connection);
          else connection.run(pragma, (failed) => next(at + 1, failed));
        };
        next(0, null);
      },
    },
    migrations: {
      directory: join(import.meta.dirname, 'migrations'),
      extension: 'ts',
      loadExtensions: ['.ts'],
    },
  };
}

export const DATABASE_FILE = 'almirah.sqlite';

export default sqlite(join(process.env.DATA_DIR ?? 'data', DATABASE_FILE));
