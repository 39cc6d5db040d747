import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import type { JobKind, RecurringJob } from './kinds.ts';
import type { Jobs } from './service.ts';
import { createJobs } from './service.ts';
import { loseCommitAnswer } from '#server/testing/lose-commit-answer.ts';
import { refuseWrites } from '#server/testing/refuse-writes.ts';
import { until } from '#server/testing/until.ts';
import { ServerStopping } from '../stopping.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const log = pino({ level: 'silent' });

interface Works extends World {
  actor: Actor;
  opened: Jobs[];
  /** Creates the jobs service anew, as another start of the server would. */
  open(kinds: Record<string, Partial<JobKind>>, recurring?: Record<string, Partial<RecurringJob>>): Jobs;
  row(kind: string): Promise<Record<string, unknown>>;
}

/** Work that ends on `end()`, and counts how many runs of it were under way at the same time. */
function held() {
  const ends: (() => void)[] = [];
  let now = 0;
  const seen = { most: 0, begun: 0 };
  return {
    seen,
    end: () => ends.splice(0).forEach((end) => end()),
    begun: async (count: number) => {
      await until(() => seen.begun >= count);
      assert.is(seen.begun, count);
    },
    async run(): Promise<{ message: string }> {
      seen.begun += 1;
      seen.most = Math.max(seen.most, (now += 1));
      await new Promise<void>((resolve) => ends.push(resolve));
      now -= 1;
      return { message: 'Done.' };
    },
  };
}

const test = suite<Works>('the queue of the server');
test.before.each(async (works) => {
  Object.assign(works, await freshWorld(), { opened: [] });
  works.actor = await works.build.actor();
  await works.db('jobs').delete();
  works.open = (kinds, recurring = {}) => {
    const jobs = createJobs({ db: works.db, clock: works.now, log, stopTimeoutMs: 50 });
    for (const [kind, how] of Object.entries(kinds))
      jobs.register(kind, { attempts: Infinity, run: async () => ({ message: 'Done.' }), ...how });
    for (const [kind, job] of Object.entries(recurring))
      jobs.registerRecurring(kind, { every: MINUTE, first: 0, run: async () => 0, ...job });
    works.opened.push(jobs);
    return jobs;
  };
  works.row = async (kind) => works.db('jobs').where({ kind }).first();
});
test.after.each(async ({ opened, close }) => {
  await Promise.all(opened.map((jobs) => jobs.stop()));
  await close();
});

const order = ({ db }: Works, jobs: Jobs, kind: string, firm_id?: number) =>
  db.transaction((trx) =>
    jobs.enqueue(trx, { kind, subject: 'test', input: {}, message: 'Waiting', firm_id }),
  );

test('a recurring job runs again after its period, and has one row with the outcome of the last run', async (works) => {
  let count = 3;
  const jobs = works.open({}, { sweep: { run: async () => count } });
  await jobs.start();
  await jobs.idle();
  const { status, message, due_at, finished_at } = await works.row('sweep');
  assert.equal([status, message], ['starting', '3 done']);
  assert.equal([finished_at, due_at], ['2026-11-20T10:00:00.000Z', '2026-11-20T10:01:00.000Z']);
  count = 0;
  await jobs.runDue('sweep');
  assert.is((await works.row('sweep')).message, '3 done', 'not before its time');
  works.advance(MINUTE);
  await jobs.runDue('sweep');
  assert.is((await works.row('sweep')).message, 'Nothing to do');
  assert.is((await works.db('jobs')).length, 1, 'a year of recurring is still one row');
  works.advance(100 * 24 * 60 * MINUTE);
  await jobs.sweep();
  assert.is((await works.db('jobs')).length, 1);
});

test('runs of one recurring job never overlap, however often it is requested', async (works) => {
  const sweep = held();
  const jobs = works.open({}, { sweep: { run: () => sweep.run().then(() => 1) } });
  await jobs.start();
  await sweep.begun(1);
  works.advance(10 * MINUTE);
  const asked = [jobs.runDue('sweep'), jobs.runDue('sweep')];
  await new Promise((next) => setTimeout(next, 20));
  sweep.end();
  await Promise.all(asked);
  assert.equal(sweep.seen, { most: 1, begun: 1 });
});

test('a failed recurring job is retried soon, then with growing pauses, and reports why', async (works) => {
  const fail = () => Promise.reject(new Error('the disk is full'));
  const jobs = works.open({}, { sweep: { every: 60 * MINUTE, run: fail } });
  await jobs.start();
  await jobs.idle();
  const dues: unknown[] = [];
  for (let n = 0; n < 3; n += 1) {
    const { due_at } = await works.row('sweep');
    dues.push(due_at);
    works.advance(Date.parse(String(due_at)) - works.now().getTime());
    await jobs.runDue('sweep');
  }
  assert.equal(dues, ['2026-11-20T10:01:00.000Z', '2026-11-20T10:03:00.000Z', '2026-11-20T10:07:00.000Z']);
  const { recurring } = await jobs.overview();
  assert.equal([recurring[0]!.message, recurring[0]!.attempts], ['the disk is full', 4]);
});

test('without work nothing is written, so that the disk of an idle server can sleep', async (works) => {
  let due = false;
  const jobs = works.open({}, { sweep: { due: async () => due, run: async () => 1 } });
  await jobs.start();
  await jobs.idle();
  const before = await works.row('sweep');
  const writes: string[] = [];
  works.db.on('query', ({ sql }: { sql: string }) => /^select/i.test(sql) || writes.push(sql));
  for (let n = 0; n < 5; n += 1) {
    works.advance(MINUTE);
    await jobs.runDue('sweep');
  }
  assert.equal(writes, []);
  assert.equal(await works.row('sweep'), before);
  assert.is(await jobs.isIdle('sweep'), true, 'the operator is told that it is not stuck');
  due = true;
  assert.is(await jobs.isIdle('sweep'), false);
  works.advance(MINUTE);
  await jobs.runDue('sweep');
  assert.is((await works.row('sweep')).message, '1 done');
});

test('on a full disk the recurring job still runs, since it may free space', async (works) => {
  let recurring = 0;
  const jobs = works.open({ quick: {} }, { sweep: { run: async () => (recurring += 1) } });
  await jobs.start();
  await jobs.idle();
  const allow = await refuseWrites(works.db, 'jobs', 'UPDATE');
  works.advance(MINUTE);
  await order(works, jobs, 'quick');
  while (recurring < 2) await new Promise((next) => setTimeout(next, 10));
  await allow();
  await jobs.idle();
  assert.is(recurring, 2, 'it runs once');
  assert.is((await works.row('quick')).status, 'starting');
  works.advance(MINUTE);
  await jobs.runDue('quick');
  assert.is((await works.row('quick')).status, 'completed');
});

test('a recurring job that another process has taken up does not run here as well because its claim failed', async (works) => {
  let runs = 0;
  const jobs = works.open({}, { sweep: { run: async () => (runs += 1) } });
  await jobs.start();
  await jobs.idle();
  works.advance(MINUTE);
  const transaction = works.db.transaction.bind(works.db);
  const losing = async () => {
    Object.defineProperty(works.db, 'transaction', { configurable: true, value: transaction });
    await works.db('jobs').where({ kind: 'sweep' }).update({ status: 'processing', process: 'another' });
    throw new Error('Lost.');
  };
  Object.defineProperty(works.db, 'transaction', { configurable: true, value: losing });
  await jobs.runDue('sweep');
  assert.equal([runs, (await works.row('sweep')).process], [1, 'another']);
});

test('a job whose claim was written but not confirmed runs, since it would count as running for ever', async (works) => {
  const jobs = works.open({ quick: {} });
  await order(works, jobs, 'quick');
  loseCommitAnswer(works.db, async () => (await works.row('quick')).status === 'processing');
  await jobs.runDue('quick');
  assert.is((await works.row('quick')).status, 'completed');
});

test('a disk that is full when the server starts delays jobs only until there is space', async (works) => {
  let prepared = 0;
  const jobs = works.open({ quick: {} }, { sweep: { run: async () => 7 } });
  const allow = await refuseWrites(works.db, 'jobs', 'INSERT');
  await jobs.start(async () => void (prepared += 1));
  await allow();
  await order(works, jobs, 'quick');
  await jobs.idle();
  await jobs.idle();
  assert.is(prepared, 2);
  assert.equal((await works.db('jobs').orderBy('kind').select('kind', 'message')).map(Object.values), [
    ['quick', 'Done.'],
    ['sweep', '7 done'],
  ]);
});

test('a run interrupted by a crash is repeated at the next start, and a removed kind leaves no row', async (works) => {
  const sweep = held();
  const crashed = works.open({}, { sweep: { run: () => sweep.run().then(() => 1) }, old: {} });
  await crashed.start();
  await sweep.begun(1);
  assert.is((await works.row('sweep')).status, 'processing');
  const next = works.open({}, { sweep: { run: async () => 7 } });
  await next.start();
  await next.idle();
  assert.equal((await works.db('jobs').select('kind', 'message')).map(Object.values), [['sweep', '7 done']]);
  sweep.end();
  await crashed.idle();
});

test('after a clock was set back a recurring job is due after one period at most', async (works) => {
  works.advance(400 * 24 * 60 * MINUTE);
  const ahead = works.open({}, { sweep: {} });
  await ahead.start();
  await ahead.idle();
  await ahead.stop();
  works.advance(-400 * 24 * 60 * MINUTE);
  await works.open({}, { sweep: { first: undefined } }).start();
  assert.is((await works.row('sweep')).due_at, '2026-11-20T10:01:00.000Z');
});

test('a recurring job with `first` runs after each start, since a crash may have left work', async (works) => {
  for (const recurring of [1, 2]) {
    let done = 0;
    const poll = { every: 24 * 60 * MINUTE, first: 0, run: async () => (done += 1) };
    const jobs = works.open({}, { poll });
    await jobs.start();
    await jobs.idle();
    await jobs.stop();
    assert.is(done, 1, `start ${recurring}`);
  }
});

test('a kind of job that hangs delays no other kind, and a firm whose jobs hang no other firm', async (works) => {
  const [slow, emails] = [held(), held()];
  const jobs = works.open(
    { slow: { run: slow.run, slots: 2 }, email: { run: emails.run, slots: 2, perFirm: 1 }, quick: {} },
    { sweep: { run: async () => 5 } },
  );
  const other = (await works.build.actor()).firmId;
  await works.db('jobs').delete();
  for (let n = 0; n < 5; n += 1) await order(works, jobs, 'slow');
  for (let n = 0; n < 5; n += 1) await order(works, jobs, 'email', works.actor.firmId);
  await order(works, jobs, 'email', other);
  const quick = await order(works, jobs, 'quick');
  await jobs.start();
  await Promise.all([slow.begun(2), emails.begun(2)]);
  await jobs.runDue('quick');
  await jobs.runDue('sweep');
  assert.is((await works.db('jobs').where({ id: quick }).first()).status, 'completed');
  assert.is((await works.row('sweep')).message, '5 done');
  const firms = (await works.db('jobs').where({ kind: 'email', status: 'processing' })).map(
    (row) => row.firm_id,
  );
  assert.equal(firms.toSorted(), [works.actor.firmId, other].toSorted());
});

test('a failed job is retried with growing pauses, and then given up', async (works) => {
  const tries: number[] = [];
  const jobs = works.open({
    flaky: {
      run: async () => {
        tries.push(works.now().getTime());
        throw new Error('not now');
      },
      retryAfterMs: (_error, { attempt }) => (attempt < 4 ? attempt * MINUTE : null),
    },
  });
  const id = await works.db.transaction((trx) =>
    jobs.enqueue(trx, {
      kind: 'flaky',
      subject: 'test',
      input: {},
      sealed: Buffer.from('secret'),
      message: 'Waiting',
    }),
  );
  for (let n = 0; n < 10; n += 1) {
    await jobs.runDue('flaky');
    works.advance(MINUTE);
  }
  assert.equal(
    tries.map((at) => (at - tries[0]!) / MINUTE),
    [0, 1, 3, 6],
  );
  const { status, message, sealed } = await works.db('jobs').where({ id }).first();
  assert.equal(
    [status, message, sealed],
    ['failed', 'not now', null],
    'what was secret is gone with its end',
  );
});

test('a job added in a transaction that is rolled back never runs', async (works) => {
  const jobs = works.open({ quick: {} });
  await works.db
    .transaction(async (trx) => {
      await jobs.enqueue(trx, { kind: 'quick', subject: 'test', input: {}, message: 'Waiting' });
      throw new Error('undone');
    })
    .catch(() => {});
  assert.is(await jobs.runDue('quick'), 0);
  assert.equal(await works.db('jobs'), []);
});

test('jobs of the server appear in no user’s panel, count towards no user’s limit, and cannot be cancelled', async (works) => {
  const jobs = works.open({ quick: {} }, { sweep: {} });
  const { actor } = works;
  await jobs.start();
  const id = await order(works, jobs, 'quick', actor.firmId);
  for (const kind of ['quick', 'sweep']) assert.equal(await jobs.list(actor, kind, { over: true }), []);
  for (const call of [
    () => jobs.view(actor, id),
    () => jobs.cancel(actor, id),
    () => works.services.extraction.status(actor, id),
  ]) {
    await call().then(
      () => assert.unreachable(),
      (error) => assert.is(error.status, 404),
    );
  }
  assert.equal(await works.services.extraction.running(actor), []);
});

test('stopping takes no longer than its time limit, even if a job ignores the signal', async (works) => {
  const deaf = held();
  const jobs = works.open({ deaf: { run: deaf.run } });
  const id = await order(works, jobs, 'deaf');
  await jobs.start();
  await deaf.begun(1);
  await jobs.stop();
  assert.is((await works.db('jobs').where({ id }).first()).status, 'processing');
  const next = works.open({ deaf: {} });
  await next.start();
  await next.idle();
  assert.is((await works.db('jobs').where({ id }).first()).status, 'completed', 'the next start does it');
  deaf.end();
  await jobs.idle();
});

test('a run learns that the server stops, so that it does not report a failure', async (works) => {
  let reason: unknown;
  const run = (signal: AbortSignal) =>
    new Promise<number>((resolve) =>
      signal.addEventListener('abort', () => {
        reason = signal.reason;
        resolve(0);
      }),
    );
  const jobs = works.open({}, { sweep: { run } });
  await jobs.start();
  await jobs.stop();
  assert.instance(reason, ServerStopping);
});

test('an operator sees what runs, waits and failed, with the firm but nothing of the content', async (works) => {
  const slow = held();
  const jobs = works.open(
    { slow: { run: slow.run }, bad: { run: () => Promise.reject(new Error('refused')) } },
    { sweep: {} },
  );
  await jobs.start();
  await order(works, jobs, 'bad', works.actor.firmId);
  await order(works, jobs, 'slow');
  await slow.begun(1);
  await jobs.runDue('bad');
  for (let n = 0; n < 60; n += 1) await order(works, jobs, 'slow');
  const { recurring, running, waiting, failed } = await jobs.overview();
  assert.equal(
    [recurring.length, running.length, waiting.jobs.length, failed.length],
    [1, 2, 50, 1],
    'two, since a firm has two at once',
  );
  assert.is(waiting.all, 59);
  assert.equal([failed[0]!.firm, failed[0]!.message], ['Rao & Co', 'refused']);
  assert.not('sealed' in failed[0]!);
  slow.end();
});

test.run();
