import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useReducer, useState } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import { refresh } from '../../lib/cache.ts';
import { nothing, select } from './selection.ts';

const MARKED_MS = 5000;

/** The dialog that is open, and what it is about. */
export type Asking =
  | { dialog: 'folder' }
  | { dialog: 'rename'; item: ItemView }
  | { dialog: 'client'; items: readonly ItemView[] }
  | { dialog: 'move'; items: readonly ItemView[] }
  | { dialog: 'upload' }
  | { dialog: 'shortcuts' }
  | { dialog: 'failures'; title: string; failures: readonly { name: string; message: string }[] };

/** What every list of items has, whichever items they are. */
export function useDriveState() {
  const cache = useQueryClient();
  const [selection, send] = useReducer(select, nothing);
  const [selecting, setSelecting] = useState(false);
  const [asking, ask] = useState<Asking | null>(null);
  const [alert, setAlert] = useState<string | null>(null);
  const [marked, mark] = useState<number | null>(null);
  const [wanted, find] = useState<number | null>(null);
  const [cut, setCut] = useState<ReadonlyMap<number, ItemView>>(() => new Map());

  useEffect(() => {
    if (marked === null) return undefined;
    const timer = setTimeout(() => mark(null), MARKED_MS);
    return () => clearTimeout(timer);
  }, [marked]);

  return {
    selection,
    send,
    selecting,
    setSelecting,
    asking,
    ask,
    alert,
    setAlert,
    /** The row that is marked for a few seconds. */
    marked,
    mark,
    /** The row that is selected, shown and marked once it is there. */
    wanted,
    find,
    /** What Ctrl+X took, to be moved by Ctrl+V. */
    cut,
    setCut,
    refresh: () => refresh(cache),
    cache,
  };
}
