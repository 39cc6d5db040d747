import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import knex from 'knex';
import { DATABASE_FILE, postgres as settingsOf } from '../knexfile.ts';
import { copyToPostgres } from '../server/datadir/postgres/copies.ts';
import { searchIndex } from '../server/search/index.ts';
import { createBuild } from '../server/testing/build.ts';
import { hasPostgres, startPostgres } from '../server/tools/postgres/server.ts';
import { processorTime } from '../server/tools/processor-time.ts';
import { fillFirm, indexFirms } from './firms.ts';
import { openServices } from './full-database.ts';
import type { Figure } from './measure.ts';
import { fixed, percentile, timed } from './measure.ts';
import { scratchFolder } from './server.ts';

const SIZE = { clients: 2000, folders: 5000, files: Number(process.env.BENCH_MANY ?? 100_000) };
const ROUNDS = 4;
const RUNS = 15;
/** The limit for PostgreSQL: this multiple of SQLite's time, or this duration. */
const LIMIT = { times: 2, ms: 15 };

export const QUERY_PROCESS = join(import.meta.dirname, 'postgres/asked.ts');

export interface QueryTimes {
  times: number[];
  cpu: number;
}

/** The next message of a process. @throws when it ends instead. */
export async function nextMessage<T>(child: ChildProcess): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const ended = () => reject(new Error('A process of the bench ended.'));
  child.once('message', (message) => resolve(message as T)).once('exit', ended);
  return promise.finally(() => child.off('exit', ended));
}

export function runQuery(child: ChildProcess, name: string, runs: number): Promise<QueryTimes> {
  child.send({ name, runs });
  return nextMessage<QueryTimes>(child);
}

/**
 * Measures lists and searches of one firm alternately on SQLite and on PostgreSQL with a copy of the same database: wall time and
 * CPU time, including PostgreSQL's own. BENCH_MANY is the number of files.
 */
export async function compareDatabases(): Promise<Figure[]> {
  if (!hasPostgres()) return [{ name: 'lists on PostgreSQL', value: 'skipped, no PostgreSQL here' }];
  const folder = await scratchFolder();
  const filling = await openServices(folder);
  const { actor } = await createBuild(filling).account();
  await fillFirm(filling.db, { firmId: actor.firmId, userId: actor.userId, base: 1_000_000, size: SIZE });
  await indexFirms(filling.db, [actor.firmId]);
  await filling.close();

  const server = await startPostgres();
  const children: ChildProcess[] = [];
  try {
    const db = knex(settingsOf(server.address));
    await db.migrate.latest();
    const options = { gramsOf: searchIndex.gramsOf };
    const file = join(folder, DATABASE_FILE);
    const copying = await timed(() => copyToPostgres(db, file, 'ab'.repeat(32), options));
    // Autovacuum, which does this a minute after so many new rows, is off here.
    await db.raw('VACUUM ANALYZE');
    await db.destroy();
    const figures: Figure[] = [
      { name: `moving ${SIZE.files} files to PostgreSQL`, value: `${fixed(copying)} s` },
    ];

    const startProcess = async (env: Record<string, string>) => {
      const child = fork(QUERY_PROCESS, [folder, JSON.stringify(actor)], { env: { ...process.env, ...env } });
      children.push(child);
      return { child, names: await nextMessage<string[]>(child) };
    };
    const sqlite = await startProcess({ DATABASE_URL: '' });
    const postgres = await startProcess({ DATABASE_URL: server.address });
    for (const name of sqlite.names) {
      const onPostgres: QueryTimes = { times: [], cpu: 0 };
      const onSqlite: QueryTimes = { times: [], cpu: 0 };
      for (const { child } of [sqlite, postgres]) await runQuery(child, name, 5);
      for (let round = 0; round < ROUNDS; round += 1) {
        const sqliteRun = await runQuery(sqlite.child, name, RUNS);
        const before = await processorTime(server.pid);
        const postgresRun = await runQuery(postgres.child, name, RUNS);
        onPostgres.cpu += postgresRun.cpu + ((await processorTime(server.pid)) - before) * 1000;
        onSqlite.cpu += sqliteRun.cpu;
        onSqlite.times.push(...sqliteRun.times);
        onPostgres.times.push(...postgresRun.times);
      }
      const [sqliteP95, postgresP95] = [percentile(onSqlite.times, 95), percentile(onPostgres.times, 95)];
      const each = (cpu: number) => fixed(cpu / (ROUNDS * RUNS));
      figures.push({
        name: `${name}: p50 / p95, CPU; SQLite, PostgreSQL`,
        value:
          `${fixed(percentile(onSqlite.times, 50))} / ${fixed(sqliteP95)}, ${each(onSqlite.cpu)} ms; ` +
          `${fixed(percentile(onPostgres.times, 50))} / ${fixed(postgresP95)}, ${each(onPostgres.cpu)} ms`,
        target: {
          text: `p95 ≤ ${LIMIT.times} × or ≤ ${LIMIT.ms} ms`,
          reached: postgresP95 <= Math.max(LIMIT.times * sqliteP95, LIMIT.ms),
        },
      });
    }
    return figures;
  } finally {
    for (const child of children) if (child.connected) child.disconnect();
    server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
