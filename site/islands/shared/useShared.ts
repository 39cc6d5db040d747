import type { InfiniteData } from '@tanstack/react-query';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { DropView } from '#server/drop-links/contract.ts';
import { DROPS_PAGE } from '#server/drop-links/contract.ts';
import type { PortalView } from '#server/portal/contract.ts';
import { PORTALS_PAGE } from '#server/portal/contract.ts';
import type { RequestSummary } from '#server/requests/contract.ts';
import type { ShareView } from '#server/sharing/contract.ts';
import { SHARES_PAGE } from '#server/sharing/contract.ts';
import { api } from '../../lib/api.ts';
import type { InitialQuery } from '../../lib/cache.ts';
import { calls as requestCalls } from '../request-dialogs/calls.ts';
import { calls } from '../sharing/calls.ts';
import type { Entry } from './entries.ts';
import { dropEntry, linkEntry, mergeLists, pageEntry, requestEntry, nextToLoad } from './entries.ts';
import type { Filters, Kind } from './filters.ts';
import { KINDS, queriesOf, REQUESTS_PAGE } from './filters.ts';

/** No event reports that a link was opened, so the lists are polled. */
const POLL_MS = 30_000;

/** The first page of each list; null where the filters leave it out. */
export interface FirstPages {
  link: ShareView[] | null;
  request: RequestSummary[] | null;
  drop: DropView[] | null;
  page: PortalView[] | null;
}

const keyOf = (kind: Kind, query: object | null) =>
  [kind === 'request' ? 'requests' : 'shares', 'shared', kind, query] as const;

/** The cache entries for the data in the server-rendered page. */
export function initialData(filters: Filters, first: FirstPages): InitialQuery[] {
  const queries = queriesOf(filters);
  return KINDS.flatMap((kind) =>
    first[kind] === null
      ? []
      : [{ key: keyOf(kind, queries[kind]), data: { pages: [first[kind]], pageParams: [undefined] } }],
  );
}

interface Listed {
  id: number;
}

/** One paginated list. The next page begins after the smallest id, since requests are sorted by urgency within a page. */
function usePages<T extends Listed>(
  kind: Kind,
  query: object | null,
  size: number,
  fetchPage: (before: { before?: number }, signal: AbortSignal) => Promise<T[]>,
) {
  return useInfiniteQuery<T[], Error, InfiniteData<T[]>, readonly unknown[], number | undefined>({
    queryKey: keyOf(kind, query),
    queryFn: ({ pageParam, signal }) =>
      fetchPage(pageParam === undefined ? {} : { before: pageParam }, signal),
    initialPageParam: undefined,
    getNextPageParam: (page) => (page.length < size ? undefined : Math.min(...page.map(({ id }) => id))),
    enabled: query !== null,
    placeholderData: keepPreviousData,
    // Polling stops once more than two pages are loaded, since each poll loads all of them again.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 2 ? false : POLL_MS),
  });
}

/**
 * The shared links, requests, drop links and clients' pages that match the filters, as one list.
 * @param collects whether the user may see drop links.
 */
export function useShared(filters: Filters, collects: boolean) {
  const queries = queriesOf(filters);
  const drop = collects ? queries.drop : null;
  const links = usePages<ShareView>('link', queries.link, SHARES_PAGE, (before, signal) =>
    calls.list({ ...queries.link, ...before }, signal),
  );
  const requests = usePages<RequestSummary>('request', queries.request, REQUESTS_PAGE, (before, signal) =>
    requestCalls.list({ ...queries.request, ...before }, signal),
  );
  const drops = usePages<DropView>('drop', drop, DROPS_PAGE, (before, signal) =>
    api.get<DropView[]>('/api/drop-links', { query: { ...drop, ...before }, signal }),
  );
  const pages = usePages<PortalView>('page', queries.page, PORTALS_PAGE, (before, signal) =>
    api.get<PortalView[]>('/api/client-pages', { query: { ...queries.page, ...before }, signal }),
  );
  const lists = [
    { included: queries.link !== null, query: links, entries: entriesOf(links.data, linkEntry) },
    { included: queries.request !== null, query: requests, entries: entriesOf(requests.data, requestEntry) },
    { included: drop !== null, query: drops, entries: entriesOf(drops.data, dropEntry) },
    { included: queries.page !== null, query: pages, entries: entriesOf(pages.data, pageEntry) },
  ].filter(({ included }) => included);
  const loaded = lists.map(({ query, entries }) => ({ entries, ended: !query.hasNextPage }));
  const next = lists[nextToLoad(loaded)];
  const failed = lists.find(({ query }) => query.error);
  const fetching = lists.some(({ query }) => query.isFetching);

  return {
    entries: mergeLists(loaded),
    ended: !next,
    more: next && !fetching && !failed ? () => void next.query.fetchNextPage({ cancelRefetch: false }) : null,
    /** Loads all pages of all lists. @returns whether all were loaded. */
    async loadAll(): Promise<boolean> {
      const results = lists.map(async ({ query }) => {
        let last: { hasNextPage: boolean; isError: boolean } = query;
        while (last.hasNextPage && !last.isError) last = await query.fetchNextPage();
        return !last.isError;
      });
      return (await Promise.all(results)).every(Boolean);
    },
    error: failed?.query.error ?? null,
    fetching,
    refetch: () => void Promise.all(lists.map(({ query }) => query.refetch())),
  };
}

function entriesOf<T extends Listed>(
  data: InfiniteData<T[]> | undefined,
  entryOf: (row: T) => Entry,
): Entry[] {
  return (data?.pages.flat() ?? []).toSorted((a, b) => b.id - a.id).map(entryOf);
}
