import { mock } from 'node:test';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { throttle } from './throttle.ts';

const test = suite('throttle');
test.before.each(() => mock.timers.enable({ apis: ['Date', 'setTimeout'] }));
test.after.each(() => mock.timers.reset());

test('the first call runs immediately, and all calls during the interval cause one further run after it', () => {
  let count = 0;
  const call = throttle(() => (count += 1), 20);
  call();
  assert.is(count, 1);
  for (let n = 0; n < 50; n += 1) call();
  mock.timers.tick(19);
  assert.is(count, 1);
  mock.timers.tick(1);
  assert.is(count, 2);
  mock.timers.tick(60);
  assert.is(count, 2);
});

test('a trailing run can be cancelled', () => {
  let count = 0;
  const call = throttle(() => (count += 1), 10);
  call();
  call();
  call.cancel();
  mock.timers.tick(40);
  assert.is(count, 1);
});

test.run();
