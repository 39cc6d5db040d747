import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Entry } from './entries.ts';
import { START, reduceReview } from './entries.ts';

const entry = (item: number, field: string) =>
  ({ document: { item: { id: item } }, field: { id: field } }) as Entry;
const GIVEN = reduceReview(START, { type: 'loaded', entries: [entry(1, 'a'), entry(1, 'b'), entry(2, 'c')] });

test('an answer leads to the next value that has none, and leaving one as well', () => {
  const one = reduceReview(GIVEN, { type: 'answered', key: '1 a' });
  assert.is(one.at, 1);
  const left = reduceReview(one, { type: 'later' });
  assert.is(left.at, 2);
  assert.is(reduceReview(left, { type: 'back' }).at, 1);
  const answered = reduceReview(reduceReview(left, { type: 'back' }), { type: 'back' });
  assert.is(answered.at, 0, 'also to one that is answered, by a key too many');
  assert.is(
    reduceReview(answered, { type: 'later' }).at,
    1,
    'from which one goes on without saying anything',
  );
  assert.is(reduceReview(answered, { type: 'back' }).at, 0);
  assert.is(reduceReview(left, { type: 'answered', key: '2 c' }).at, 3, 'the end');
});

test('an answer that was not kept is asked again, and nothing else is lost by it', () => {
  const ahead = reduceReview(reduceReview(GIVEN, { type: 'answered', key: '1 a' }), {
    type: 'answered',
    key: '1 b',
  });
  const back = reduceReview(ahead, { type: 'failed', key: '1 a' });
  assert.equal([back.at, [...back.answered]], [0, ['1 b']]);
  assert.equal(reduceReview(ahead, { type: 'failed', key: '9 gone' }), ahead);
});

test('one goes back over the beginning of a batch, and from the end: the last key is the one pressed too many', () => {
  const done = reduceReview(reduceReview(GIVEN, { type: 'answered', key: '1 a' }), {
    type: 'answered',
    key: '1 b',
  });
  const ended = reduceReview(done, { type: 'answered', key: '2 c' });
  const next = reduceReview(ended, { type: 'loaded', entries: [entry(3, 'd')] });
  assert.equal([next.past, next.at, next.entries.length], [3, 3, 4]);
  const back = reduceReview(next, { type: 'back' });
  assert.equal(back.entries[back.at], entry(2, 'c'));
  assert.is(reduceReview(back, { type: 'later' }).at, 3, 'and on again to what nobody has answered');
  const none = reduceReview(ended, { type: 'loaded', entries: [] });
  assert.equal(
    [none.past, none.at, none.entries.length],
    [3, 3, 3],
    'the end, which asks for no further batch',
  );
  assert.is(reduceReview(none, { type: 'back' }).at, 2);
});

test('a value that was not kept and is given anew stands in the batch once', () => {
  const done = reduceReview(GIVEN, { type: 'answered', key: '1 a' });
  const next = reduceReview(done, { type: 'loaded', entries: [entry(1, 'a')] });
  assert.equal([next.entries.length, next.past, [...next.answered]], [1, 0, []]);
});

test('documents in which something was left are not given again until one starts anew', () => {
  const done = reduceReview(reduceReview(GIVEN, { type: 'answered', key: '2 c' }), { type: 'later' });
  assert.equal(reduceReview(done, { type: 'loaded', entries: [] }).skip, [1]);
  assert.equal(reduceReview(done, { type: 'restart' }).skip, []);
});

test.run();
