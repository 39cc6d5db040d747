import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Entry } from './entries.ts';
import { START, walk } from './entries.ts';

const entry = (item: number, field: string) =>
  ({ document: { item: { id: item } }, field: { id: field } }) as Entry;
const GIVEN = walk(START, { type: 'given', entries: [entry(1, 'a'), entry(1, 'b'), entry(2, 'c')] });

test('an answer leads to the next value that has none, and leaving one as well', () => {
  const one = walk(GIVEN, { type: 'answered', key: '1 a' });
  assert.is(one.at, 1);
  const left = walk(one, { type: 'later' });
  assert.is(left.at, 2);
  assert.is(walk(left, { type: 'back' }).at, 1);
  const answered = walk(walk(left, { type: 'back' }), { type: 'back' });
  assert.is(answered.at, 0, 'also to one that is answered, by a key too many');
  assert.is(walk(answered, { type: 'later' }).at, 1, 'from which one goes on without saying anything');
  assert.is(walk(answered, { type: 'back' }).at, 0);
  assert.is(walk(left, { type: 'answered', key: '2 c' }).at, 3, 'the end');
});

test('an answer that was not kept is asked again, and nothing else is lost by it', () => {
  const ahead = walk(walk(GIVEN, { type: 'answered', key: '1 a' }), { type: 'answered', key: '1 b' });
  const back = walk(ahead, { type: 'failed', key: '1 a' });
  assert.equal([back.at, [...back.answered]], [0, ['1 b']]);
  assert.equal(walk(ahead, { type: 'failed', key: '9 gone' }), ahead);
});

test('one goes back over the beginning of a batch, and from the end: the last key is the one pressed too many', () => {
  const done = walk(walk(GIVEN, { type: 'answered', key: '1 a' }), { type: 'answered', key: '1 b' });
  const ended = walk(done, { type: 'answered', key: '2 c' });
  const next = walk(ended, { type: 'given', entries: [entry(3, 'd')] });
  assert.equal([next.past, next.at, next.entries.length], [3, 3, 4]);
  const back = walk(next, { type: 'back' });
  assert.equal(back.entries[back.at], entry(2, 'c'));
  assert.is(walk(back, { type: 'later' }).at, 3, 'and on again to what nobody has answered');
  const none = walk(ended, { type: 'given', entries: [] });
  assert.equal(
    [none.past, none.at, none.entries.length],
    [3, 3, 3],
    'the end, which asks for no further batch',
  );
  assert.is(walk(none, { type: 'back' }).at, 2);
});

test('a value that was not kept and is given anew stands in the batch once', () => {
  const done = walk(GIVEN, { type: 'answered', key: '1 a' });
  const next = walk(done, { type: 'given', entries: [entry(1, 'a')] });
  assert.equal([next.entries.length, next.past, [...next.answered]], [1, 0, []]);
});

test('documents in which something was left are not given again until one starts anew', () => {
  const done = walk(walk(GIVEN, { type: 'answered', key: '2 c' }), { type: 'later' });
  assert.equal(walk(done, { type: 'given', entries: [] }).skip, [1]);
  assert.equal(walk(done, { type: 'restart' }).skip, []);
});

test.run();
