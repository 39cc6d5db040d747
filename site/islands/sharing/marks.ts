import { atom, onMount } from 'nanostores';
import { subscribeToChanges } from '../../lib/liveUpdates.ts';
import { mayOnPage } from '../../lib/permissions.ts';
import { calls } from './calls.ts';

/** Ids of the items that are shared now; loaded once a list is drawn, and again when links or items change. */
export const $sharedItems = atom<ReadonlySet<number>>(new Set());

/** Learns anew what is shared: of what one does oneself no event tells. */
export async function loadMarks(): Promise<void> {
  if (!mayOnPage('share')) return;
  const ids = await calls.marked().catch(() => null);
  if (ids) $sharedItems.set(new Set(ids));
}

onMount($sharedItems, () => {
  if (typeof window === 'undefined') return undefined;
  void loadMarks();
  return subscribeToChanges((pieces) => {
    if (pieces.some(({ kind }) => kind === 'shares')) void loadMarks();
  });
});
