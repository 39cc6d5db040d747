import { useEffect } from 'react';
import type { Selection, SelectionEvent } from './selection.ts';
import type { usePagedItems } from './usePagedItems.ts';

interface SelectAll extends Pick<ReturnType<typeof usePagedItems>, 'loadAll' | 'stop'> {
  /** The ids of the loaded items. */
  order: readonly number[];
  selection: Selection;
  send: (event: SelectionEvent) => void;
}

/**
 * Selects all items of a list that is only partly loaded. Loading the rest ends when the user clears the selection or makes
 * another one.
 */
export function useSelectAll({ order, selection, send, loadAll, stop }: SelectAll): () => void {
  useEffect(() => {
    if (!selection.whole) stop?.();
  });
  return () => {
    // Selects the loaded items immediately, which also keeps the selection bar until the rest is loaded.
    send({ type: 'all', order });
    // Not those that were loaded before: the user may have unticked some meanwhile.
    const before = new Set(order);
    void loadAll((ids) => send({ type: 'add', ids: ids.filter((id) => !before.has(id)) }));
  };
}
