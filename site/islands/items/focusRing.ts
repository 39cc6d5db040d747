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

/** Whether a list shows its focus ring now. */
export function isRingShown(): boolean {
  const grid = document.activeElement;
  return grid !== null && grid.matches('.item-grid:focus-visible:not([data-quiet])');
}
