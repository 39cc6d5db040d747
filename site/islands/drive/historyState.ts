import { entryKey } from '../../lib/browserHistory.ts';

/** What a history entry remembers of a listing, for Back and Forward. */
export interface Remembered {
  scroll: number;
  focus: number | null;
  selected: readonly number[];
}

const KEPT = 'drive-places';
/** More would not fit into the session's storage, and nobody looks for them after Back. */
const MOST_SELECTED = 1000;

let memory: Map<string, Remembered> | null = null;
function remembered(): Map<string, Remembered> {
  if (memory) return memory;
  memory = new Map();
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEPT) ?? '[]');
    if (Array.isArray(kept)) memory = new Map(kept as [string, Remembered][]);
  } catch {
    // Storage can be forbidden; then a reload forgets.
  }
  addEventListener('pagehide', () => {
    try {
      sessionStorage.setItem(KEPT, JSON.stringify([...remembered()].slice(-50)));
    } catch {
      // As above.
    }
  });
  return memory;
}

export const remember = (what: Remembered): void =>
  void remembered().set(entryKey(), { ...what, selected: what.selected.slice(0, MOST_SELECTED) });
export const recall = (): Remembered | null => remembered().get(entryKey()) ?? null;
