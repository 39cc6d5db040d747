import { useEffect, useState } from 'react';
import type { FilesPage, ItemView } from '#server/documents/contract.ts';
import * as t from '#messages/documents.ts';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/apiError.ts';
import { replaceUrl } from '../../lib/browserHistory.ts';
import { parsePreviewId } from '../../lib/parsePreviewId.ts';
import { useShown } from '../../lib/useShown.ts';
import { sameSearch, useDebounced } from '../../lib/useDebounced.ts';
import { usePagedItems } from '../items/usePagedItems.ts';
import type { Filters } from './filters.ts';
import { addressOf, queryOf } from './filters.ts';

const DEBOUNCE_MS = 150;
/** Enough files to fill a screen. */
const MIN_ITEMS = 40;

export const filesKey = (filters: Filters) => ['files', queryOf(filters)] as const;

export function useFiles(start: Filters) {
  const [filters, setFilters] = useState(start);
  const query = useDebounced(filters, DEBOUNCE_MS, sameSearch);
  useEffect(() => {
    replaceUrl(addressOf(filters, parsePreviewId(location.search)));
  }, [filters]);

  const { first, failure, ...list } = usePagedItems<ItemView, FilesPage>({
    key: filesKey(query),
    load: (page, signal) =>
      api.get<FilesPage>('/api/documents/files', { query: { ...queryOf(query), ...page }, signal }),
    minItems: MIN_ITEMS,
  });
  return {
    ...list,
    filters,
    shown: useShown(query, list.stale),
    change: (part: Partial<Filters>) => setFilters((old) => ({ ...old, ...part })),
    total: first?.total ?? null,
    error: failure ? messageOf(failure, t.loadFailed) : null,
  };
}
