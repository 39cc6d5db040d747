import type { RefObject } from 'react';
import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { FolderListing } from '#server/documents/contract.ts';
import { extractions } from '../archive/extractions.ts';
import { entries, followHistory, followLinks } from '../../lib/history.ts';
import type { Place } from '../../lib/place.ts';
import { sameListing } from '../../lib/place.ts';
import type { Preferences } from './preferences.ts';
import { keepPreferences } from './preferences.ts';
import { useDriveState } from '../items/useItemState.ts';
import { useListing } from './useListing.ts';

export interface Start {
  place: Place;
  listing: FolderListing;
  preferences: Preferences;
}

/** The drive's state and what can be done to it; the components only draw it. */
export function useDrive(start: Start, scroller: RefObject<HTMLElement | null>) {
  const state = useDriveState();
  const { selection, send, setSelecting, setAlert, mark, wanted, find } = state;
  const [place, setPlace] = useState(start.place);
  const [preferences, setPreferences] = useState(start.preferences);
  const listing = useListing(place, preferences.sorting, start);
  const { order, byId, ready } = listing;

  // What was selected in one folder means nothing in the next.
  const here = useRef(place);
  const restoring = useRef<number | null>(null);
  const show = useCallback(
    (next: Place) => {
      const moved = !sameListing(here.current, next);
      here.current = next;
      setPlace(next);
      if (!moved) return;
      const kept = entries.recall();
      send({ type: 'restore', focus: kept?.focus ?? null, selected: kept?.selected ?? [] });
      restoring.current = kept?.scroll ?? 0;
      setSelecting(false);
      setAlert(null);
    },
    [send, setSelecting, setAlert],
  );

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
  useEffect(
    () =>
      extractions.onEnded(({ status, folder_id }) => {
        // It is marked if it is in the folder that is open.
        if (status === 'completed') find(folder_id);
      }),
    [find],
  );

  // Back from another page, or a reload: as it was left.
  useLayoutEffect(() => {
    const kept = entries.recall();
    if (!kept || here.current.highlightId) return;
    send({ type: 'restore', focus: kept.focus, selected: kept.selected });
    restoring.current = kept.scroll;
  }, [send]);

  const before = useRef(order);
  useLayoutEffect(() => {
    if (ready && before.current !== order) send({ type: 'retain', before: before.current, order });
    before.current = order;
    const outer = scroller.current;
    if (!outer || restoring.current === null || !ready) return;
    outer.scrollTo({ top: restoring.current });
    restoring.current = null;
  }, [order, ready, scroller, send]);

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
    mark(id);
    find(null);
    if (place.highlightId === id) go({ ...place, highlightId: null }, { replace: true });
  });
  const awaited = wanted ?? place.highlightId;
  const arrived = awaited !== null && byId.has(awaited);
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- the row has come from outside: from the server
    if (arrived) arrive(awaited);
  }, [arrived, awaited]);

  const choose = useCallback((change: Partial<Preferences>) => {
    setPreferences((now) => ({ ...now, ...change }));
  }, []);
  const loaded = useRef(preferences);
  useEffect(() => {
    // What the page was drawn by is what the cookie says.
    if (preferences !== loaded.current) keepPreferences(preferences);
  }, [preferences]);

  const chosen = useMemo(
    () => [...selection.selected].flatMap((id) => byId.get(id) ?? []),
    [selection.selected, byId],
  );

  return {
    ...state,
    place,
    go,
    listing,
    /** The selected items that are in the listing. */
    chosen,
    preferences,
    choose,
  };
}

export type Drive = ReturnType<typeof useDrive>;
