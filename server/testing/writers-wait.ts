import type { Knex } from 'knex';
import { onPostgres } from '../db/dialect.ts';
import type { PostgresClient } from '../db/postgres/client.ts';
import { until } from './until.ts';

/** Resolves when this many transactions wait for the write lock. */
export async function untilWritersWait(db: Knex, most: number): Promise<void> {
  if (!onPostgres) return until(() => db.client.pool.numPendingAcquires() >= most);
  const { writers } = db.client as PostgresClient;
  // Those of other databases belong to other tests.
  const waiting = `FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  await until(async () => writers.waiting() + (await db.raw(`SELECT count(*) AS n ${waiting}`))[0].n >= most);
}
