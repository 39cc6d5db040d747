import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Entry } from './entries.ts';
import { START, reduceReview } from './entries.ts';

const entry = (item: number, field: string) =>
  ({ document: { item: { id: item } }, field: { id: field } }) as Entry;
const LOADED = reduceReview(START, {
  type: 'loaded',
  entries: [entry(1, 'a'), entry(1, 'b'), entry(2, 'c')],
});

test('after an answer, or after postponing a value, the next value without an answer is shown', () => {
  const first = reduceReview(LOADED, { type: 'answered', key: '1 a' });
  assert.is(first.at, 1);
  const postponed = reduceReview(first, { type: 'later' });
  assert.is(postponed.at, 2);
  assert.is(reduceReview(postponed, { type: 'back' }).at, 1);
  const answered = reduceReview(reduceReview(postponed, { type: 'back' }), { type: 'back' });
  assert.is(answered.at, 0, 'going back also leads to an answered value');
  assert.is(
    reduceReview(answered, { type: 'later' }).at,
    1,
    'from which `later` goes on and keeps the answer',
  );
  assert.is(reduceReview(answered, { type: 'back' }).at, 0);
  assert.is(reduceReview(postponed, { type: 'answered', key: '2 c' }).at, 3, 'the end');
});

test('an answer that is saved after the user has gone on does not take the value away that is shown by then', () => {
  const gone = reduceReview(LOADED, { type: 'later' });
  const saved = reduceReview(gone, { type: 'answered', key: '1 a' });
  assert.equal([saved.at, [...saved.answered]], [1, ['1 a']]);
  const gonePastTheEnd = reduceReview(reduceReview(gone, { type: 'later' }), { type: 'later' });
  assert.is(reduceReview(gonePastTheEnd, { type: 'answered', key: '2 c' }).at, 3);
});

test('a value whose answer was taken back is shown again without one', () => {
  const answered = reduceReview(LOADED, { type: 'answered', key: '1 a' });
  const back = reduceReview(answered, { type: 'takenBack', key: '1 a' });
  assert.equal([back.at, back.answered.size], [0, 0]);
});

test('a value whose answer was refused is shown again after the others, so that the refusal does not take the field in which the user is typing', () => {
  const typing = reduceReview(LOADED, { type: 'answered', key: '1 a' });
  const refused = reduceReview(typing, { type: 'failed', key: '1 a' });
  assert.equal([refused.at, [...refused.refused]], [1, ['1 a']]);
  const two = reduceReview(reduceReview(refused, { type: 'answered', key: '1 b' }), {
    type: 'failed',
    key: '1 b',
  });
  assert.is(two.at, 2, 'the second refusal does not replace the first');
  const first = reduceReview(two, { type: 'answered', key: '2 c' });
  assert.is(first.at, 0);
  const second = reduceReview(first, { type: 'answered', key: '1 a' });
  assert.equal([second.at, [...second.refused]], [1, ['1 b']]);
  const done = reduceReview(second, { type: 'later' });
  assert.equal([done.at, done.refused.size], [3, 0], 'a refused value can be left for later');
  const postponed = reduceReview(reduceReview(refused, { type: 'later' }), { type: 'later' });
  assert.is(postponed.at, 0);
  assert.is(
    reduceReview(postponed, { type: 'answered', key: '1 a' }).at,
    3,
    'what was left for later is not shown once more',
  );
});

test('a value refused at the end of the batch is shown again at once, and the other answers are kept', () => {
  const answered = reduceReview(reduceReview(LOADED, { type: 'answered', key: '1 a' }), {
    type: 'answered',
    key: '1 b',
  });
  const ended = reduceReview(answered, { type: 'answered', key: '2 c' });
  const back = reduceReview(ended, { type: 'failed', key: '1 a' });
  assert.equal([back.at, [...back.answered]], [0, ['1 b', '2 c']]);
  assert.equal(reduceReview(answered, { type: 'failed', key: '9 gone' }), answered);
});

test('the user can go back to the previous batch, also from the end, to correct the last answer', () => {
  const done = reduceReview(reduceReview(LOADED, { type: 'answered', key: '1 a' }), {
    type: 'answered',
    key: '1 b',
  });
  const ended = reduceReview(done, { type: 'answered', key: '2 c' });
  const next = reduceReview(ended, { type: 'loaded', entries: [entry(3, 'd')] });
  assert.equal([next.past, next.at, next.entries.length], [3, 3, 4]);
  const back = reduceReview(next, { type: 'back' });
  assert.equal(back.entries[back.at], entry(2, 'c'));
  assert.is(
    reduceReview(back, { type: 'later' }).at,
    3,
    '`later` leads on to the next value without an answer',
  );
  const none = reduceReview(ended, { type: 'loaded', entries: [] });
  assert.equal(
    [none.past, none.at, none.entries.length],
    [3, 3, 3],
    'the end, at which no further batch is loaded',
  );
  assert.is(reduceReview(none, { type: 'back' }).at, 2);
});

test('a value that was answered but not saved, and is loaded again, is in the batch once', () => {
  const done = reduceReview(LOADED, { type: 'answered', key: '1 a' });
  const next = reduceReview(done, { type: 'loaded', entries: [entry(1, 'a')] });
  assert.equal([next.entries.length, next.past, [...next.answered]], [1, 0, []]);
});

test('documents with postponed values are skipped by later batches until the review is restarted', () => {
  const done = reduceReview(reduceReview(LOADED, { type: 'answered', key: '2 c' }), { type: 'later' });
  assert.equal(reduceReview(done, { type: 'loaded', entries: [] }).skip, [1]);
  assert.equal(reduceReview(done, { type: 'restart' }).skip, []);
});

test.run();
