import type { Knex } from 'knex';
import { onPostgres } from './dialect.ts';

/**
 * Reads one state of the database, while others write. On SQLite every transaction does so; on PostgreSQL other transactions take the
 * writer lock, and see what was committed between two of their statements.
 */
export const readSnapshot = <T>(db: Knex, read: (trx: Knex.Transaction) => Promise<T>): Promise<T> =>
  db.transaction(read, onPostgres ? { isolationLevel: 'repeatable read', readOnly: true } : undefined);
