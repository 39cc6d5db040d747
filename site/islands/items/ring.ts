/** Keys that are about no row. Pressed in a list that took the focus by itself, they show no ring. */
const SILENT = new Set(['i', 'I', 'Escape', 'Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock']);

export const showsRing = (key: string): boolean => !SILENT.has(key);

/** Whether the row that has the focus of a list is marked by a ring now. */
export const hasRing = (grid: Element | null): boolean =>
  grid instanceof HTMLElement && grid.dataset['quiet'] === undefined && grid.matches(':focus-visible');
