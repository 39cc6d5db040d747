import { entryKey } from '../../lib/browserHistory.ts';

/** A listing's state per history entry, restored on Back and Forward. */
interface ListingState {
  scroll: number;
  focus: number | null;
  selected: readonly number[];
}

const STORAGE_KEY = 'drive-places';
/** Bounds the size in session storage. */
const MAX_SELECTED = 1000;

let states: Map<string, ListingState> | null = null;
function loadStates(): Map<string, ListingState> {
  if (states) return states;
  states = new Map();
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]');
    if (Array.isArray(stored)) states = new Map(stored as [string, ListingState][]);
  } catch {
    // Without storage a reload loses the states.
  }
  addEventListener('pagehide', () => {
    try {
      sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...loadStates()].slice(-50)));
    } catch {
      // See above.
    }
  });
  return states;
}

export const saveListingState = (state: ListingState): void =>
  void loadStates().set(entryKey(), { ...state, selected: state.selected.slice(0, MAX_SELECTED) });
export const loadListingState = (): ListingState | null => loadStates().get(entryKey()) ?? null;
