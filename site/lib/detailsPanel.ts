import { atom } from 'nanostores';
import { useSyncExternalStore } from 'react';
import { $detailsBeside, setDetailsBeside } from './preferences.ts';

/** From this width on the details are a panel beside the list, below it a sheet over it. Same value in `items.css` and `details.css`. */
const WIDE = '(width >= 64rem)';

/** `beside` the list (stored as a preference), or a `sheet` over it until closed; null while hidden. */
export type DetailsMode = 'beside' | 'sheet' | null;

const $sheet = atom(false);
const isWide = (): boolean => matchMedia(WIDE).matches;

function currentMode(): DetailsMode {
  if (isWide()) return $detailsBeside.get() ? 'beside' : null;
  return $sheet.get() ? 'sheet' : null;
}

export function openDetails(): void {
  if (isWide()) setDetailsBeside(true);
  else $sheet.set(true);
}

export function closeDetails(): void {
  if (isWide()) setDetailsBeside(false);
  $sheet.set(false);
}

export const toggleDetails = (): void => (currentMode() === null ? openDetails() : closeDetails());

function subscribe(listener: () => void): () => void {
  const wide = matchMedia(WIDE);
  const unsubscribes = [$detailsBeside.listen(listener), $sheet.listen(listener)];
  wide.addEventListener('change', listener);
  return () => {
    for (const unsubscribe of unsubscribes) unsubscribe();
    wide.removeEventListener('change', listener);
    // A sheet does not survive the screen on which it was opened.
    $sheet.set(false);
  };
}

const serverSnapshot = (): DetailsMode => null;

/** How the details are shown; null while hidden, and during server rendering. */
export const useDetailsMode = (): DetailsMode => useSyncExternalStore(subscribe, currentMode, serverSnapshot);
