import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { TrashPage, TrashView } from '#server/documents/trash/contract.ts';
import * as t from '#messages/trash.ts';
import { messageOf } from '../../lib/apiError.ts';
import { refresh } from '../../lib/cache.ts';
import { replaceUrl } from '../../lib/browserHistory.ts';
import { trashCalls } from '../../lib/trash.ts';
import { useShown } from '../../lib/useShown.ts';
import { sameSearch, useDebounced } from '../../lib/useDebounced.ts';
import { usePagedItems } from '../items/usePagedItems.ts';
import type { Filters } from './filters.ts';
import { addressOf, queryOf } from './filters.ts';

const DEBOUNCE_MS = 150;

export const trashKey = (filters: Filters) => ['trash', queryOf(filters)] as const;

export function useTrash(start: Filters) {
  const cache = useQueryClient();
  const [filters, setFilters] = useState(start);
  const query = useDebounced(filters, DEBOUNCE_MS, sameSearch);
  useEffect(() => {
    replaceUrl(addressOf(filters));
  }, [filters]);

  const { first, items, failure, ...list } = usePagedItems<TrashView, TrashPage>({
    key: trashKey(query),
    load: ({ cursor, limit }, signal) =>
      trashCalls.list({ ...queryOf(query), limit, ...(cursor && { cursor }) }, signal),
  });
  return {
    ...list,
    filters,
    shown: useShown(query, list.stale),
    change: (part: Partial<Filters>) => setFilters((old) => ({ ...old, ...part })),
    items,
    total: first?.total ?? null,
    bytes: first?.bytes ?? 0,
    days: first?.days ?? 0,
    error: failure ? messageOf(failure, t.loadFailed) : null,
    refresh: () => refresh(cache),
  };
}
