import { useEffect, useState } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import * as t from '#messages/items.ts';
import { ApiError } from '../../../lib/apiError.ts';
import { documentCalls } from '../../../lib/documentCalls.ts';
import { useItemScreen } from '../ItemListModel.ts';

/**
 * While a dialog about one item is open: a notice that the item was deleted or has become inaccessible. Null while the item
 * is in the list, and if the list only shows something else.
 */
export function useRemovalNotice(item: ItemView | undefined): string | null {
  const { rows } = useItemScreen();
  const [notice, setNotice] = useState<{ id: number; text: string } | null>(null);
  const missing = item && rows.ready && !rows.byId.has(item.id) ? item.id : null;
  useEffect(() => {
    if (missing === null) return undefined;
    const controller = new AbortController();
    documentCalls.get(missing, controller.signal).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 404)
        setNotice({ id: missing, text: t.notThere(error.message) });
    });
    return () => controller.abort();
  }, [missing]);
  return notice !== null && notice.id === missing ? notice.text : null;
}
