import type { TransitionBeforePreparationEvent } from 'astro:transitions/client';
import { uniqueKey } from './uniqueKey.ts';

/** What an entry of the history holds. Nothing else reads or writes `history.state`. */
interface EntryState {
  /** The page router numbers its entries; without a number it would not know the way back. */
  index?: number;
  scrollX?: number;
  scrollY?: number;
  drive?: { key: string; opened?: boolean };
  /** Pixels from the top of the list that the entry shows. */
  listed?: number;
}

const state = (): EntryState => (history.state as EntryState | null) ?? {};

/** A new entry for an address of this very screen. `opened`: it opens a layer, and Back closes that. */
export function pushUrl(address: string, { opened: opensLayer = false } = {}): void {
  entryKey();
  const drive = { key: uniqueKey(), ...(opensLayer && { opened: opensLayer }) };
  history.pushState(
    { ...state(), index: (state().index ?? 0) + 1, scrollX: 0, scrollY: 0, drive },
    '',
    address,
  );
}

/** Another address for the entry that is shown. */
export const replaceUrl = (address: string): void => history.replaceState(history.state, '', address);

/** Whether this entry was pushed to open a layer, so that Back closes it. */
export const isLayerEntry = (): boolean => state().drive?.opened === true;

/** What this entry is known by, however often it is come back to. */
export function entryKey(): string {
  const now = state();
  if (now.drive) return now.drive.key;
  const key = uniqueKey();
  history.replaceState({ ...now, drive: { key } }, '');
  return key;
}

/** How far down the list of this entry was, in pixels. */
export const savedListScroll = (): number => state().listed ?? 0;
export const saveListScroll = (listed: number): void => history.replaceState({ ...state(), listed }, '');

/**
 * Hears of Back and Forward before the page router fetches a page for them. Where `show` says that it has shown the
 * address in place, the router is kept out: its new page never arrives, and what is on the screen stays.
 * @returns what ends it.
 */
export function interceptTraversal(show: (address: URL) => boolean): () => void {
  const listen = (event: Event) => {
    const preparation = event as TransitionBeforePreparationEvent;
    if (preparation.navigationType !== 'traverse' || !show(preparation.to)) return;
    // The router has no way to be told "done already"; the next navigation lets go of this promise.
    preparation.loader = () => new Promise(() => {});
  };
  document.addEventListener('astro:before-preparation', listen);
  return () => document.removeEventListener('astro:before-preparation', listen);
}
