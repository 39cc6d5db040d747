import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pino } from 'pino';
import type { Actor } from '#server/actor.ts';
import { AppError } from '../http/errors.ts';
import { currentRequest, inRequest } from '../http/request-context.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';
import type { JobWork } from './kinds.ts';
import type { Jobs } from './service.ts';
import { createJobs } from './service.ts';
import { until } from '#server/testing/until.ts';

const DAY = 24 * 60 * 60_000;

interface Works extends World {
  jobs: Jobs;
  actor: Actor;
  /** The started runs in order, each with the function that ends it. */
  begun: { work: JobWork; end(outcome?: Error | string): void }[];
  add(actor?: Actor, kind?: string): Promise<number>;
  settled(count: number): Promise<void>;
}

const log = pino({ level: 'silent' });

function createWorks(world: World, begun: Works['begun'], { attempts = 2, slots = 3 } = {}): Jobs {
  const jobs = createJobs({ db: world.db, clock: world.now, log, slots, perFirm: 2 });
  jobs.register('test', {
    attempts,
    run: (work) =>
      new Promise((resolve, reject) => {
        work.signal.addEventListener('abort', () => reject(work.signal.reason as Error));
        const end = (outcome: Error | string = 'Done.') =>
          typeof outcome === 'string' ? resolve({ message: outcome, data: { n: work.id } }) : reject(outcome);
        begun.push({ work, end });
      }),
  });
  return jobs;
}

const test = suite<Works>('jobs');
test.before.each(async (works) => {
  const world = await freshWorld();
  const begun: Works['begun'] = [];
  const jobs = createWorks(world, begun);
  const actor = await world.build.actor();
  // Deletes the job of the welcome e-mail, which these tests do not need.
  await world.db('jobs').delete();
  Object.assign(works, world, { begun, jobs, actor });
  works.add = (by = actor, kind = 'test') =>
    world.db.transaction((trx) =>
      jobs.add(trx, by, { kind, subject: 'item:1', input: { a: 1 }, message: 'Waiting' }),
    );
  works.settled = async (count) => {
    await until(() => begun.length >= count);
    assert.is(begun.length, count);
  };
});
test.after.each(async (works) => {
  await works.jobs.stop();
  await works.close();
});

test('a job waits, runs, reports its progress, and ends with its result', async ({
  jobs,
  actor,
  add,
  begun,
  settled,
}) => {
  const id = await add();
  assert.equal((await jobs.view(actor, id)).status, 'starting');
  await jobs.start();
  await settled(1);
  const { work, end } = begun[0]!;
  assert.equal([work.id, work.attempt, work.input, work.actor], [id, 1, { a: 1 }, actor]);
  work.report({ progress: 40, message: 'Reading' });
  work.report({ progress: 30 });
  const now = await jobs.view(actor, id);
  assert.equal(
    [now.status, now.progress, now.message],
    ['processing', 40, 'Reading'],
    'progress never falls',
  );
  end('Read 3 pages.');
  await jobs.idle();
  const view = await jobs.view(actor, id);
  assert.equal(
    [view.status, view.progress, view.message, view.data],
    ['completed', 100, 'Read 3 pages.', { n: id }],
  );
});

test('an unexpected error is reported without details, an AppError with its message', async ({
  jobs,
  actor,
  add,
  begun,
  settled,
}) => {
  await jobs.start();
  const [fault, refusal] = [await add(), await add()];
  await settled(2);
  begun[0]!.end(new Error('SELECT secret FROM users'));
  begun[1]!.end(new AppError(422, 'damaged', 'This file is damaged.'));
  await jobs.idle();
  const told = await jobs.view(actor, fault);
  assert.equal([told.status, told.code], ['failed', 'internal']);
  assert.not.match(told.message, /SELECT/);
  const refused = await jobs.view(actor, refusal);
  assert.equal(
    [refused.status, refused.code, refused.message],
    ['failed', 'damaged', 'This file is damaged.'],
  );
});

test('a job of an unregistered kind fails instead of waiting for ever', async ({ jobs, actor, add }) => {
  await jobs.start();
  const id = await add(actor, 'unknown');
  await jobs.idle();
  assert.is((await jobs.view(actor, id)).status, 'failed');
});

test('firms take turns, so that a hundred jobs of one firm do not delay another', async ({
  jobs,
  build,
  add,
  begun,
  settled,
  actor,
}) => {
  const other = await build.actor();
  for (let n = 0; n < 6; n += 1) await add();
  const [first, second] = [await add(other), await add(other)];
  await jobs.start();
  await settled(3);
  // Their transactions end in any order.
  const firms = begun.map(({ work }) => work.actor!.firmId);
  assert.equal(
    firms.filter((firm) => firm === actor.firmId).length,
    2,
    'two of one firm, and one of the other',
  );
  const another = begun.find(({ work }) => work.actor!.firmId === other.firmId)!;
  assert.is(another.work.id, first);
  another.end();
  await settled(4);
  assert.is(begun[3]!.work.id, second, 'and never more than two of one firm');
});

test('the firm with fewer running jobs comes first, although the other has waited longer', async (works) => {
  const { build, begun, add, actor, settled } = works;
  const other = await build.actor();
  for (let n = 0; n < 6; n += 1) await add();
  await add(other);
  const jobs = createWorks(works, begun, { slots: 2 });
  try {
    await jobs.start();
    await settled(2);
    const firms = begun.map(({ work }) => work.actor!.firmId);
    assert.equal(new Set(firms), new Set([actor.firmId, other.firmId]));
  } finally {
    await jobs.stop();
  }
});

test('a user can have at most twenty waiting and running jobs', async ({ add }) => {
  for (let n = 0; n < 20; n += 1) await add();
  await add().then(
    () => assert.unreachable(),
    (error: AppError) => assert.equal([error.status, error.code], [429, 'too_many_jobs']),
  );
});

test('cancelling ends a waiting job at once, and a running one when it has stopped', async ({
  jobs,
  actor,
  add,
  begun,
  settled,
}) => {
  const waiting = await add();
  assert.is((await jobs.cancel(actor, waiting)).status, 'cancelled');
  await jobs.start();
  const id = await add();
  await settled(1);
  await jobs.cancel(actor, id);
  await jobs.idle();
  assert.is((await jobs.view(actor, id)).status, 'cancelled');
  assert.is(begun.length, 1, 'what was cancelled before it began never begins');
  await jobs.cancel(actor, id).then(
    () => assert.unreachable(),
    (error: AppError) => assert.is(error.status, 409),
  );
});

test('a job that a crash interrupted runs again, and fails after too many attempts', async (works) => {
  const { db, actor, add, begun } = works;
  const id = await add();
  await works.jobs.start();
  await works.settled(1);
  // As after a crash of the process that ran it: the job never ends, and its row says "processing".
  for (const attempt of [2, 3]) {
    const next = createWorks(works, begun);
    await next.start();
    await works.settled(2);
    if (attempt === 2) assert.equal([begun[1]!.work.id, begun[1]!.work.attempt], [id, 2]);
    else assert.equal((await next.view(actor, id)).status, 'failed');
    await db('jobs').where({ id, status: 'starting' }).update({ status: 'processing' });
  }
  const end = await works.jobs.view(actor, id);
  assert.equal([end.status, end.code], ['failed', 'interrupted']);
  assert.match(end.message, /restarted/);
});

test('a job completed in a transaction stays completed, even if it is cancelled right after', async ({
  jobs,
  actor,
  add,
  begun,
  settled,
  db,
}) => {
  await jobs.start();
  const id = await add();
  await settled(1);
  const { work } = begun[0]!;
  await db.transaction((trx) => work.settle(trx, { message: 'All there.', data: {} }));
  await jobs.cancel(actor, id).catch(() => {});
  await jobs.stop();
  const view = await jobs.view(actor, id);
  assert.equal([view.status, view.message], ['completed', 'All there.']);
});

test('another user’s job does not exist, even within the firm', async ({ jobs, actor, build, add }) => {
  const id = await add();
  for (const other of [await build.actor(), { ...actor, userId: actor.userId + 1000 }]) {
    await jobs.view(other, id).then(
      () => assert.unreachable(),
      (error: AppError) => assert.is(error.status, 404),
    );
  }
});

test('the row of a job is deleted a week after its end, and not before', async ({
  jobs,
  actor,
  add,
  begun,
  settled,
  advance,
}) => {
  await jobs.start();
  const id = await add();
  await settled(1);
  advance(30 * DAY);
  assert.is(await jobs.sweep(), 0);
  begun[0]!.end();
  await jobs.idle();
  advance(6 * DAY);
  assert.is(await jobs.sweep(), 0);
  advance(2 * DAY);
  assert.is(await jobs.sweep(), 1);
  await jobs.view(actor, id).then(
    () => assert.unreachable(),
    (error: AppError) => assert.is(error.status, 404),
  );
});

test('a job runs outside of all requests, since the one whose end starts it may be that of another user, and its entries in the history name the address that it was added from', async ({
  jobs,
  actor,
  add,
  build,
  db,
  services: { audit },
}) => {
  const ravi = await build.colleague(actor);
  const places: (string | undefined)[] = [];
  const ends: (() => void)[] = [];
  jobs.register('placed', {
    attempts: 1,
    slots: 1,
    async run({ actor: by }) {
      places.push(currentRequest()?.ip);
      await audit.recordAlone({ actor: by!, did: 'test.placed' });
      await new Promise<void>((end) => ends.push(end));
      return { message: 'Done' };
    },
  });
  await jobs.start();
  const placed = (ip: string, by: Actor) => inRequest({ requestId: ip, ip }, () => add(by, 'placed'));
  await placed('192.0.2.1', actor);
  await until(() => ends.length === 1);
  await placed('192.0.2.2', ravi.actor);
  ends[0]!();
  await until(() => ends.length === 2);
  ends[1]!();
  await jobs.idle();
  assert.equal(places, [undefined, undefined]);
  const entries = await db('audit_events').where({ did: 'test.placed' }).orderBy('id').pluck('ip');
  assert.equal(entries, ['192.0.2.1', '192.0.2.2']);
});

test.run();
