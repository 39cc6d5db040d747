import { atom, onMount } from 'nanostores';
import { subscribeToChanges } from '../../lib/liveUpdates.ts';
import { mayOnPage } from '../../lib/permissions.ts';
import { calls } from './calls.ts';

/** The ids of all shared items; loaded when a list is first shown and again after changes. */
export const $sharedItems = atom<ReadonlySet<number>>(new Set());

/** Reloads the shared items. The user's own changes must call this, since they cause no event in this tab. */
export async function loadSharedItems(): Promise<void> {
  if (!mayOnPage('share')) return;
  const ids = await calls.marked().catch(() => null);
  if (ids) $sharedItems.set(new Set(ids));
}

onMount($sharedItems, () => {
  if (typeof window === 'undefined') return undefined;
  void loadSharedItems();
  return subscribeToChanges((pieces) => {
    if (pieces.some(({ kind }) => kind === 'shares')) void loadSharedItems();
  });
});
