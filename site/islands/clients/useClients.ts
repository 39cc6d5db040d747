import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { ClientPage, ClientSort, ClientStatus, ClientType } from '#server/clients/contract.ts';
import { CLIENTS_PAGE, CLIENT_STATUSES, CLIENT_TYPES } from '#server/clients/contract.ts';
import * as t from '#messages/clients.ts';
import { messageOf } from '../../lib/apiError.ts';
import { refresh } from '../../lib/cache.ts';
import { replaceUrl } from '../../lib/browserHistory.ts';
import { useDelayed } from '../../lib/useDelayed.ts';
import { useLastDefined } from '../../lib/useLastDefined.ts';
import { useShown } from '../../lib/useShown.ts';
import { sameSearch, useDebounced } from '../../lib/useDebounced.ts';
import { calls } from './calls.ts';

/** The filters and the order of the list; the URL has the same. */
export interface View {
  search: string;
  client_type: ClientType | '';
  status: ClientStatus | '';
  sort: ClientSort;
  direction: 'asc' | 'desc';
}

export const DEFAULT_FILTERS: View = {
  search: '',
  client_type: '',
  status: '',
  sort: 'name',
  direction: 'asc',
};

export function viewAt(url: URL): View {
  const param = (key: keyof View) => url.searchParams.get(key) ?? '';
  const oneOf = <T extends string>(text: string, known: readonly T[], otherwise: T): T =>
    known.includes(text as T) ? (text as T) : otherwise;
  return {
    search: param('search').slice(0, 255),
    client_type: oneOf(param('client_type'), [...CLIENT_TYPES, ''], ''),
    status: oneOf(param('status'), [...CLIENT_STATUSES, ''], ''),
    sort: oneOf(param('sort'), ['name', 'city', 'added', 'changed'], 'name'),
    direction: oneOf(param('direction'), ['asc', 'desc'], 'asc'),
  };
}

/** Whether a filter is set. */
export const isFiltered = ({ search, client_type, status }: View): boolean =>
  [search, client_type, status].some((part) => part !== '');

function addressOf(view: View): string {
  const pairs = Object.entries(view).filter(([key, value]) => value !== DEFAULT_FILTERS[key as keyof View]);
  return pairs.length === 0 ? '/clients' : `/clients?${new URLSearchParams(pairs)}`;
}

/** The query parameters of the API. */
export const queryOf = ({ search, client_type, status, sort, direction }: View) => ({
  search: search.trim(),
  sort,
  direction,
  ...(client_type && { client_type }),
  ...(status && { status }),
});

export const clientsKey = (view: View) => ['clients', queryOf(view)] as const;

const DEBOUNCE_MS = 120;

export function useClients(start: View, first: ClientPage) {
  const cache = useQueryClient();
  const [view, setView] = useState(start);
  const debouncedView = useDebounced(view, DEBOUNCE_MS, sameSearch);
  useEffect(() => {
    replaceUrl(addressOf(view));
  }, [view]);

  const query = useInfiniteQuery({
    queryKey: clientsKey(debouncedView),
    queryFn: ({ pageParam, signal }) =>
      calls.list(
        { ...queryOf(debouncedView), limit: CLIENTS_PAGE, ...(pageParam && { cursor: pageParam }) },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
  });
  const data = useLastDefined(query.data);
  const clients = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  const totals = data?.pages[0]?.totals ?? first.totals;
  // After a failure only Retry or the timer of the cache loads on, else one request after the other would fail.
  const more = query.hasNextPage && !query.isFetchingNextPage && !query.isError;
  return {
    view,
    change: (part: Partial<View>) => setView((old) => ({ ...old, ...part })),
    clients,
    totals,
    shown: useShown(debouncedView, query.isPlaceholderData),
    /** Whether the list is still that of the previous query. */
    stale: query.isPlaceholderData,
    /** Whether all matching clients are loaded. */
    complete: data !== undefined && !query.hasNextPage && !query.isPlaceholderData,
    loading: useDelayed(query.isPending && !data, 150),
    error: query.error ? messageOf(query.error, t.loadFailed) : null,
    retry: () => void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch()),
    fetching: query.isFetching,
    more: more ? () => void query.fetchNextPage({ cancelRefetch: false }) : null,
    refresh: () => refresh(cache),
  };
}
