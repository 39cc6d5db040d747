import { useEffect, useState } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import * as t from '#messages/items.ts';
import { ApiError } from '../../../lib/apiError.ts';
import { documentCalls } from '../../../lib/documentCalls.ts';
import { useItemScreen } from '../ItemListModel.ts';

/**
 * While a dialog about one item is open: what became of it, once it is no longer in the list. Null while it is there, and
 * where the list has gone on to something else.
 */
export function useWhatHappened(item: ItemView | undefined): string | null {
  const { rows } = useItemScreen();
  const [known, setKnown] = useState<{ id: number; text: string } | null>(null);
  const missing = item && rows.ready && !rows.byId.has(item.id) ? item.id : null;
  useEffect(() => {
    if (missing === null) return undefined;
    const control = new AbortController();
    documentCalls.get(missing, control.signal).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 404)
        setKnown({ id: missing, text: t.notThere(error.message) });
    });
    return () => control.abort();
  }, [missing]);
  return known !== null && known.id === missing ? known.text : null;
}
