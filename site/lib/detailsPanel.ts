import { atom } from 'nanostores';
import { useSyncExternalStore } from 'react';
import { $detailsBeside, setDetailsBeside } from './preferences.ts';

/** From this width on the details stand beside a list; else they come over it. `items.css` and `details.css` say the same. */
const ROOM_BESIDE = '(width >= 64rem)';

/** `beside` the list, remembered; a `sheet` over it, until that is closed. */
export type DetailsMode = 'beside' | 'sheet' | null;

const $sheet = atom(false);
const hasRoom = (): boolean => matchMedia(ROOM_BESIDE).matches;

function shown(): DetailsMode {
  if (hasRoom()) return $detailsBeside.get() ? 'beside' : null;
  return $sheet.get() ? 'sheet' : null;
}

export function openDetails(): void {
  if (hasRoom()) setDetailsBeside(true);
  else $sheet.set(true);
}

export function closeDetails(): void {
  if (hasRoom()) setDetailsBeside(false);
  $sheet.set(false);
}

export const toggleDetails = (): void => (shown() === null ? openDetails() : closeDetails());

function subscribe(listener: () => void): () => void {
  const room = matchMedia(ROOM_BESIDE);
  const ends = [$detailsBeside.listen(listener), $sheet.listen(listener)];
  room.addEventListener('change', listener);
  return () => {
    for (const end of ends) end();
    room.removeEventListener('change', listener);
    // A sheet belongs to the screen on which it was opened.
    $sheet.set(false);
  };
}

const onServer = (): DetailsMode => null;

/** How the details are shown now; null while they are not. On the server nothing is known of it. */
export const useDetailsMode = (): DetailsMode => useSyncExternalStore(subscribe, shown, onServer);
