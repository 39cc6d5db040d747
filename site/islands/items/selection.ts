/**
 * Selection and focus of a list, which are independent, as in Windows Explorer. Items are identified by id, so a range keeps
 * its anchor when the list is sorted or reloaded.
 */
export interface Selection {
  readonly focus: number | null;
  /** The fixed end of a range. */
  readonly anchor: number | null;
  readonly selected: ReadonlySet<number>;
  /** Items that stay selected while a range grows and shrinks around the anchor. */
  readonly base: ReadonlySet<number>;
  /** Whether the user selected all and has since only ticked or unticked single rows, so that the rest belongs to it. */
  readonly whole: boolean;
}

export type SelectionEvent =
  /** Arrow keys: the focus moves, the selection stays. */
  | { type: 'focus'; id: number }
  | { type: 'toggle'; id: number }
  | { type: 'only'; id: number }
  /** A new item came that was made from `from`: it is selected unless the user has selected something else meanwhile. */
  | { type: 'came'; id: number; from: number }
  /** Shift: selects from the anchor to `id`; `keep` also keeps the items selected before the anchor was set. */
  | { type: 'extend'; id: number; order: readonly number[]; keep: boolean }
  | { type: 'all'; order: readonly number[] }
  /** Selects further rows. */
  | { type: 'add'; ids: readonly number[] }
  | { type: 'clear' }
  /** The list has changed: removed items are deselected, and the focus moves to the row that took their place. */
  | { type: 'retain'; before: readonly number[]; order: readonly number[] }
  | { type: 'restore'; focus: number | null; selected: readonly number[] };

const NONE: ReadonlySet<number> = new Set();
export const EMPTY_SELECTION: Selection = {
  focus: null,
  anchor: null,
  selected: NONE,
  base: NONE,
  whole: false,
};

export function select(state: Selection, event: SelectionEvent): Selection {
  switch (event.type) {
    case 'focus':
      return { ...state, focus: event.id, anchor: event.id, base: state.selected };
    case 'only':
      return { ...EMPTY_SELECTION, focus: event.id, anchor: event.id, selected: new Set([event.id]) };
    case 'came': {
      const isFree = [...state.selected].every((id) => id === event.from);
      return isFree ? select(state, { type: 'only', id: event.id }) : state;
    }
    case 'toggle': {
      const selected = new Set(state.selected);
      if (!selected.delete(event.id)) selected.add(event.id);
      const base = new Set(selected);
      base.delete(event.id);
      return { ...state, focus: event.id, anchor: event.id, selected, base };
    }
    case 'extend': {
      const anchor = state.anchor ?? state.focus ?? event.id;
      const range = between(event.order, anchor, event.id);
      const base = event.keep ? state.base : NONE;
      return { ...EMPTY_SELECTION, focus: event.id, anchor, selected: new Set([...base, ...range]), base };
    }
    case 'all':
      return { ...state, selected: new Set(event.order), base: NONE, whole: true };
    case 'add':
      return { ...state, selected: new Set([...state.selected, ...event.ids]) };
    case 'clear':
      return { ...EMPTY_SELECTION, focus: state.focus, anchor: state.anchor };
    case 'retain':
      return retain(state, event.before, event.order);
    case 'restore': {
      const selected = new Set(event.selected);
      return { ...EMPTY_SELECTION, focus: event.focus, anchor: event.focus, selected, base: selected };
    }
  }
}

function between(order: readonly number[], from: number, to: number): readonly number[] {
  const end = order.indexOf(to);
  const start = order.indexOf(from);
  if (start < 0 || end < 0) return [to];
  return order.slice(Math.min(start, end), Math.max(start, end) + 1);
}

function retain(state: Selection, before: readonly number[], order: readonly number[]): Selection {
  const present = new Set(order);
  const keep = (ids: ReadonlySet<number>) =>
    [...ids].every((id) => present.has(id)) ? ids : new Set([...ids].filter((id) => present.has(id)));
  const focus =
    state.focus === null || present.has(state.focus) ? state.focus : successor(state.focus, before, present);
  const anchor = state.anchor !== null && present.has(state.anchor) ? state.anchor : focus;
  return { ...state, focus, anchor, selected: keep(state.selected), base: keep(state.base) };
}

/** The first remaining row after `removed`, or else the last remaining one before it. */
function successor(removed: number, before: readonly number[], present: ReadonlySet<number>): number | null {
  const index = before.indexOf(removed);
  if (index < 0) return null;
  const after = before.slice(index + 1).find((id) => present.has(id));
  return after ?? before.slice(0, index).findLast((id) => present.has(id)) ?? null;
}
