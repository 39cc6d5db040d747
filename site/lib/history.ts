import type { Place } from './place.ts';
import { addressOf, placeAt } from './place.ts';
import type { OpenEvent } from './navigation.ts';
import { followTraversal } from './traversal.ts';

/** What a history entry remembers of a listing, for Back and Forward. */
export interface Remembered {
  scroll: number;
  focus: number | null;
  selected: readonly number[];
}

interface EntryState {
  /** The page router numbers its entries; without a number it would not know the way back. */
  index?: number;
  drive?: { key: string; opened?: boolean };
}

const KEPT = 'drive-places';
/** More would not fit into the session's storage, and nobody looks for them after Back. */
const MOST_SELECTED = 1000;

const state = (): EntryState => (history.state as EntryState | null) ?? {};

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

function entryKey(): string {
  const now = state();
  if (now.drive) return now.drive.key;
  const key = crypto.randomUUID();
  history.replaceState({ ...now, drive: { key } }, '');
  return key;
}

export const entries = {
  remember: (what: Remembered) =>
    void remembered().set(entryKey(), { ...what, selected: what.selected.slice(0, MOST_SELECTED) }),
  recall: (): Remembered | null => remembered().get(entryKey()) ?? null,

  push(place: Partial<Place>, { opened = false } = {}): void {
    entryKey();
    const drive = { key: crypto.randomUUID(), ...(opened && { opened }) };
    history.pushState(
      { ...state(), index: (state().index ?? 0) + 1, scrollX: 0, scrollY: 0, drive },
      '',
      addressOf(place),
    );
  },
  replace: (place: Partial<Place>): void => history.replaceState(history.state, '', addressOf(place)),

  /** Whether this entry was pushed to open a layer, so that Back closes it. */
  isOpened: (): boolean => state().drive?.opened === true,
};

/**
 * Calls `onPlace` for Back and Forward within the drive, and keeps the page router out of them: the listing changes in
 * place. What leads out of the drive is left to the router.
 */
export function followHistory(onPlace: (place: Place) => void): () => void {
  return followTraversal((address) => {
    const place = placeAt(address);
    if (place) onPlace(place);
    return place !== null;
  });
}

/** Calls `onPlace` for links into the drive, wherever on the page they stand, and for what opens an address. */
export function followLinks(onPlace: (place: Place) => void): () => void {
  const listen = (event: MouseEvent) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (
      !link ||
      link.target ||
      link.hasAttribute('download') ||
      link.hasAttribute('data-open') ||
      link.origin !== location.origin
    )
      return;
    const place = placeAt(new URL(link.href));
    if (!place) return;
    event.preventDefault();
    onPlace(place);
  };
  const listenOpen = (event: Event) => {
    const place = placeAt(new URL((event as OpenEvent).detail.href, location.href));
    if (!place) return;
    event.preventDefault();
    onPlace(place);
  };
  document.addEventListener('click', listen, { capture: true });
  document.addEventListener('open-address', listenOpen);
  return () => {
    document.removeEventListener('click', listen, { capture: true });
    document.removeEventListener('open-address', listenOpen);
  };
}
