import type { RefObject } from 'react';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { FolderListing, ItemView } from '#server/documents/contract.ts';
import * as common from '#messages/common.ts';
import { interceptTraversal, pushUrl, replaceUrl } from '../../lib/browserHistory.ts';
import { interceptLinks } from '../../lib/navigation.ts';
import type { DriveLocation } from '../../lib/driveLocation.ts';
import { driveHref, parseDriveUrl, isSameListing } from '../../lib/driveLocation.ts';
import { extractions } from '../archive/extractions.ts';
import type { ItemScreenModel } from '../items/ItemListModel.ts';
import { useItems } from '../items/useItems.ts';
import { MARKED_MS, useItemScreenState } from '../items/useItemScreenState.ts';
import { useRest } from '../items/useRest.ts';
import { useLines } from '../reading/Hits.tsx';
import { folderLayout, previewLocation } from './columns.ts';
import type { Preferences } from './preferences.ts';
import { savePreferences } from './preferences.ts';
import { loadListingState, saveListingState } from './historyState.ts';
import type { Listing } from './useListing.ts';
import { useListing } from './useListing.ts';

export interface Start {
  place: DriveLocation;
  listing: FolderListing;
  preferences: Preferences;
}

/** The state of the drive: a folder, a client's items, or a search by name. */
export interface Drive extends ItemScreenModel {
  place: DriveLocation;
  /** Shows another location; omitted properties get the root's values. */
  go: (place: Partial<DriveLocation>, options?: { replace?: boolean; opensLayer?: boolean }) => void;
  up: () => void;
  listing: Listing;
  setView: (view: Preferences['view']) => void;
  /** Items cut by Ctrl+X, to be moved by Ctrl+V. */
  cut: ReadonlyMap<number, ItemView>;
  setCut: (items: readonly ItemView[]) => void;
}

const TOP: DriveLocation = { folderId: null, client: null, search: '', previewId: null, highlightId: null };

/** Removes the parameter that names an item to mark from the URL of this place. */
function endHighlight(place: DriveLocation): void {
  if (new URL(location.href).searchParams.has('highlight'))
    replaceUrl(driveHref({ ...place, highlightId: null }));
}

/** The drive's state and actions; the components only render them. */
export function useDrive(start: Start, scroller: RefObject<HTMLElement | null>): Drive {
  const [place, setPlace] = useState(start.place);
  const [preferences, setPreferences] = useState(start.preferences);
  const listing = useListing(place, preferences.sorting, start);
  const { items, breadcrumbs, ready } = listing;
  const list = useItems(items, ready);
  const { rows, selection, send, setSelecting } = list;
  const lines = useLines(place.search, place.folderId);
  const stop = useCallback(() => send({ type: 'clear' }), [send]);
  const rest = useMemo(
    () => (ready || !selection.whole ? undefined : { total: null, text: null, select: stop, stop }),
    [ready, selection.whole, stop],
  );
  const withRest = useRest(list, rest);
  const [cut, setCutItems] = useState<ReadonlyMap<number, ItemView>>(() => new Map());
  const setCut = useCallback(
    async (items: readonly ItemView[]) =>
      setCutItems(new Map((await withRest(items)).map((item) => [item.id, item]))),
    [withRest],
  );
  const screen = useItemScreenState({
    byId: rows.byId,
    send,
    setSelecting,
    withRest,
    highlightId: place.highlightId,
    // The URL keeps the parameter until the mark ends, so that a reload marks the item again.
    onFound: (id) => place.highlightId === id && show({ ...place, highlightId: null }),
    onMarkEnded: () => placeRef.current.highlightId === null && endHighlight(placeRef.current),
    // What was cut stays so while it is undecided.
    onMoved: setCut,
  });
  const { setAlert, find } = screen;

  // Who selects all of a large folder before its rest is loaded means the rest as well.
  const beginning = useRef<readonly number[] | null>(null);
  useLayoutEffect(() => {
    const known = new Set(beginning.current);
    if (ready && known.size > 0 && selection.whole)
      send({ type: 'add', ids: rows.order.filter((id) => !known.has(id)) });
    beginning.current = ready ? null : rows.order;
  }, [ready, rows.order, selection.whole, send]);

  // The selection does not carry over to another listing; a history entry restores its own.
  const placeRef = useRef(place);
  const restoring = useRef<number | null>(null);
  const show = useCallback(
    (next: DriveLocation) => {
      const moved = !isSameListing(placeRef.current, next);
      placeRef.current = next;
      setPlace(next);
      // The item still sought belongs to the former location.
      if (moved || next.highlightId !== null) find(null);
      if (!moved) return;
      const saved = loadListingState();
      send({ type: 'restore', focus: saved?.focus ?? null, selected: saved?.selected ?? [] });
      restoring.current = saved?.scroll ?? 0;
      setSelecting(false);
      setAlert(null);
    },
    [send, setSelecting, setAlert, find],
  );

  const go = useCallback<Drive['go']>(
    (next, { replace = false, opensLayer = false } = {}) => {
      const to = { ...TOP, ...next };
      if (replace) replaceUrl(driveHref(to));
      else {
        // Back does not mark an item again that the user has left.
        endHighlight(placeRef.current);
        pushUrl(driveHref(to), { opensLayer });
      }
      show(to);
    },
    [show],
  );

  // An item that is not in the list, such as one that was deleted meanwhile.
  const isListed = listing.ready || listing.error !== null;
  useEffect(() => {
    if (place.highlightId === null || !isListed) return undefined;
    const timer = setTimeout(() => go({ ...place, highlightId: null }, { replace: true }), MARKED_MS);
    return () => clearTimeout(timer);
  }, [place, isListed, go]);

  useEffect(
    () =>
      interceptTraversal((address) => {
        const to = parseDriveUrl(address);
        if (to) show(to);
        return to !== null;
      }),
    [show],
  );
  useEffect(() => interceptLinks(parseDriveUrl, (to) => go(to)), [go]);
  useEffect(
    () =>
      extractions.onEnded(({ status, folder_id, item_id }) => {
        // Highlights the new folder if it is in the open one.
        if (status === 'completed' && folder_id !== null)
          find(folder_id, { type: 'came', id: folder_id, from: item_id });
      }),
    [find],
  );

  // After a reload or Back from another page: restore focus and scroll position, but not the selection.
  useLayoutEffect(() => {
    const saved = loadListingState();
    if (!saved || placeRef.current.highlightId) return;
    send({ type: 'restore', focus: saved.focus, selected: [] });
    restoring.current = saved.scroll;
  }, [send]);

  useLayoutEffect(() => {
    const outer = scroller.current;
    if (!outer || restoring.current === null || !ready) return;
    outer.scrollTo({ top: restoring.current });
    restoring.current = null;
  });

  useEffect(() => {
    const outer = scroller.current;
    if (!outer) return undefined;
    const save = () => {
      if (restoring.current !== null || placeRef.current !== place) return;
      saveListingState({
        scroll: outer.scrollTop,
        focus: selection.focus,
        selected: [...selection.selected],
      });
    };
    save();
    outer.addEventListener('scrollend', save);
    return () => outer.removeEventListener('scrollend', save);
  }, [scroller, selection, place]);

  const changePreferences = (change: Partial<Preferences>) => {
    const next = { ...preferences, ...change };
    setPreferences(next);
    savePreferences(next);
  };
  const names = useMemo(() => breadcrumbs.map(({ name }) => name), [breadcrumbs]);
  const preview: Drive['preview'] = (previewId, how) => {
    // The text match belongs to the previous file only.
    const { textMatch: _, ...here } = place;
    go({ ...here, previewId, ...(previewId !== null && { highlightId: null }) }, how);
  };

  return {
    ...list,
    ...screen,
    rows: useMemo(() => ({ ...rows, rest }), [rows, rest]),
    place,
    go,
    listing,
    layout: useMemo(() => folderLayout(items, place, names, lines), [items, place, names, lines]),
    ...preferences,
    setView: (view) => changePreferences({ view }),
    sortBy: (sorting) => changePreferences({ sorting }),
    cut,
    setCut,
    hasDetails: true,
    faded: useMemo(() => new Set(cut.keys()), [cut]),
    folder: {
      id: place.folderId,
      name: place.folderId === null ? common.myDrive : (names.at(-1) ?? common.thisFolder),
      path: names.join(' / '),
      client: place.client,
    },
    previewId: place.previewId,
    preview,
    open(item) {
      if (item.type === 'folder') go({ folderId: item.id, client: place.client });
      else go(previewLocation(place, item.id, lines), { opensLayer: true });
    },
    up() {
      // The parent of a folder is not known before it is loaded, and that of a missing one never.
      if (place.folderId === null || (breadcrumbs.length === 0 && !listing.gone)) return;
      go({ folderId: breadcrumbs.at(-2)?.id ?? null, client: place.client });
      // Not selected, so that the bar of a selection does not replace New.
      find(place.folderId, { type: 'focus', id: place.folderId });
    },
  };
}
