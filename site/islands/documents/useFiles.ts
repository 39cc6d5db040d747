import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { FilesPage } from '#server/documents/contract.ts';
import { MOST_AT_ONCE } from '#server/documents/contract.ts';
import * as t from '#messages/documents.ts';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/apiError.ts';
import { replaceAddress } from '../../lib/history.ts';
import { previewAt } from '../../lib/previewAt.ts';
import { useDelayed } from '../../lib/useDelayed.ts';
import { useLast } from '../../lib/useLast.ts';
import { sameSearch, useDebounced } from '../../lib/useDebounced.ts';
import type { Filters } from './filters.ts';
import { addressOf, queryOf } from './filters.ts';

const SETTLED_MS = 150;
const PAGE = 100;
/** Of a list that is wanted whole. */
const LARGE_PAGE = 1000;
/** A page may hold few while there are more: as many as fill a screen are waited for. */
const FILLED = 40;

export const filesKey = (filters: Filters) => ['files', queryOf(filters)] as const;

export function useFiles(start: Filters) {
  const [filters, setFilters] = useState(start);
  const asked = useDebounced(filters, SETTLED_MS, sameSearch);
  useEffect(() => {
    replaceAddress(addressOf(filters, previewAt(location.search)));
  }, [filters]);

  const size = useRef(PAGE);
  const query = useInfiniteQuery({
    queryKey: filesKey(asked),
    queryFn: ({ pageParam, signal }) =>
      api.get<FilesPage>('/api/documents/files', {
        query: { ...queryOf(asked), limit: size.current, cursor: pageParam },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
  });
  const data = useLast(query.data);
  const { hasNextPage, isFetchingNextPage, fetchNextPage, isPlaceholderData } = query;
  const items = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
  const more = hasNextPage && !isFetchingNextPage && !isPlaceholderData;
  useEffect(() => {
    if (more && items.length < FILLED) void fetchNextPage();
  }, [more, items.length, fetchNextPage]);

  const [gathering, setGathering] = useState<AbortController | null>(null);
  /** Loads all that match, as far as one call can handle; null when that was given up or failed. */
  async function gather(): Promise<readonly number[] | null> {
    const control = new AbortController();
    setGathering(control);
    size.current = LARGE_PAGE;
    let result: Pick<typeof query, 'data' | 'hasNextPage' | 'isError'> = query;
    const ids = () => result.data?.pages.flatMap((page) => page.items.map(({ id }) => id)) ?? [];
    do result = await fetchNextPage();
    while (result.hasNextPage && !result.isError && !control.signal.aborted && ids().length < MOST_AT_ONCE);
    size.current = PAGE;
    setGathering(null);
    return control.signal.aborted || result.isError ? null : ids().slice(0, MOST_AT_ONCE);
  }

  return {
    filters,
    change: (part: Partial<Filters>) => setFilters((old) => ({ ...old, ...part })),
    total: data?.pages[0]?.total ?? null,
    more: more ? () => void fetchNextPage() : null,
    list: {
      items,
      ready: data !== undefined && !isPlaceholderData,
      loading: useDelayed(query.isPending && !data, 150),
      error: query.error ? messageOf(query.error, t.loadFailed) : null,
      retry: () => void query.refetch(),
      retrying: query.isFetching,
    },
    gather,
    /** Gives the gathering up; null while there is none. */
    stop: gathering && (() => gathering.abort()),
    partial: hasNextPage && items.length < MOST_AT_ONCE,
    stale: isPlaceholderData,
    searching: hasNextPage && items.length < FILLED,
  };
}
