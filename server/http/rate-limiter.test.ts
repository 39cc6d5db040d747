import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import type { Knex } from 'knex';
import * as assert from 'uvu/assert';
import { databaseIn } from '../testing/on-disk.ts';
import { migratedDatabase } from '../testing/template.ts';
import type { AppError } from './errors.ts';
import type { RateLimiter, Try } from './rate-limiter.ts';
import { createRateLimiter } from './rate-limiter.ts';

interface World {
  db: Knex;
  limits: RateLimiter;
  now: { value: Date };
}
const test = suite<World>('limits');
const LIMIT = { name: 'knock', tries: 3, seconds: 900 };
const knock = (subject = 'door'): Try => ({ limit: LIMIT, subject });

test.before.each(async (world) => {
  const now = { value: new Date('2026-11-20T10:00:00Z') };
  const db = await migratedDatabase();
  Object.assign(world, { db, now, limits: createRateLimiter({ db, clock: () => now.value, enabled: true }) });
});
test.after.each(({ db }) => db.destroy());

const refusal = (limits: RateLimiter, ...tries: Try[]): Promise<AppError | undefined> =>
  limits.check(...tries).then(
    () => undefined,
    (error: AppError) => error,
  );

test('a limit allows its number of attempts and then reports how long to wait', async ({ limits, now }) => {
  for (let i = 0; i < 3; i += 1) assert.is(await refusal(limits, knock()), undefined);
  now.value = new Date('2026-11-20T10:05:00Z');
  const error = await refusal(limits, knock());
  assert.is(error?.status, 429);
  assert.is(error?.retryAfter, 600);
  assert.is(error?.message, 'Too many attempts. Please wait 10 minutes and try again.');
  assert.is(await refusal(limits, knock('window')), undefined, 'another subject has its own count');
  now.value = new Date('2026-11-20T10:15:00Z');
  assert.is(await refusal(limits, knock()), undefined, 'the window is over');
});

test('of many simultaneous attempts exactly the allowed number passes', async ({ limits }) => {
  const all = await Promise.all(Array.from({ length: 20 }, () => refusal(limits, knock())));
  assert.is(all.filter((error) => error === undefined).length, 3);
});

test('a refused attempt counts against no limit', async ({ limits, db }) => {
  const shared = knock('everyone');
  for (let i = 0; i < 9; i += 1)
    await refusal(limits, { limit: { ...LIMIT, tries: 1 }, subject: 'one' }, shared);
  const rows: { count: number }[] = await db('attempts').select('count');
  assert.equal(
    rows.map((row) => row.count),
    [1, 1],
  );
});

test('a limit can be waived', async ({ limits }) => {
  const guest: Try = { ...knock(), unless: async () => true };
  for (let i = 0; i < 5; i += 1) assert.is(await refusal(limits, guest), undefined);
  assert.is((await refusal(limits, knock()))?.status, 429);
});

test('a legitimate attempt can be given back, and the count of a subject can be reset', async ({
  limits,
  db,
}) => {
  for (let i = 0; i < 3; i += 1) await limits.check(knock());
  await db.transaction((trx) => limits.giveBack(trx, knock()));
  assert.is(await refusal(limits, knock()), undefined);
  await db.transaction((trx) => limits.forget(trx, knock()));
  for (let i = 0; i < 3; i += 1) assert.is(await refusal(limits, knock()), undefined);
});

test('the count survives a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'limits-'));
  const open = async () => {
    const db = await databaseIn(folder);
    return { db, limits: createRateLimiter({ db, clock: () => new Date(), enabled: true }) };
  };
  const first = await open();
  for (let i = 0; i < 3; i += 1) await first.limits.check(knock());
  await first.db.destroy();
  const second = await open();
  assert.is((await refusal(second.limits, knock()))?.status, 429);
  await second.db.destroy();
  await rm(folder, { recursive: true });
});

test('subjects are not readable in the table, since people type passwords into the wrong field', async ({
  db,
  limits,
}) => {
  await limits.check(knock('my secret'));
  assert.not.ok(JSON.stringify(await db('attempts')).includes('secret'));
});

test('expired windows are deleted', async ({ db, limits, now }) => {
  await limits.check(knock());
  now.value = new Date('2026-11-20T10:20:00Z');
  await limits.check(knock('later'));
  assert.is(await limits.sweep(), 1);
  assert.is((await db('attempts')).length, 1);
});

test('when disabled, nothing is counted', async ({ db }) => {
  const off = createRateLimiter({ db, clock: () => new Date(), enabled: false });
  for (let i = 0; i < 9; i += 1) await off.check(knock());
  assert.equal(await db('attempts'), []);
});

test.run();
