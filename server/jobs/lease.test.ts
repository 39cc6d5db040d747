import { pino } from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { oneProcess } from '../db/one-process.ts';
import { until } from '../testing/until.ts';
import { freshWorld } from '../testing/world.ts';
import { createJobs } from './service.ts';

const HOUR = 60 * 60_000;

/** Lets the clock by which leases are measured jump ahead. */
function jumpingClock() {
  const now = performance.now.bind(performance);
  let ahead = 0;
  performance.now = () => now() + ahead;
  return {
    jump: (ms: number) => {
      ahead += ms;
    },
    restore: () => {
      performance.now = now;
    },
  };
}

test('a recurring job may run for days while it reports, and is given up when it has not for six hours', async () => {
  const { db, now, close } = await freshWorld();
  await db('jobs').delete();
  const clock = jumpingClock();
  // With several processes the queue is looked at every second.
  const processes = { ...oneProcess(), several: true };
  const jobs = createJobs({ db, clock: now, log: pino({ level: 'silent' }), processes, stopTimeoutMs: 50 });
  const run: { signal?: AbortSignal; report?: () => void } = {};
  jobs.registerRecurring('long', {
    every: HOUR,
    first: 0,
    run: (signal, report) => {
      Object.assign(run, { signal, report });
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    },
  });
  let looked = 0;
  db.on('query', ({ sql }: { sql: string }) => {
    if (/^update `?"?jobs.*progress/.test(sql)) looked += 1;
  });
  try {
    await jobs.start();
    await until(() => run.report !== undefined);
    for (let day = 0; day < 3; day += 1) {
      clock.jump(5 * HOUR);
      run.report!();
      const before = looked;
      await until(() => looked > before || run.signal!.aborted);
      assert.not(run.signal!.aborted, `after ${5 * (day + 1)} hours`);
    }
    clock.jump(7 * HOUR);
    await until(() => run.signal!.aborted);
    await jobs.idle();
    assert.is((await db('jobs').where({ kind: 'long' }).first()).code, 'stuck');
  } finally {
    clock.restore();
    await jobs.stop();
    await close();
  }
});

test.run();
