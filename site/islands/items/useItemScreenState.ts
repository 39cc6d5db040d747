import { useQueryClient } from '@tanstack/react-query';
import type { Dispatch } from 'react';
import { useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import { refresh } from '../../lib/cache.ts';
import { preload } from '../../lib/lazyWithRetry.ts';
import { hasTouch } from '../../lib/touch.ts';
import { createActions, loadRemoval } from './actions.ts';
import type { DialogState, Rows } from './ItemListModel.ts';
import type { SelectionEvent } from './selection.ts';
import { useListFocus } from './useListFocus.ts';

/** How long an item that the URL names, or that was made elsewhere, is marked. */
export const MARKED_MS = 5000;

interface Deps {
  byId: Rows['byId'];
  send: Dispatch<SelectionEvent>;
  setSelecting: (on: boolean) => void;
  /** The items to act on, once all of a whole selection are loaded; see `useRest`. */
  withRest: (items: readonly ItemView[]) => Promise<readonly ItemView[]>;
  /** The item that the URL asks to highlight. */
  highlightId?: number | null;
  /** Called when a wanted item is shown. */
  onFound?: (id: number) => void;
  /** Called when a mark ends by itself. */
  onMarkEnded?: () => void;
  /** Called after a move. */
  onMoved?: (undecided: readonly ItemView[]) => void;
}

/** The state of an item screen beside its list: the open dialog, the alert, the highlighted row, and the actions. */
export function useItemScreenState(deps: Deps) {
  const { byId, send, setSelecting, withRest, highlightId = null, onFound, onMarkEnded, onMoved } = deps;
  const cache = useQueryClient();
  const [dialog, setDialog] = useState<DialogState | null>(null);
  const openDialog = useCallback(
    async (next: DialogState | null) => {
      if (!next || !('items' in next)) return setDialog(next);
      const items = await withRest(next.items);
      // Another dialog may have been opened meanwhile.
      return setDialog((open) => open ?? { ...next, items });
    },
    [withRest],
  );
  useEffect(() => preload(loadRemoval), []);
  useListFocus(byId.size, dialog);
  const [alert, setAlert] = useState<string | null>(null);
  const [marked, mark] = useState<number | null>(null);
  const [wanted, setWanted] = useState<{ id: number; event: SelectionEvent | undefined } | null>(null);
  const find = useCallback((id: number | null, event?: SelectionEvent) => {
    setWanted(id === null ? null : { id, event });
  }, []);

  const endMark = useEffectEvent(() => {
    mark(null);
    onMarkEnded?.();
  });
  useEffect(() => {
    if (marked === null) return undefined;
    const timer = setTimeout(() => endMark(), MARKED_MS);
    return () => clearTimeout(timer);
  }, [marked]);

  const showItem = useEffectEvent((id: number) => {
    // While something is selected on a touch screen, a tap selects instead of opening.
    if (!hasTouch()) send(wanted?.event ?? { type: 'only', id });
    mark(id);
    find(null);
    onFound?.(id);
  });
  const wantedId = wanted?.id ?? highlightId;
  const isLoaded = wantedId !== null && byId.has(wantedId);
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- reacts to a row loaded from the server
    if (isLoaded) showItem(wantedId);
  }, [isLoaded, wantedId]);

  const actions = useMemo(
    () =>
      createActions({
        cache,
        send,
        setSelecting,
        withRest,
        setAlert,
        openDialog,
        ...(onMoved && { onMoved }),
      }),
    [cache, send, setSelecting, withRest, openDialog, onMoved],
  );
  const refreshLists = useCallback(() => refresh(cache), [cache]);
  return { dialog, openDialog, alert, setAlert, marked, find, actions, refresh: refreshLists };
}
