import { hashKey, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { MAX_ITEMS_PER_CALL } from '#server/documents/contract.ts';
import { useDelayed } from '../../lib/useDelayed.ts';
import { useLastDefined } from '../../lib/useLastDefined.ts';

const PAGE_SIZE = 100;
/** The page size of a list that is loaded completely. */
const LARGE_PAGE_SIZE = 1000;

interface Page<T> {
  items: T[];
  next_cursor: string | null;
}

interface PagedItems<T, P extends Page<T>> {
  key: readonly unknown[];
  /** Loads one page from the cursor on; '' for the first. */
  load: (page: { limit: number; cursor: string }, signal: AbortSignal) => Promise<P>;
  /** Load further pages until there are this many items, since a page may hold few. */
  minItems?: number;
}

/** A paginated list of items, which can also be loaded completely. */
export function usePagedItems<T extends { id: number }, P extends Page<T>>({
  key,
  load,
  minItems = 0,
}: PagedItems<T, P>) {
  /** The keys of lists that were loaded completely. A refetch loads as many pages as before, which have to be as large. */
  const complete = useRef(new Set<string>());
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ queryKey, pageParam, signal }) => {
      const limit = complete.current.has(hashKey(queryKey)) ? LARGE_PAGE_SIZE : PAGE_SIZE;
      return load({ limit, cursor: pageParam }, signal);
    },
    initialPageParam: '',
    getNextPageParam: (page: P) => page.next_cursor,
    placeholderData: keepPreviousData,
  });
  const data = useLastDefined(query.data);
  const { hasNextPage, isFetchingNextPage, fetchNextPage, isPlaceholderData: stale } = query;
  const items = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
  // After a failure only Retry or the timer of the cache loads on, else one request after the other would fail.
  const more = hasNextPage && !isFetchingNextPage && !stale && !query.isError;
  useEffect(() => {
    if (more && items.length < minItems) void fetchNextPage();
  }, [more, items.length, minItems, fetchNextPage]);

  const [loadingAll, setLoadingAll] = useState<AbortController | null>(null);
  /** Loads all matching items, up to the number that one call accepts. `onLoaded` gets them unless that was cancelled or failed. */
  async function loadAll(onLoaded: (ids: readonly number[]) => void): Promise<void> {
    const controller = new AbortController();
    setLoadingAll(controller);
    complete.current.add(hashKey(key));
    let result: Pick<typeof query, 'data' | 'hasNextPage' | 'isError'> = query;
    const ids = () => result.data?.pages.flatMap((page) => page.items.map(({ id }) => id)) ?? [];
    do result = await fetchNextPage();
    while (
      result.hasNextPage &&
      !result.isError &&
      !controller.signal.aborted &&
      ids().length < MAX_ITEMS_PER_CALL
    );
    if (!controller.signal.aborted && !result.isError) onLoaded(ids().slice(0, MAX_ITEMS_PER_CALL));
    // Together with that, so that nobody takes the rest for loaded before it is selected.
    setLoadingAll(null);
  }

  return {
    first: data?.pages[0],
    items,
    more: more ? () => void fetchNextPage({ cancelRefetch: false }) : null,
    /** Whether the list has further items, also while they are loaded and after that failed. */
    hasMore: hasNextPage,
    ready: data !== undefined && !stale,
    loading: useDelayed(query.isPending && !data, 150),
    failure: query.error,
    retry: () => void (query.isFetchNextPageError ? fetchNextPage() : query.refetch()),
    retrying: query.isFetching,
    loadAll,
    /** Cancels `loadAll`; null while it is not running. */
    stop: loadingAll && (() => loadingAll.abort()),
    partial: loadingAll !== null || (hasNextPage && items.length < MAX_ITEMS_PER_CALL),
    stale,
    searching: hasNextPage && items.length < minItems,
  };
}
