import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createSemaphore } from './semaphore.ts';

test('no more tasks than permitted run at the same time, and all run in order', async () => {
  const { run: inTurn } = createSemaphore(2);
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  const work = (id: number) =>
    inTurn(async () => {
      begun.push(id);
      most = Math.max(most, (running += 1));
      await sleep(1);
      running -= 1;
      return id;
    });
  const ids = Array.from({ length: 12 }, (_, id) => id);
  assert.equal(await Promise.all(ids.map(work)), ids);
  assert.equal(begun, ids);
  assert.is(most, 2);
});

test('with a full queue further tasks are refused, and later tasks run again', async () => {
  const refusal = () => new Error('full');
  const { run: inTurn, waiting } = createSemaphore(1, { maxWaiting: 2, refusal });
  const all = Promise.allSettled(Array.from({ length: 5 }, () => inTurn(() => sleep(1))));
  assert.is(waiting(), 2);
  const refused = (await all).filter((one) => one.status === 'rejected');
  assert.is(refused.length, 2);
  assert.is(refused[0]?.reason.message, 'full');
  assert.is(await inTurn(async () => 'again'), 'again');
});

test('a task that fails releases its permit', async () => {
  const { run: inTurn } = createSemaphore(1);
  const fail = () => inTurn(() => Promise.reject(new Error('no')));
  await Promise.allSettled([fail(), fail(), fail()]);
  assert.is(await inTurn(async () => 'still'), 'still');
});

test.run();
