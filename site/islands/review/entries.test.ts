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

test('documents in which something was left are not given again until one starts anew', () => {
  const done = walk(walk(GIVEN, { type: 'answered', key: '2 c' }), { type: 'later' });
  assert.equal(walk(done, { type: 'given', entries: [] }).skip, [1]);
  assert.equal(walk(done, { type: 'restart' }).skip, []);
});

test.run();
