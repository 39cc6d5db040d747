import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { scrollTopFor, slice, nextIndex } from './virtualRows.ts';

const test = suite('virtual rows of the drive');
const list = { scrolled: 0, height: 400, rowHeight: 40, columns: 1 };
const tiles = { scrolled: 0, height: 400, rowHeight: 200, columns: 4 };

test('of twenty thousand rows only those near the viewport are rendered', () => {
  assert.equal(slice(20_000, list), { start: 0, end: 22 });
  assert.equal(slice(20_000, { ...list, scrolled: 40_000 }), { start: 988, end: 1022 });
  assert.equal(slice(20_000, { ...list, scrolled: 799_600 }), { start: 19_978, end: 20_000 });
});

test('a list that became shorter than its scroll position renders no rows and does not fail', () => {
  assert.equal(slice(3, { ...list, scrolled: 90_000 }), { start: 3, end: 3 });
  assert.equal(slice(0, list), { start: 0, end: 0 });
});

test('tiles are rendered in whole rows', () => {
  assert.equal(slice(1000, { ...tiles, scrolled: 20_000 }), { start: 352, end: 456 });
  assert.equal(slice(5, tiles), { start: 0, end: 5 });
});

test('a focused row outside the visible part of the list, or under the sticky header, is scrolled into view', () => {
  assert.is(scrollTopFor(5, { ...list, scrolled: 200 }, 32), 168);
  assert.is(scrollTopFor(20, list, 32), 440);
  assert.is(scrollTopFor(4, list, 32), null);
});

test('arrows and page keys stop at the ends', () => {
  assert.is(nextIndex('ArrowDown', 9, 10, list), 9);
  assert.is(nextIndex('ArrowUp', 0, 10, list), 0);
  assert.is(nextIndex('PageDown', 0, 100, list), 9);
  assert.is(nextIndex('End', 3, 100, list), 99);
  assert.is(nextIndex('Home', 50, 100, list), 0);
  assert.is(nextIndex('Enter', 0, 10, list), null);
});

test('the first arrow into a list goes to its first row', () => {
  assert.is(nextIndex('ArrowDown', -1, 10, list), 0);
});

test('in tiles, up and down keep the column, and left and right go to the adjacent tile', () => {
  assert.is(nextIndex('ArrowDown', 1, 10, tiles), 5);
  assert.is(nextIndex('ArrowUp', 1, 10, tiles), 1);
  assert.is(nextIndex('ArrowRight', 3, 10, tiles), 4);
  assert.is(nextIndex('ArrowLeft', 0, 10, tiles), 0);
});

test('in tiles, down to a shorter last row goes to its last tile', () => {
  assert.is(nextIndex('ArrowDown', 7, 10, tiles), 9);
  assert.is(nextIndex('ArrowDown', 9, 10, tiles), 9);
});

test('left and right do nothing in a list', () => {
  assert.is(nextIndex('ArrowRight', 3, 10, list), null);
});

test.run();
