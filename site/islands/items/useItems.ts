import { useLayoutEffect, useMemo, useReducer, useRef, useState } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import { EMPTY_SELECTION, select } from './selection.ts';

/** The rows of a list and their selection. Items count as removed only while `ready` (see `Rows.ready`). */
export function useItems<Item extends ItemView>(items: readonly Item[], ready: boolean) {
  const [selection, send] = useReducer(select, EMPTY_SELECTION);
  const [selecting, setSelecting] = useState(false);
  const order = useMemo(() => items.map(({ id }) => id), [items]);
  const byId = useMemo(() => new Map(items.map((item) => [item.id, item])), [items]);
  const chosen = useMemo(
    () => [...selection.selected].flatMap((id) => byId.get(id) ?? []),
    [selection.selected, byId],
  );

  const before = useRef(order);
  useLayoutEffect(() => {
    if (ready && before.current !== order) send({ type: 'retain', before: before.current, order });
    before.current = order;
  }, [order, ready]);

  const rows = useMemo(() => ({ items, order, byId, ready }), [items, order, byId, ready]);
  return { rows, selection, send, chosen, selecting, setSelecting };
}
