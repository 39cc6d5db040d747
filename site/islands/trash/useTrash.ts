import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { MOST_AT_ONCE } from '#server/documents/contract.ts';
import type { TrashPage, TrashView } from '#server/documents/trash/contract.ts';
import * as t from '#messages/trash.ts';
import { messageOf } from '../../lib/apiError.ts';
import { refresh } from '../../lib/cache.ts';
import { replaceAddress } from '../../lib/history.ts';
import { trashCalls } from '../../lib/trash.ts';
import { sameSearch, useDebounced } from '../../lib/useDebounced.ts';
import { useDelayed } from '../../lib/useDelayed.ts';
import { useLast } from '../../lib/useLast.ts';
import type { Filters } from './filters.ts';
import { addressOf, queryOf } from './filters.ts';

const SETTLED_MS = 150;
export const PAGE = 100;
/** Of a list that is wanted whole. */
const LARGE_PAGE = 1000;

export const trashKey = (filters: Filters) => ['trash', queryOf(filters)] as const;

/** Rows of the list: what they show as changed is when they were deleted. */
const rowOf = (item: TrashView): TrashView => ({ ...item, modified_at: item.deleted_at });

export function useTrash(start: Filters) {
  const cache = useQueryClient();
  const [filters, setFilters] = useState(start);
  const asked = useDebounced(filters, SETTLED_MS, sameSearch);
  useEffect(() => {
    replaceAddress(addressOf(filters));
  }, [filters]);

  const size = useRef(PAGE);
  const query = useInfiniteQuery({
    queryKey: trashKey(asked),
    queryFn: ({ pageParam, signal }) =>
      trashCalls.list(
        { ...queryOf(asked), limit: size.current, ...(pageParam && { cursor: pageParam }) },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page: TrashPage) => page.next_cursor,
    placeholderData: keepPreviousData,
  });
  const data = useLast(query.data);
  const { hasNextPage, isFetchingNextPage, fetchNextPage, isPlaceholderData } = query;
  const items = useMemo(() => data?.pages.flatMap((page) => page.items.map(rowOf)) ?? [], [data]);
  const more = hasNextPage && !isFetchingNextPage && !isPlaceholderData;

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

  const first = data?.pages[0];
  return {
    filters,
    change: (part: Partial<Filters>) => setFilters((old) => ({ ...old, ...part })),
    items,
    total: first?.total ?? null,
    bytes: first?.bytes ?? 0,
    days: first?.days ?? 0,
    more: more ? () => void fetchNextPage() : null,
    ready: data !== undefined && !isPlaceholderData,
    loading: useDelayed(query.isPending && !data, 150),
    error: query.error ? messageOf(query.error, t.loadFailed) : null,
    retry: () => void query.refetch(),
    fetching: query.isFetching,
    stale: isPlaceholderData,
    partial: hasNextPage && items.length < MOST_AT_ONCE,
    gather,
    /** Gives the gathering up; null while there is none. */
    stop: gathering && (() => gathering.abort()),
    refresh: () => refresh(cache),
  };
}
export type TrashList = ReturnType<typeof useTrash>;
