import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { recentlyUsed } from './recentlyUsed.ts';

test('one value too many pushes out the one that was not used for longest, and not the one in use', () => {
  const removed: string[] = [];
  const cache = recentlyUsed<number, string>(2, (value) => removed.push(value));
  cache.set(1, 'one');
  cache.set(2, 'two');
  cache.get(1);
  cache.set(3, 'three');
  assert.equal(removed, ['two']);
  assert.equal([cache.get(1), cache.get(2), cache.get(3)], ['one', undefined, 'three']);
});

test('a value that is removed by hand is not handed to the caller again', () => {
  const removed: string[] = [];
  const cache = recentlyUsed<number, string>(1, (value) => removed.push(value));
  cache.set(1, 'one');
  cache.delete(1);
  cache.set(2, 'two');
  assert.equal(removed, []);
});

test.run();
