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
const MOST = { times: 2, ms: 15 };

export const ASKED = join(import.meta.dirname, 'postgres/asked.ts');

export interface Answered {
  times: number[];
  cpu: number;
}

/** The next message of a process. @throws when it ends instead. */
export async function messageOf<T>(child: ChildProcess): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const ended = () => reject(new Error('A process of the bench ended.'));
  child.once('message', (message) => resolve(message as T)).once('exit', ended);
  return promise.finally(() => child.off('exit', ended));
}

export function ask(child: ChildProcess, name: string, runs: number): Promise<Answered> {
  child.send({ name, runs });
  return messageOf<Answered>(child);
}

/**
 * Measures lists and searches of one firm alternately on SQLite and on PostgreSQL with a copy of the same database: wall time and
 * CPU time, including PostgreSQL's own. BENCH_MANY is the number of files.
 */
export async function onBothDatabases(): Promise<Figure[]> {
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
    const how = { gramsOf: searchIndex.gramsOf };
    const file = join(folder, DATABASE_FILE);
    const copying = await timed(() => copyToPostgres(db, file, 'ab'.repeat(32), how));
    // As PostgreSQL does by itself a minute after so many rows have come; here that is off.
    await db.raw('VACUUM ANALYZE');
    await db.destroy();
    const figures: Figure[] = [
      { name: `moving ${SIZE.files} files to PostgreSQL`, value: `${fixed(copying)} s` },
    ];

    const begin = async (env: Record<string, string>) => {
      const child = fork(ASKED, [folder, JSON.stringify(actor)], { env: { ...process.env, ...env } });
      children.push(child);
      return { child, names: await messageOf<string[]>(child) };
    };
    const sqlite = await begin({ DATABASE_URL: '' });
    const postgres = await begin({ DATABASE_URL: server.address });
    for (const name of sqlite.names) {
      const there: Answered = { times: [], cpu: 0 };
      const here: Answered = { times: [], cpu: 0 };
      for (const { child } of [sqlite, postgres]) await ask(child, name, 5);
      for (let round = 0; round < ROUNDS; round += 1) {
        const own = await ask(sqlite.child, name, RUNS);
        const before = await processorTime(server.pid);
        const other = await ask(postgres.child, name, RUNS);
        there.cpu += other.cpu + ((await processorTime(server.pid)) - before) * 1000;
        here.cpu += own.cpu;
        here.times.push(...own.times);
        there.times.push(...other.times);
      }
      const [mine, theirs] = [percentile(here.times, 95), percentile(there.times, 95)];
      const each = (cpu: number) => fixed(cpu / (ROUNDS * RUNS));
      figures.push({
        name: `${name}: p50 / p95, CPU; SQLite, PostgreSQL`,
        value:
          `${fixed(percentile(here.times, 50))} / ${fixed(mine)}, ${each(here.cpu)} ms; ` +
          `${fixed(percentile(there.times, 50))} / ${fixed(theirs)}, ${each(there.cpu)} ms`,
        target: {
          text: `p95 ≤ ${MOST.times} × or ≤ ${MOST.ms} ms`,
          reached: theirs <= Math.max(MOST.times * mine, MOST.ms),
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
