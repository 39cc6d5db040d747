import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { MOST_AT_ONCE } from '#server/documents/contract.ts';
import { useDelayed } from '../../lib/useDelayed.ts';
import { useLastDefined } from '../../lib/useLastDefined.ts';

const PAGE = 100;
/** Of a list that is wanted whole. */
const LARGE_PAGE = 1000;

interface Page<T> {
  items: T[];
  next_cursor: string | null;
}

export interface PagedItems<T, P extends Page<T>> {
  key: readonly unknown[];
  /** One page, from the cursor on; '' for the first. */
  load: (at: { limit: number; cursor: string }, signal: AbortSignal) => Promise<P>;
  /** A page may hold few while there are more: as many as fill a screen are waited for. */
  filled?: number;
}

/** A list of items that comes in pages, and can be asked for whole. */
export function usePagedItems<T extends { id: number }, P extends Page<T>>({
  key,
  load,
  filled = 0,
}: PagedItems<T, P>) {
  const size = useRef(PAGE);
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => load({ limit: size.current, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: (page: P) => page.next_cursor,
    placeholderData: keepPreviousData,
  });
  const data = useLastDefined(query.data);
  const { hasNextPage, isFetchingNextPage, fetchNextPage, isPlaceholderData: stale } = query;
  const items = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
  const more = hasNextPage && !isFetchingNextPage && !stale;
  useEffect(() => {
    if (more && items.length < filled) void fetchNextPage();
  }, [more, items.length, filled, fetchNextPage]);

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
    first: data?.pages[0],
    items,
    more: more ? () => void fetchNextPage() : null,
    ready: data !== undefined && !stale,
    loading: useDelayed(query.isPending && !data, 150),
    failure: query.error,
    retry: () => void query.refetch(),
    retrying: query.isFetching,
    gather,
    /** Gives the gathering up; null while there is none. */
    stop: gathering && (() => gathering.abort()),
    partial: hasNextPage && items.length < MOST_AT_ONCE,
    stale,
    searching: hasNextPage && items.length < filled,
  };
}
