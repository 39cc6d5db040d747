import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createSkipCache, EMPTY_RANGE } from './skip-cache.ts';

/** A cache with a clock that the test advances. */
function cacheWithClock() {
  let time = 0;
  const cache = createSkipCache(() => time);
  return {
    ...cache,
    pass: (ms: number) => void (time += ms),
    /** Records a query of the given duration. */
    query(duration: number, newest: number, first: number | undefined) {
      const began = time;
      time += duration;
      cache.record(1, { began, newest, first });
    },
  };
}

test('the result of an expensive query is kept for fifty times its duration, so that it is not repeated before every file', () => {
  const { query, range, pass } = cacheWithClock();
  query(50, 10_000, 40);
  assert.equal(range(1), { from: 41, to: 10_000 });
  assert.equal(range(2), EMPTY_RANGE, 'another firm has files of its own');
  pass(2499);
  assert.equal(range(1), { from: 41, to: 10_000 });
  pass(1);
  assert.equal(range(1), EMPTY_RANGE, 'what came back from Trash is to be found');
});

test('the result of a fast query is not kept, so that files restored from Trash are read without delay', () => {
  const { query, range } = cacheWithClock();
  query(2, 10_000, undefined);
  assert.equal(range(1), EMPTY_RANGE);
});

test('queries that skip the known range extend it, but not the time for which it is kept', () => {
  const { query, range, pass } = cacheWithClock();
  query(50, 10_000, 40);
  query(1, 10_000, 30);
  assert.equal(range(1), { from: 31, to: 10_000 });
  query(1, 10_001, 10_001);
  assert.equal(range(1), { from: 31, to: 10_000 }, 'a file that is new is not among them');
  query(1, 10_001, undefined);
  assert.equal(range(1), { from: 1, to: 10_001 });
  pass(2500);
  assert.equal(range(1), EMPTY_RANGE);
});

test('marking a file to be read again clears the known range of its firm, so that the file is found at once', () => {
  const { query, range, invalidate } = cacheWithClock();
  query(50, 10_000, undefined);
  invalidate(1);
  assert.equal(range(1), EMPTY_RANGE);
});

test.run();
