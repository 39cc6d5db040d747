import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { AuditPage } from '#server/audit/contract.ts';
import * as t from '#messages/history.ts';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/apiError.ts';
import { interceptTraversal, pushUrl, replaceUrl } from '../../lib/browserHistory.ts';
import { useDelayed } from '../../lib/useDelayed.ts';
import { useLastDefined } from '../../lib/useLastDefined.ts';
import { useShown } from '../../lib/useShown.ts';
import type { Filters } from './filters.ts';
import { addressOf, filtersAt, queryOf } from './filters.ts';

const PAGE_SIZE = 50;
/** Polling, since actions that change no list, such as downloads, cause no event. */
const POLL_MS = 20_000;

export const historyKey = (filters: Filters) => ['history', queryOf(filters)] as const;

export function useHistory(start: Filters) {
  const [filters, setFilters] = useState(start);
  useEffect(
    () =>
      interceptTraversal((url) => {
        if (url.pathname !== '/history') return false;
        setFilters(filtersAt(url));
        return true;
      }),
    [],
  );

  const query = useInfiniteQuery({
    queryKey: historyKey(filters),
    queryFn: ({ pageParam, signal }) =>
      api.get<AuditPage>('/api/audit', {
        query: { ...queryOf(filters), limit: PAGE_SIZE, before: pageParam },
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    // Polling stops once more than two pages are loaded, since each poll loads all of them again.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 2 ? false : POLL_MS),
  });
  const data = useLastDefined(query.data);
  const { hasNextPage, isFetchingNextPage, fetchNextPage, isPlaceholderData } = query;
  const entries = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  const more = hasNextPage && !isFetchingNextPage && !isPlaceholderData && !query.isError;

  return {
    filters,
    /** With `typing` the change replaces the history entry, so that Back does not undo single keystrokes. */
    change(part: Partial<Filters>, { typing = false } = {}): void {
      const next = { ...filters, ...part };
      setFilters(next);
      if (typing) replaceUrl(addressOf(next));
      else pushUrl(addressOf(next));
    },
    entries,
    shown: useShown(filters, isPlaceholderData),
    names: (isPlaceholderData ? undefined : data?.pages[0]?.names) ?? {},
    more: more ? () => void fetchNextPage({ cancelRefetch: false }) : null,
    ended: data !== undefined && !hasNextPage && !isPlaceholderData,
    loading: useDelayed(query.isPending && !data, 150),
    /** Whether the entries are still those of the previous filters. */
    stale: isPlaceholderData,
    error: query.error ? messageOf(query.error, t.loadFailed) : null,
    retry: () => void (query.isFetchNextPageError ? fetchNextPage() : query.refetch()),
    retrying: query.isFetching,
  };
}
