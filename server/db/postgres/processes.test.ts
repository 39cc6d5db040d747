import knex from 'knex';
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { postgres } from '../../../knexfile.ts';
import { bareDatabase, postgresOnly } from '../../testing/postgres.ts';
import { until } from '../../testing/until.ts';
import { namedLock } from './advisory-locks.ts';
import type { PostgresProcesses } from './processes.ts';
import { connectProcesses } from './processes.ts';

interface Ctx {
  address: string;
  a: PostgresProcesses;
  b: PostgresProcesses;
  end(): Promise<void>;
}

const test = suite<Ctx>('processes on PostgreSQL');
test.before.each(async (ctx) => {
  const { address, drop } = await bareDatabase();
  const open = () =>
    connectProcesses({ address, several: true, refusal: 'held', log: pino({ level: 'silent' }) });
  const [a, b] = await Promise.all([open(), open()]);
  Object.assign(ctx, { address, a, b });
  ctx.end = async () => {
    await Promise.all([a.close(), b.close()]);
    await drop();
  };
});
test.after.each((ctx) => ctx.end());

test('what one tells all hear in one order, at rising places, also what cannot be told in one line', async ({
  a,
  b,
}) => {
  const heard: [string, number][][] = [[], []];
  let lost = 0;
  for (const [at, one] of [a, b].entries()) {
    one.subscribe('free', (said, place) => heard[at]!.push([said, place]));
    one.onMissed(() => (lost += 1));
  }
  const said = Array.from({ length: 50 }, (_, n) => `${n} 100% 'of' "it" \\ \n`);
  for (const [n, text] of said.entries()) (n % 2 ? a : b).publish('free', text);
  await until(async () => heard.every((some) => some.length === said.length));
  assert.equal(heard[0], heard[1]);
  const places = heard[0]!.map(([, place]) => place);
  assert.equal(
    places,
    places.toSorted((x, y) => x - y),
  );
  assert.equal(heard[0]!.map(([text]) => text).toSorted(), said.toSorted());
  assert.is(a.lastSequence(), b.lastSequence());
  a.publish('free', 'x'.repeat(9000));
  await until(async () => lost === 2);
});

test('a turn is one process’s at a time, and free once that gives it back or ends', async ({ a, b }) => {
  const release = await a.tryLock('upload 1');
  assert.ok(release);
  assert.is(await a.tryLock('upload 1'), null);
  assert.is(await b.tryLock('upload 1'), null);
  assert.ok(await b.tryLock('upload 2'), 'another turn is free');
  await release();
  assert.ok(await b.tryLock('upload 1'));
  await b.close();
  await until(async () => (await a.tryLock('upload 1')) !== null);
});

test('a connection that breaks is made again: turns stay, and it is said that something may have been missed', async ({
  address,
  a,
  b,
}) => {
  const missed = [0, 0];
  const heard: string[] = [];
  for (const [at, one] of [a, b].entries()) one.onMissed(() => (missed[at]! += 1));
  b.subscribe('free', (said) => heard.push(said));
  assert.ok(await a.tryLock('upload 1'));
  const db = knex(postgres(address));
  await db.raw(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'almirah %'",
  );
  await db.destroy();
  a.publish('free', 'later');
  await until(() => missed[0]! > 0 && missed[1]! > 0);
  a.publish('free', 'last');
  await until(() => heard.includes('last'));
  await until(async () => b.tryLock('x').then(Boolean, () => false));
  assert.is(await b.tryLock('upload 1'), null);
});

test('a lock that another process took while the connection was away is lost, and its holder is asked to stop', async ({
  address,
  a,
  b,
}) => {
  const release = await a.tryLock('upload 1');
  const wanted: string[] = [];
  a.subscribe('wanted', (name) => wanted.push(name));
  const db = knex(postgres(address));
  await db.transaction(async (trx) => {
    // Queued for, so that it goes over as soon as the session of its holder ends.
    const taking = trx.raw(`SELECT pg_advisory_xact_lock(${namedLock('upload 1')})`).then(() => 'taken');
    const waits = () => db('pg_locks').where({ locktype: 'advisory', granted: false }).select('objid');
    await until(async () => (await waits()).length > 0);
    await db.raw(
      "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted AND objid = ?",
      [(await waits())[0].objid],
    );
    await taking;
    await until(() => wanted.includes('upload 1'));
  });
  await db.destroy();
  assert.ok(await b.tryLock('upload 1'));
  await release!();
  assert.is(await a.tryLock('upload 1'), null, 'the release of a lost lock releases nothing');
});

test('the time is that of the database, whatever a machine’s clock says', async ({ a, b }) => {
  assert.ok(Math.abs(a.clock().getTime() - b.clock().getTime()) < 1000);
});

postgresOnly(test).run();
