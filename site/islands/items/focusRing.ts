/** Keys that act on no row. They do not reveal the focus ring of a list that took the focus by itself. */
const RINGLESS_KEYS = new Set([
  'i',
  'I',
  'Escape',
  'Shift',
  'Control',
  'Alt',
  'AltGraph',
  'Meta',
  'CapsLock',
]);

export const showsRing = (key: string): boolean => !RINGLESS_KEYS.has(key);

/** Presses of keys that found the ring hidden, so that the user did not see which row has the focus. */
const unseen = new WeakSet<Event>();

export const noteUnseen = (press: Event): void => void unseen.add(press);

/** Whether the user saw which row has the focus when pressing this key. */
export const sawFocus = (press: Event): boolean =>
  press.target instanceof Element && press.target.closest('.item-grid') !== null && !unseen.has(press);

/** Whether a list shows its focus ring now. */
export function isRingShown(): boolean {
  const grid = document.activeElement;
  return grid !== null && grid.matches('.item-grid:focus-visible:not([data-quiet])');
}
