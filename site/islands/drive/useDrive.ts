import type { RefObject } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import {
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react';
import type { FolderListing, ItemView } from '#server/documents/contract.ts';
import { extractions } from '../extractions/extractions.ts';
import { onUploaded } from '../uploads/uploads.ts';
import { followTabs, refresh } from './cache.ts';
import { entries, followHistory, followLinks } from './history.ts';
import type { Place } from './place.ts';
import { sameListing } from './place.ts';
import type { Preferences } from './preferences.ts';
import { keepPreferences } from './preferences.ts';
import { nothing, select } from './selection.ts';
import { useListing } from './useListing.ts';

/** The dialog that is open, and what it is about. */
export type Asking =
  | { dialog: 'folder' }
  | { dialog: 'rename'; item: ItemView }
  | { dialog: 'client'; items: readonly ItemView[] }
  | { dialog: 'move'; items: readonly ItemView[] }
  | { dialog: 'upload' }
  | { dialog: 'shortcuts' }
  | { dialog: 'failures'; title: string; failures: readonly { name: string; message: string }[] };

export interface Start {
  place: Place;
  listing: FolderListing;
  preferences: Preferences;
}

/** The drive's state and what can be done to it; the components only draw it. */
export function useDrive(start: Start, scroller: RefObject<HTMLElement | null>) {
  const cache = useQueryClient();
  const [place, setPlace] = useState(start.place);
  const [preferences, setPreferences] = useState(start.preferences);
  const [selection, send] = useReducer(select, nothing);
  const [selecting, setSelecting] = useState(false);
  const [asking, ask] = useState<Asking | null>(null);
  const [alert, setAlert] = useState<string | null>(null);
  const [marked, setMarked] = useState<number | null>(null);
  const [wanted, setWanted] = useState<number | null>(null);
  const [cut, setCut] = useState<ReadonlyMap<number, ItemView>>(() => new Map());
  const listing = useListing(place, preferences.sorting, start);
  const { order, byId, ready } = listing;

  // What was selected in one folder means nothing in the next.
  const here = useRef(place);
  const restoring = useRef<number | null>(null);
  const show = useCallback((next: Place) => {
    const moved = !sameListing(here.current, next);
    here.current = next;
    setPlace(next);
    if (!moved) return;
    const kept = entries.recall();
    send({ type: 'restore', focus: kept?.focus ?? null, selected: kept?.selected ?? [] });
    restoring.current = kept?.scroll ?? 0;
    setSelecting(false);
    setAlert(null);
  }, []);

  const go = useCallback(
    (next: Partial<Place>, { replace = false, opened = false } = {}) => {
      const root: Place = { folderId: null, client: null, search: '', previewId: null, highlightId: null };
      const to = { ...root, ...next };
      if (replace) entries.replace(to);
      else entries.push(to, { opened });
      show(to);
    },
    [show],
  );

  useEffect(() => followHistory(show), [show]);
  useEffect(() => followLinks((to) => go(to)), [go]);
  useEffect(() => followTabs(cache), [cache]);
  useEffect(() => onUploaded(() => void refresh(cache)), [cache]);
  useEffect(
    () =>
      extractions.onEnded(({ status, folder_id }) => {
        if (status !== 'completed') return;
        void refresh(cache);
        // It is marked if it is in the folder that is open.
        setWanted(folder_id);
      }),
    [cache],
  );

  // Back from another page, or a reload: as it was left.
  useLayoutEffect(() => {
    const kept = entries.recall();
    if (!kept || here.current.highlightId) return;
    send({ type: 'restore', focus: kept.focus, selected: kept.selected });
    restoring.current = kept.scroll;
  }, []);

  const before = useRef(order);
  useLayoutEffect(() => {
    if (ready && before.current !== order) send({ type: 'retain', before: before.current, order });
    before.current = order;
    const outer = scroller.current;
    if (!outer || restoring.current === null || !ready) return;
    outer.scrollTo({ top: restoring.current });
    restoring.current = null;
  }, [order, ready, scroller]);

  useEffect(() => {
    const outer = scroller.current;
    if (!outer) return undefined;
    const remember = () => {
      if (restoring.current !== null || here.current !== place) return;
      entries.remember({
        scroll: outer.scrollTop,
        focus: selection.focus,
        selected: [...selection.selected],
      });
    };
    remember();
    outer.addEventListener('scrollend', remember);
    return () => outer.removeEventListener('scrollend', remember);
  }, [scroller, selection, place]);

  /** Selects, shows and marks a row. */
  const arrive = useEffectEvent((id: number) => {
    send({ type: 'only', id });
    setMarked(id);
    setWanted(null);
    if (place.highlightId === id) go({ ...place, highlightId: null }, { replace: true });
  });
  const awaited = wanted ?? place.highlightId;
  const arrived = awaited !== null && byId.has(awaited);
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- the row has come from outside: from the server
    if (arrived) arrive(awaited);
  }, [arrived, awaited]);

  useEffect(() => {
    if (marked === null) return undefined;
    const timer = setTimeout(() => setMarked(null), 5000);
    return () => clearTimeout(timer);
  }, [marked]);

  const choose = useCallback((change: Partial<Preferences>) => {
    setPreferences((now) => {
      const next = { ...now, ...change };
      keepPreferences(next);
      return next;
    });
  }, []);

  const chosen = useMemo(
    () => [...selection.selected].flatMap((id) => byId.get(id) ?? []),
    [selection.selected, byId],
  );

  return {
    place,
    go,
    listing,
    selection,
    send,
    /** The selected items that are in the listing. */
    chosen,
    selecting,
    setSelecting,
    preferences,
    choose,
    asking,
    ask,
    alert,
    setAlert,
    /** The row that is marked for a few seconds. */
    marked,
    find: setWanted,
    /** What Ctrl+X took, to be moved by Ctrl+V. */
    cut,
    setCut,
    refresh: () => refresh(cache),
    cache,
  };
}

export type Drive = ReturnType<typeof useDrive>;
