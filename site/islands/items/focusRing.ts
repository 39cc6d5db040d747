/** Keys that are about no row. Pressed in a list that took the focus by itself, they show no ring. */
const SILENT = new Set(['i', 'I', 'Escape', 'Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock']);

export const showsRing = (key: string): boolean => !SILENT.has(key);

/** Whether a row of a list is marked by a ring now. */
export function isRingShown(): boolean {
  const grid = document.activeElement;
  return grid !== null && grid.matches('.item-grid:focus-visible:not([data-quiet])');
}
