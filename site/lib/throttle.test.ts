import { setTimeout as wait } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { throttle } from './throttle.ts';

const test = suite('throttle');

test('the first call runs immediately, and all calls during the interval cause one further run after it', async () => {
  let count = 0;
  const call = throttle(() => (count += 1), 20);
  call();
  assert.is(count, 1);
  for (let n = 0; n < 50; n += 1) call();
  assert.is(count, 1);
  while (count < 2) await wait(5);
  await wait(60);
  assert.is(count, 2);
});

test('a trailing run can be cancelled', async () => {
  let count = 0;
  const call = throttle(() => (count += 1), 10);
  call();
  call();
  call.cancel();
  await wait(40);
  assert.is(count, 1);
});

test.run();
