import type { InfiniteData } from '@tanstack/react-query';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { DropView } from '#server/drops/contract.ts';
import { DROPS_PAGE } from '#server/drops/contract.ts';
import type { PortalView } from '#server/portal/contract.ts';
import { PORTALS_PAGE } from '#server/portal/contract.ts';
import type { RequestSummary } from '#server/requests/contract.ts';
import type { ShareView } from '#server/sharing/contract.ts';
import { SHARES_PAGE } from '#server/sharing/contract.ts';
import { api } from '../../lib/api.ts';
import type { InitialQuery } from '../../lib/cache.ts';
import { calls as asking } from '../asking/calls.ts';
import { calls } from '../sharing/calls.ts';
import type { Entry } from './entries.ts';
import { dropEntry, linkEntry, merged, pageEntry, requestEntry, shortest } from './entries.ts';
import type { Filters, Kind } from './filters.ts';
import { KINDS, queriesOf, REQUESTS_PAGE } from './filters.ts';

/** Milliseconds between two looks: that a link was opened is told by no event. */
const LOOK = 30_000;

/** The first page of each list; null where the filters leave it out. */
export interface FirstPages {
  link: ShareView[] | null;
  request: RequestSummary[] | null;
  drop: DropView[] | null;
  page: PortalView[] | null;
}

const keyOf = (kind: Kind, query: object | null) =>
  [kind === 'request' ? 'requests' : 'shares', 'shared', kind, query] as const;

/** What a page of the server came with, for the cache. */
export function cameWith(filters: Filters, first: FirstPages): InitialQuery[] {
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

/** One list, a page at a time. Requests come by urgency: the oldest of a page is not its last. */
function usePages<T extends Listed>(
  kind: Kind,
  query: object | null,
  size: number,
  ask: (before: { before?: number }, signal: AbortSignal) => Promise<T[]>,
) {
  return useInfiniteQuery<T[], Error, InfiniteData<T[]>, readonly unknown[], number | undefined>({
    queryKey: keyOf(kind, query),
    queryFn: ({ pageParam, signal }) => ask(pageParam === undefined ? {} : { before: pageParam }, signal),
    initialPageParam: undefined,
    getNextPageParam: (page) => (page.length < size ? undefined : Math.min(...page.map(({ id }) => id))),
    enabled: query !== null,
    placeholderData: keepPreviousData,
    // Whoever has gone far down reads what is old.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 2 ? false : LOOK),
  });
}

/** Links, requests, drop links and clients' pages that answer the filters, as one list. @param collects whether the user sees drop links. */
export function useShared(filters: Filters, collects: boolean) {
  const queries = queriesOf(filters);
  const drop = collects ? queries.drop : null;
  const links = usePages<ShareView>('link', queries.link, SHARES_PAGE, (before, signal) =>
    calls.list({ ...queries.link, ...before }, signal),
  );
  const requests = usePages<RequestSummary>('request', queries.request, REQUESTS_PAGE, (before, signal) =>
    asking.list({ ...queries.request, ...before }, signal),
  );
  const drops = usePages<DropView>('drop', drop, DROPS_PAGE, (before, signal) =>
    api.get<DropView[]>('/api/drop-links', { query: { ...drop, ...before }, signal }),
  );
  const pages = usePages<PortalView>('page', queries.page, PORTALS_PAGE, (before, signal) =>
    api.get<PortalView[]>('/api/client-pages', { query: { ...queries.page, ...before }, signal }),
  );
  const lists = [
    { asked: queries.link !== null, of: links, entries: entriesOf(links.data, linkEntry) },
    { asked: queries.request !== null, of: requests, entries: entriesOf(requests.data, requestEntry) },
    { asked: drop !== null, of: drops, entries: entriesOf(drops.data, dropEntry) },
    { asked: queries.page !== null, of: pages, entries: entriesOf(pages.data, pageEntry) },
  ].filter(({ asked }) => asked);
  const loaded = lists.map(({ of, entries }) => ({ entries, ended: !of.hasNextPage }));
  const next = lists[shortest(loaded)];
  const failed = lists.find(({ of }) => of.error);
  const fetching = lists.some(({ of }) => of.isFetching);

  return {
    entries: merged(loaded),
    ended: !next,
    more: next && !fetching && !failed ? () => void next.of.fetchNextPage() : null,
    /** Loads each list to its end. @returns whether that went well. */
    async loadAll(): Promise<boolean> {
      const whole = lists.map(async ({ of }) => {
        let last: { hasNextPage: boolean; isError: boolean } = of;
        while (last.hasNextPage && !last.isError) last = await of.fetchNextPage();
        return !last.isError;
      });
      return (await Promise.all(whole)).every(Boolean);
    },
    error: failed?.of.error ?? null,
    fetching,
    refetch: () => void Promise.all(lists.map(({ of }) => of.refetch())),
  };
}

function entriesOf<T extends Listed>(
  data: InfiniteData<T[]> | undefined,
  entryOf: (one: T) => Entry,
): Entry[] {
  return (data?.pages.flat() ?? []).toSorted((a, b) => b.id - a.id).map(entryOf);
}
