import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import knex from 'knex';
import { DATABASE_FILE, postgres as settingsOf } from '../knexfile.ts';
import type { Actor } from '../server/actor.ts';
import { copyToPostgres } from '../server/datadir/postgres/copies.ts';
import { searchIndex } from '../server/search/index.ts';
import { createBuild } from '../server/testing/build.ts';
import type { StartedPostgres } from '../server/tools/postgres/server.ts';
import { hasPostgres, startPostgres } from '../server/tools/postgres/server.ts';
import { processorTime } from '../server/tools/processor-time.ts';
import { fillFirm, indexFirms } from './firms.ts';
import { openServices } from './full-database.ts';
import type { Figure } from './measure.ts';
import { fixed, percentile } from './measure.ts';
import type { QueryTimes } from './postgres.ts';
import { QUERY_PROCESS, nextMessage, runQuery } from './postgres.ts';
import { multiplyFirm } from './postgres/large-firm.ts';
import { scratchFolder } from './server.ts';

const SIZE = { clients: 2000, folders: 5000, files: 100_000 };
const COPIES = Number(process.env.BENCH_COPIES ?? 100);
const RUNS = 40;
const LIMIT_MS = 30;
const KEY = 'ab'.repeat(32);
/** PostgreSQL settings with which the rows and indexes do not fit into memory, as on a server of this size. */
const SETTINGS = ['shared_buffers=2GB', 'max_wal_size=4GB', 'work_mem=16MB', 'effective_cache_size=8GB'];

async function fill(server: StartedPostgres): Promise<Actor> {
  const folder = await scratchFolder();
  const filling = await openServices(folder);
  const { actor } = await createBuild(filling).account();
  const { firmId, userId } = actor;
  await fillFirm(filling.db, { firmId, userId, base: 1_000_000, size: SIZE });
  await indexFirms(filling.db, [firmId]);
  await filling.close();
  const db = knex({ ...settingsOf(server.address), pool: { min: 1, max: 1 } });
  await db.migrate.latest();
  await copyToPostgres(db, join(folder, DATABASE_FILE), KEY, { gramsOf: searchIndex.gramsOf });
  await rm(folder, { recursive: true });
  await multiplyFirm(db, { firmId, size: SIZE, copies: COPIES }, server);
  await db.destroy();
  return actor;
}

/** Bytes of a table's rows and of each of its indexes, per item. */
async function sizes(server: StartedPostgres): Promise<Figure[]> {
  const db = knex(settingsOf(server.address));
  const [{ items }] = (await db.raw('SELECT count(*) AS items FROM item_rows')) as [{ items: number }];
  const rows: { name: string; bytes: number }[] = await db.raw(
    `SELECT relname AS name, pg_relation_size(oid) + coalesce(pg_relation_size(nullif(reltoastrelid, 0)), 0) AS bytes FROM pg_class
     WHERE relkind IN ('r', 'i') AND relnamespace = 'public'::regnamespace ORDER BY 2 DESC LIMIT 16`,
  );
  const [{ all }] = (await db.raw('SELECT pg_database_size(current_database()) AS "all"')) as [
    { all: number },
  ];
  await db.destroy();
  const each = rows.map(({ name, bytes }) => `${name} ${fixed(bytes / items, 0)}`).join(', ');
  return [{ name: `bytes an item of ${items}`, value: `${fixed(all / items, 0)}: ${each}` }];
}

/**
 * Measures lists and searches of one firm with ten million items in PostgreSQL, after a restart that cleared PostgreSQL's cache.
 * BENCH_KEEP names a folder (about 30 GB) that keeps the database for the next run; filling it takes half an hour. BENCH_COPIES is
 * the number of copies of the 100,000 files.
 */
export async function largeFirm(): Promise<Figure[]> {
  if (!hasPostgres()) return [{ name: 'a large firm', value: 'skipped, no PostgreSQL here' }];
  const keptFolder = process.env.BENCH_KEEP;
  const folder = keptFolder ?? (await scratchFolder());
  await mkdir(folder, { recursive: true });
  const owner = join(folder, 'actor.json');
  let server = await startPostgres({ persistentFolder: join(folder, 'postgres'), settings: SETTINGS });
  try {
    if (!existsSync(owner)) {
      await writeFile(owner, JSON.stringify(await fill(server)));
      server.stop();
      server = await startPostgres({ persistentFolder: join(folder, 'postgres'), settings: SETTINGS });
    }
    const figures = await sizes(server);
    const child = fork(QUERY_PROCESS, [folder, await readFile(owner, 'utf8')], {
      env: { ...process.env, DATABASE_URL: server.address },
    });
    for (const name of await nextMessage<string[]>(child)) {
      const first: QueryTimes = await runQuery(child, name, 1);
      const before = await processorTime(server.pid);
      const { times, cpu } = await runQuery(child, name, RUNS);
      const postgresCpu = ((await processorTime(server.pid)) - before) * 1000;
      const p95 = percentile(times, 95);
      figures.push({
        name: `${name}: first, p50, p95, CPU`,
        value: `${fixed(first.times[0]!)}, ${fixed(percentile(times, 50))}, ${fixed(p95)}, ${fixed((cpu + postgresCpu) / RUNS)} ms`,
        target: { text: `p95 ≤ ${LIMIT_MS} ms`, reached: p95 <= LIMIT_MS },
      });
    }
    child.disconnect();
    return figures;
  } finally {
    server.stop();
    if (!keptFolder) await rm(folder, { recursive: true, force: true });
  }
}
