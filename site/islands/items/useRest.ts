import { useCallback, useLayoutEffect, useRef } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import type { Rest } from './ItemListModel.ts';
import type { Selection } from './selection.ts';

/**
 * Lets an action on a whole list wait for the part that is still being loaded. The returned function resolves with the items
 * to act on: for several selected ones those that are selected then. It does not resolve if the rest does not come, or the
 * selection is given up.
 */
export function useRest<Item extends ItemView>(
  { selection, chosen }: { selection: Selection; chosen: readonly Item[] },
  rest?: Rest,
) {
  const latest = useRef({ selection, chosen, rest });
  const resume = useRef<(() => void) | null>(null);
  useLayoutEffect(() => {
    latest.current = { selection, chosen, rest };
    if (rest?.stop && selection.whole) return;
    if (!rest && selection.whole && chosen.length > 0) resume.current?.();
    resume.current = null;
  });
  return useCallback(async (items: readonly Item[]) => {
    const { selection: now, rest: missing } = latest.current;
    if (!now.whole || items.length < 2 || items.some(({ id }) => !now.selected.has(id))) return items;
    if (missing?.stop)
      await new Promise<void>((resolve) => {
        resume.current = resolve;
      });
    return latest.current.chosen;
  }, []);
}
