import type { Query } from '@tanstack/react-query';
import { QueryClient } from '@tanstack/react-query';
import type { FolderListing } from '#server/documents/contract.ts';
import type { ChangePiece } from '#server/events/contract.ts';
import { ApiError } from './apiError.ts';
import { isAffected } from './affectedLists.ts';
import { coalesce } from './coalesce.ts';

/** How long a loaded list is shown again without a request, in milliseconds. */
const STALE_MS = 300_000;

/** Milliseconds before a failed list is requested again: `step` per failure so far, up to `max`. */
const RETRY_MS = { step: 5000, max: 60_000 };

/**
 * Milliseconds until a failed query is requested again, because no event reports that a server is reachable again; false
 * for a refusal (4xx), which a retry would not change.
 */
export const refetchDelay = ({ state }: Pick<Query, 'state'>): number | false => {
  if (state.status !== 'error' || !(state.error instanceof ApiError)) return false;
  const isTransient = state.error.status === 0 || state.error.status >= 500;
  return isTransient && Math.min(RETRY_MS.step * state.errorUpdateCount, RETRY_MS.max);
};

/** During server rendering the cache lives as long as the response; a garbage-collection timer would keep it alive. */
const isServer = typeof window === 'undefined';

const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        gcTime: isServer ? Infinity : 2 * STALE_MS,
        retry: false,
        refetchInterval: refetchDelay,
        networkMode: 'always',
      },
    },
  });

let client: QueryClient | null = null;
let clientUserId: number | null = null;

/** A query's data as delivered with the page. `complete`: false if the data is only the beginning of the list. */
export interface InitialQuery {
  key: readonly unknown[];
  data: unknown;
  complete?: boolean;
}

/**
 * The user's query client, which survives page changes. It takes over the data delivered with the page, since that is
 * newer than any cached data and the page was rendered from it. On the server each page has a client of its own.
 */
export function queryClientFor(userId: number, initial: readonly InitialQuery[]): QueryClient {
  if (isServer) return seed(createQueryClient(), initial);
  if (!client || clientUserId !== userId) client = createQueryClient();
  clientUserId = userId;
  return seed(client, initial);
}

/** The query key of a folder's contents, a client's files, or a search by name. */
export const listingKey = ({
  folderId,
  client,
  search,
}: {
  folderId: number | null;
  client: { id: number } | null;
  search: string;
}) => ['listing', folderId, client?.id ?? null, search] as const;

/** The first page of a paginated list, in the shape that `useInfiniteQuery` caches. */
export const firstPage = <Page, Param = string>(page: Page, param: Param = '' as Param) => ({
  pages: [page],
  pageParams: [param],
});

/** Times from `performance.now()`: when this page was requested, and when data last changed. */
const times = { pageRequested: 0, dataChanged: -1 };

/**
 * Takes over the page's initial data; incomplete lists are requested. If data changed after the page was requested, every
 * list is requested, since the server may have rendered the page before the change.
 */
function seed(cache: QueryClient, initial: readonly InitialQuery[]): QueryClient {
  for (const { key, data, complete = true } of initial) {
    if (complete) cache.setQueryData(key, data);
    else cache.removeQueries({ queryKey: key, exact: true });
  }
  if (times.dataChanged >= times.pageRequested) void cache.invalidateQueries({ predicate: isList });
  return cache;
}

/** Download links stay valid: a new link would restart a playing video. */
const isList = ({ queryKey }: Pick<Query, 'queryKey'>): boolean => queryKey[0] !== 'link';

/**
 * Invalidates the matching queries and refetches the mounted ones without cancelling fetches in flight: on a slow network
 * repeated cancelling would let no response arrive. A fetch in flight may return data from before the change, so it is
 * repeated.
 */
export async function revalidate(
  cache: QueryClient,
  predicate: (query: Query) => boolean = isList,
): Promise<void> {
  const options = { cancelRefetch: false };
  const inFlight = new Set(cache.getQueryCache().findAll({ predicate, fetchStatus: 'fetching' }));
  await cache.invalidateQueries({ predicate }, options);
  if (inFlight.size > 0)
    await cache.invalidateQueries({ predicate: (query) => inFlight.has(query) }, options);
}

/** Minimum milliseconds between refetches of the same list: an upload of sixty small files a second must not cause sixty. */
const REFETCH_INTERVAL_MS = 600;
/** Milliseconds after which a refetch that has not finished no longer delays the next one. */
const REFETCH_TIMEOUT_MS = 15_000;

/** Colleagues' changes since the last refetch; null if anything may have changed. */
let pendingChanges: ChangePiece[] | null = [];

const scheduleRefetch = coalesce(async () => {
  times.dataChanged = performance.now();
  const timeout = new Promise<void>((resolve) => setTimeout(resolve, REFETCH_TIMEOUT_MS));
  const changes = pendingChanges;
  pendingChanges = [];
  if (!client) return;
  const predicate =
    changes === null
      ? isList
      : ({ queryKey, state }: Query) => isAffected({ queryKey, data: state.data }, changes);
  await Promise.race([revalidate(client, predicate), timeout]);
}, REFETCH_INTERVAL_MS);

/** Connects the browser's tabs. One instance for the whole tab, since a channel does not receive its own messages. */
const channel = isServer ? null : new BroadcastChannel('drive-changes');
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no origin to name
const notifyTabs = coalesce(() => Promise.resolve(channel?.postMessage('changed')), REFETCH_INTERVAL_MS);

if (!isServer) {
  channel?.addEventListener('message', invalidateAll);
  document.addEventListener('astro:before-preparation', () => {
    times.pageRequested = performance.now();
  });
}

/** Refetches every list: another tab changed data, or events may have been missed. */
export function invalidateAll(): void {
  times.dataChanged = performance.now();
  pendingChanges = null;
  scheduleRefetch();
}

/** Invalidates the queries that colleagues' changes affect. Mounted ones are refetched, the others when next mounted. */
export function invalidateAffected(changes: readonly ChangePiece[]): void {
  times.dataChanged = performance.now();
  pendingChanges?.push(...changes);
  scheduleRefetch();
}

/** Refetches every list in all tabs after a change outside the open screen, such as an upload or a finished job. */
export function notifyChanged(): void {
  invalidateAll();
  notifyTabs();
}

/** Refetches the mounted lists immediately after the user's own change, the others when next mounted. */
export async function refresh(cache: QueryClient): Promise<void> {
  times.dataChanged = performance.now();
  notifyTabs();
  await cache.invalidateQueries({ predicate: isList });
}

/** Like `refresh`, for a change that affects only the queries whose keys begin with one of these. */
export async function refreshKeys(
  cache: QueryClient,
  ...keys: readonly (readonly unknown[])[]
): Promise<void> {
  times.dataChanged = performance.now();
  notifyTabs();
  await Promise.all(keys.map((queryKey) => cache.invalidateQueries({ queryKey })));
}

/** Optimistically removes items from every cached listing, before the refetch confirms it. */
export function removeFromListings(cache: QueryClient, ids: readonly number[]): void {
  const removed = new Set(ids);
  cache.setQueriesData<FolderListing>({ queryKey: ['listing'] }, (listing) =>
    listing ? { ...listing, items: listing.items.filter((item) => !removed.has(item.id)) } : listing,
  );
}
