import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createPace } from './pace.ts';

const { signal } = new AbortController();

test('all uploads together respect the speed limit, and pieces are small enough for it', async () => {
  let limit = 400_000;
  const pace = createPace(() => limit);
  assert.is(pace.pieceSize(), 100_000);
  const started = performance.now();
  await Promise.all(Array.from({ length: 4 }, () => pace.throttle(20_000, signal)));
  // The first piece is sent immediately, each further one when the previous ones are within the limit.
  assert.ok(performance.now() - started >= 145, 'it went faster than it may');
  limit = 0;
  await pace.throttle(1e9, signal);
  assert.ok(pace.speed() > 1e8);
});

test('an upload that waits for the speed limit can be aborted immediately', async () => {
  const pace = createPace(() => 1);
  const stop = new AbortController();
  await pace.throttle(1000, stop.signal);
  const waiting = pace.throttle(1, stop.signal);
  stop.abort();
  await waiting.then(
    () => assert.unreachable(),
    (error) => assert.is(error.name, 'AbortError'),
  );
});

test.run();
