import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SelectionEvent } from './selection.ts';
import { EMPTY_SELECTION, select } from './selection.ts';

const test = suite('selection in the drive');
const order = [1, 2, 3, 4, 5, 6];
const play = (...events: SelectionEvent[]) => events.reduce(select, EMPTY_SELECTION);
const chosen = (...events: SelectionEvent[]) => [...play(...events).selected].toSorted((a, b) => a - b);

test('arrow keys move the focus and do not change the selection', () => {
  const state = play({ type: 'only', id: 2 }, { type: 'focus', id: 5 });
  assert.is(state.focus, 5);
  assert.equal([...state.selected], [2]);
});

test('a range grows and shrinks around its anchor', () => {
  const extend = (id: number) => ({ type: 'extend', id, order, keep: true }) as const;
  assert.equal(chosen({ type: 'only', id: 3 }, extend(5)), [3, 4, 5]);
  assert.equal(chosen({ type: 'only', id: 3 }, extend(5), extend(4)), [3, 4]);
  assert.equal(chosen({ type: 'only', id: 3 }, extend(5), extend(1)), [1, 2, 3]);
});

test('a range ending on a selected row keeps it selected', () => {
  const events = [{ type: 'toggle', id: 5 } as const, { type: 'focus', id: 3 } as const];
  assert.equal(chosen(...events, { type: 'extend', id: 5, order, keep: true }), [3, 4, 5]);
});

test('Shift+click deselects rows outside the range, Ctrl+Shift+click keeps them', () => {
  const earlier = [{ type: 'only', id: 1 } as const, { type: 'toggle', id: 4 } as const];
  assert.equal(chosen(...earlier, { type: 'extend', id: 6, order, keep: false }), [4, 5, 6]);
  assert.equal(chosen(...earlier, { type: 'extend', id: 6, order, keep: true }), [1, 4, 5, 6]);
});

test('the anchor survives a sort, because it is a row and not a position', () => {
  const sorted = [6, 5, 1, 2, 4, 3];
  assert.equal(
    chosen({ type: 'only', id: 2 }, { type: 'extend', id: 6, order: sorted, keep: false }),
    [1, 2, 5, 6],
  );
});

test('toggling selects and deselects one row', () => {
  assert.equal(chosen({ type: 'toggle', id: 2 }, { type: 'toggle', id: 4 }, { type: 'toggle', id: 2 }), [4]);
});

test('`all` selects the whole folder, and `clear` keeps the focus', () => {
  const state = play({ type: 'focus', id: 4 }, { type: 'all', order }, { type: 'clear' });
  assert.is(state.selected.size, 0);
  assert.is(state.focus, 4);
  assert.equal(chosen({ type: 'all', order }), order);
});

test('the rest of a long list belongs to `all` until the user makes another selection, and unticked rows stay unticked', () => {
  const all = { type: 'all', order: [1, 2, 3] } as const;
  const unticked = play(all, { type: 'toggle', id: 2 });
  assert.ok(unticked.whole);
  assert.equal([...select(unticked, { type: 'add', ids: [4, 5] }).selected], [1, 3, 4, 5]);
  const others = [
    { type: 'only', id: 3 },
    { type: 'clear' },
    { type: 'extend', id: 2, order, keep: false },
  ] as const;
  for (const other of others) assert.not(play(all, other).whole, other.type);
});

test('a refresh keeps the selection, and deselects only removed rows', () => {
  const selected = [{ type: 'all', order } as const];
  assert.equal(chosen(...selected, { type: 'retain', before: order, order: [1, 3, 9] }), [1, 3]);
});

test('when the focused row was removed, the focus goes to the row that took its place', () => {
  const focused = (id: number, remaining: number[]) =>
    play({ type: 'focus', id }, { type: 'retain', before: order, order: remaining }).focus;
  assert.is(focused(3, [1, 2, 4, 5]), 4);
  assert.is(focused(6, [1, 2]), 2);
  assert.is(focused(6, []), null);
});

test('a refresh keeps a selection of twenty thousand rows, except the removed row', () => {
  const many = Array.from({ length: 20_000 }, (_, index) => index + 1);
  const state = play({ type: 'all', order: many }, { type: 'retain', before: many, order: many.slice(1) });
  assert.is(state.selected.size, 19_999);
});

test('an item that comes by itself is selected only while nothing is, or only what it was made from', () => {
  const came = { type: 'came', id: 9, from: 2 } as const;
  assert.equal(chosen(came), [9]);
  assert.equal(chosen({ type: 'only', id: 2 }, came), [9]);
  assert.equal(chosen({ type: 'only', id: 3 }, came), [3]);
  const range = { type: 'extend', id: 4, order, keep: true } as const;
  assert.equal(chosen({ type: 'only', id: 2 }, range, came), [2, 3, 4]);
});

test.run();
