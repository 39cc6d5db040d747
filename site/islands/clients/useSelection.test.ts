import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { choose, chooseAll } from './useSelection.ts';

const test = suite('choosing clients');
const order = ['A', 'B', 'C', 'D'].map((name, index) => ({ id: index + 1, name }));
const ids = (chosen: ReadonlyMap<number, string>) => [...chosen.keys()].toSorted();

test('a click selects or deselects one client and keeps the others, also those that the filter no longer shows', () => {
  const first = choose(new Map([[9, 'Z']]), order, 2, { on: true, from: null });
  assert.equal(ids(first), [2, 9]);
  assert.equal(ids(choose(first, order, 2, { on: false, from: null })), [9]);
});

test('Shift+click selects the range from the last clicked row, or one row if that one is no longer listed', () => {
  assert.equal(ids(choose(new Map(), order, 4, { on: true, from: 2 })), [2, 3, 4]);
  assert.equal(ids(choose(new Map(), order, 1, { on: true, from: 3 })), [1, 2, 3]);
  assert.equal(ids(choose(new Map(), order, 3, { on: true, from: 77 })), [3]);
});

test('Select all adds every matching client, but not one that was unticked while the others were loading', () => {
  const matching = new Map(order.map(({ id, name }) => [id, name]));
  const before = new Map([
    [2, 'B'],
    [3, 'C'],
  ]);
  const now = new Map([
    [3, 'C'],
    [9, 'Z'],
  ]);
  assert.equal(ids(chooseAll(now, matching, before)), [1, 3, 4, 9]);
});

test.run();
