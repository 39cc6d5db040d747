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

test('all processes receive all messages in one order with rising sequence numbers, and learn of one that is too long', async ({
  a,
  b,
}) => {
  const received: [string, number][][] = [[], []];
  let missed = 0;
  for (const [index, peer] of [a, b].entries()) {
    peer.subscribe('free', (message, sequence) => received[index]!.push([message, sequence]));
    peer.onMissed(() => (missed += 1));
  }
  const messages = Array.from({ length: 50 }, (_, n) => `${n} 100% 'of' "it" \\ \n`);
  for (const [n, text] of messages.entries()) (n % 2 ? a : b).publish('free', text);
  await until(async () => received.every((some) => some.length === messages.length));
  assert.equal(received[0], received[1]);
  const sequences = received[0]!.map(([, sequence]) => sequence);
  assert.equal(
    sequences,
    sequences.toSorted((x, y) => x - y),
  );
  assert.equal(received[0]!.map(([text]) => text).toSorted(), messages.toSorted());
  assert.is(a.lastSequence(), b.lastSequence());
  a.publish('free', 'x'.repeat(9000));
  await until(async () => missed === 2);
});

test('a lock is held by one process at a time, and is free once that releases it or ends', async ({
  a,
  b,
}) => {
  const release = await a.tryLock('upload 1');
  assert.ok(release);
  assert.is(await a.tryLock('upload 1'), null);
  assert.is(await b.tryLock('upload 1'), null);
  assert.ok(await b.tryLock('upload 2'), 'another lock is free');
  await release();
  assert.ok(await b.tryLock('upload 1'));
  await b.close();
  await until(async () => (await a.tryLock('upload 1')) !== null);
});

test('a broken connection is restored with its locks, and `onMissed` is called, since messages may have been lost', async ({
  address,
  a,
  b,
}) => {
  const missed = [0, 0];
  const received: string[] = [];
  for (const [index, peer] of [a, b].entries()) peer.onMissed(() => (missed[index]! += 1));
  b.subscribe('free', (message) => received.push(message));
  assert.ok(await a.tryLock('upload 1'));
  const db = knex(postgres(address));
  // Those of other databases belong to other tests.
  await db.raw(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE 'almirah %'`,
  );
  await db.destroy();
  a.publish('free', 'later');
  await until(() => missed[0]! > 0 && missed[1]! > 0);
  a.publish('free', 'last');
  await until(() => received.includes('last'));
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
    // This transaction waits for the lock, so it gets the lock as soon as the session of its holder ends.
    const taking = trx.raw(`SELECT pg_advisory_xact_lock(${namedLock('upload 1')})`).then(() => 'taken');
    // Those of other databases belong to other tests.
    const locks = (granted: boolean) =>
      db('pg_locks')
        .where({ locktype: 'advisory', granted })
        .whereRaw('database = (SELECT oid FROM pg_database WHERE datname = current_database())');
    await until(async () => (await locks(false)).length > 0);
    const { objid } = await locks(false).first('objid');
    await locks(true).where({ objid }).select(db.raw('pg_terminate_backend(pid)'));
    await taking;
    await until(() => wanted.includes('upload 1'));
  });
  await db.destroy();
  assert.ok(await b.tryLock('upload 1'));
  await release!();
  assert.is(await a.tryLock('upload 1'), null, 'the release of a lost lock releases nothing');
});

test('the clock is that of the database server, whatever the clock of the machine says', async ({ a, b }) => {
  assert.ok(Math.abs(a.clock().getTime() - b.clock().getTime()) < 30_000);
});

postgresOnly(test).run();
