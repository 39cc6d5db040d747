import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import { open } from '../../lib/navigation.ts';
import { followTraversal } from '../../lib/traversal.ts';
import { createActions } from './actions.ts';
import type { useDriveContext } from '../drive/DriveContext.ts';
import type { Sorting } from './order.ts';
import { BY_NAME } from './order.ts';
import type { Place } from '../../lib/place.ts';
import { addressOf } from '../../lib/place.ts';
import { useDriveState } from './useItemState.ts';
import type { Rest } from '../drive/useListing.ts';
import { previewAt } from '../../lib/previewAt.ts';

const NOWHERE: Place = { folderId: null, client: null, search: '', previewId: null, highlightId: null };

export interface FlatList {
  items: readonly ItemView[];
  /** The items of this very question are there. */
  ready: boolean;
  loading: boolean;
  error: string | null;
  retry: () => void;
  retrying: boolean;
  rest?: Rest | undefined;
}

export interface Flat {
  list: FlatList;
  /** The file in the preview when the page came. */
  preview: number | null;
  /** The screen's own address with this file in the preview. */
  address: (previewId: number | null) => string;
  sorting?: Sorting;
  onSort?: (sorting: Sorting) => void;
}

/**
 * The drive's means (selection, menus, preview, dialogs) for a list that is not a folder's: items of many folders, each
 * with its path. What leads to a folder leaves the screen.
 */
export function useFlatDrive({
  list,
  preview,
  address,
  sorting = BY_NAME,
  onSort,
}: Flat): ReturnType<typeof useDriveContext> {
  const state = useDriveState();
  const { cache, selection, send, mark, wanted, find } = state;
  const { items, ready } = list;
  const [previewId, setPreviewId] = useState(preview);
  const order = useMemo(() => items.map(({ id }) => id), [items]);
  const byId = useMemo(() => new Map(items.map((item) => [item.id, item])), [items]);
  const place = useMemo(() => ({ ...NOWHERE, previewId }), [previewId]);

  useEffect(() => {
    // Where the drive's parts look for what is shown.
    cache.setQueryData(['listing', 'flat'], { items: [...items], breadcrumbs: [], next_cursor: null });
  }, [cache, items]);

  useEffect(() => {
    const home = location.pathname;
    return followTraversal((address) => {
      if (address.pathname !== home) return false;
      setPreviewId(previewAt(address.search));
      return true;
    });
  }, []);

  const before = useRef(order);
  useEffect(() => {
    if (ready && before.current !== order) send({ type: 'retain', before: before.current, order });
    before.current = order;
  }, [order, ready, send]);

  useEffect(() => {
    if (wanted === null || !byId.has(wanted)) return undefined;
    const timer = setTimeout(() => {
      send({ type: 'only', id: wanted });
      mark(wanted);
      find(null);
    });
    return () => clearTimeout(timer);
  }, [wanted, byId, send, mark, find]);

  const go = useCallback(
    (next: Partial<Place>, { replace = false, opened = false } = {}) => {
      if (next.folderId || next.client) return open(addressOf(next));
      const shown = next.previewId ?? null;
      const state = (history.state ?? {}) as { index?: number };
      if (replace) history.replaceState(state, '', address(shown));
      else {
        const drive = { key: crypto.randomUUID(), ...(opened && { opened }) };
        history.pushState({ ...state, index: (state.index ?? 0) + 1, drive }, '', address(shown));
      }
      return setPreviewId(shown);
    },
    [address],
  );

  const drive = {
    ...state,
    place,
    go,
    listing: { ...list, order, byId, breadcrumbs: [], gone: false },
    chosen: [...selection.selected].flatMap((id) => byId.get(id) ?? []),
    preferences: { view: 'list' as const, sorting },
    choose: (change: { sorting?: Sorting }) => change.sorting && onSort?.(change.sorting),
  };
  return { ...drive, actions: createActions(drive as Parameters<typeof createActions>[0]) } as ReturnType<
    typeof useDriveContext
  >;
}
