import type { TransitionBeforePreparationEvent } from 'astro:transitions/client';
import { uniqueKey } from './uniqueKey.ts';

/** The state of a history entry. No other module reads or writes `history.state`. */
interface EntryState {
  /** Set by Astro's router, which compares indexes to tell Back from Forward. */
  index?: number;
  scrollX?: number;
  scrollY?: number;
  drive?: { key: string; opened?: boolean };
  /** Scroll position of the entry's list, in pixels. */
  listed?: number;
}

const state = (): EntryState => (history.state as EntryState | null) ?? {};

/** The index of the entry that is shown, while Back and Forward are held. */
let shownIndex = 0;

/**
 * Pushes an entry for another URL of the current screen; none for the present one, which a second click of a double click names.
 * `opensLayer`: the entry opens a layer, which Back closes.
 */
export function pushUrl(address: string, { opensLayer = false } = {}): void {
  if (new URL(address, location.href).href === location.href) return;
  entryKey();
  const drive = { key: uniqueKey(), ...(opensLayer && { opened: opensLayer }) };
  history.pushState(
    { ...state(), index: (state().index ?? 0) + 1, scrollX: 0, scrollY: 0, drive },
    '',
    address,
  );
  shownIndex = state().index ?? 0;
}

/** Replaces the current entry's URL. */
export const replaceUrl = (address: string): void => history.replaceState(history.state, '', address);

/** Whether the current entry was pushed to open a layer, so that Back closes it. */
export const isLayerEntry = (): boolean => state().drive?.opened === true;

/** A stable key of the current history entry, the same after Back and Forward. */
export function entryKey(): string {
  const now = state();
  if (now.drive) return now.drive.key;
  const key = uniqueKey();
  history.replaceState({ ...now, drive: { key } }, '');
  return key;
}

/** The scroll position saved for the current entry's list, in pixels. */
export const savedListScroll = (): number => state().listed ?? 0;
export const saveListScroll = (listed: number): void => history.replaceState({ ...state(), listed }, '');

/**
 * Intercepts Back and Forward before Astro's router fetches a page. If `show` returns true, it has rendered the URL in
 * place, and the router's navigation is suspended so that the screen stays.
 * @returns unsubscribe.
 */
export function interceptTraversal(show: (address: URL) => boolean): () => void {
  const onPreparation = (event: Event) => {
    const preparation = event as TransitionBeforePreparationEvent;
    if (preparation.navigationType !== 'traverse' || !show(preparation.to)) return;
    // The router has no API to skip a navigation; a loader that never resolves is dropped by the next one.
    preparation.loader = () => new Promise(() => {});
  };
  document.addEventListener('astro:before-preparation', onPreparation);
  return () => document.removeEventListener('astro:before-preparation', onPreparation);
}

/**
 * Holds Back and Forward before `interceptTraversal` sees them: the entry stays until `mayLeave` agrees.
 * @returns a function that ends it.
 */
export function holdTraversal(mayLeave: () => Promise<boolean>): () => void {
  shownIndex = state().index ?? 0;
  let returning = false;
  const onPreparation = (event: Event) => {
    const preparation = event as TransitionBeforePreparationEvent;
    if (preparation.navigationType !== 'traverse') return;
    const steps = (state().index ?? 0) - shownIndex;
    if (!returning && steps === 0) return;
    event.stopImmediatePropagation();
    preparation.loader = () => new Promise(() => {});
    if (returning) return;
    // The browser has left the entry already.
    returning = true;
    history.go(-steps);
    void mayLeave().then((left) => left && history.go(steps));
  };
  // The router's listener has run before this one, and has sent its event.
  const onPopState = () => {
    if ((state().index ?? 0) === shownIndex) returning = false;
  };
  document.addEventListener('astro:before-preparation', onPreparation, { capture: true });
  addEventListener('popstate', onPopState);
  return () => {
    document.removeEventListener('astro:before-preparation', onPreparation, { capture: true });
    removeEventListener('popstate', onPopState);
  };
}
