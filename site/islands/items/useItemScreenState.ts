import { useQueryClient } from '@tanstack/react-query';
import type { Dispatch } from 'react';
import { useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { refresh } from '../../lib/cache.ts';
import { createActions } from './actions.ts';
import type { Asking, Rows } from './ItemListModel.ts';
import type { SelectionEvent } from './selection.ts';

const MARKED_MS = 5000;

interface Deps {
  byId: Rows['byId'];
  send: Dispatch<SelectionEvent>;
  setSelecting: (on: boolean) => void;
  /** The item that the address asks to be shown. */
  highlightId?: number | null;
  /** Hears that an item that was looked for is shown. */
  onFound?: (id: number) => void;
  /** Hears that items were moved. */
  onMoved?: () => void;
}

/** What every screen of items keeps beside its list: the open dialog, the alert, the marked row, and what can be done. */
export function useItemScreenState(deps: Deps) {
  const { byId, send, setSelecting, highlightId = null, onFound, onMoved } = deps;
  const cache = useQueryClient();
  const [asking, ask] = useState<Asking | null>(null);
  const [alert, setAlert] = useState<string | null>(null);
  const [marked, mark] = useState<number | null>(null);
  const [wanted, find] = useState<number | null>(null);

  useEffect(() => {
    if (marked === null) return undefined;
    const timer = setTimeout(() => mark(null), MARKED_MS);
    return () => clearTimeout(timer);
  }, [marked]);

  const arrive = useEffectEvent((id: number) => {
    send({ type: 'only', id });
    mark(id);
    find(null);
    onFound?.(id);
  });
  const awaited = wanted ?? highlightId;
  const arrived = awaited !== null && byId.has(awaited);
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- the row has come from outside: from the server
    if (arrived) arrive(awaited);
  }, [arrived, awaited]);

  const actions = useMemo(
    () => createActions({ cache, send, setSelecting, setAlert, ask, ...(onMoved && { onMoved }) }),
    [cache, send, setSelecting, onMoved],
  );
  const again = useCallback(() => refresh(cache), [cache]);
  return { asking, ask, alert, setAlert, marked, find, actions, refresh: again };
}
