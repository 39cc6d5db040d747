import type { Knex } from 'knex';
import { queryRow } from '../sql.ts';

/** How many bytes the database takes on PostgreSQL's disk. */
export async function databaseBytes(db: Knex): Promise<number> {
  const row = await queryRow<{ bytes: number }>(db, 'SELECT pg_database_size(current_database()) AS bytes');
  return row!.bytes;
}
