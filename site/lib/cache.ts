import type { Query } from '@tanstack/react-query';
import { QueryClient } from '@tanstack/react-query';
import type { FolderListing } from '#server/documents/contract.ts';
import type { ChangePiece } from '#server/events/contract.ts';
import { ApiError } from './apiError.ts';
import { isAffected } from './affectedLists.ts';
import { coalesce } from './coalesce.ts';

/** Milliseconds a list is shown again without asking. */
export const STALE_MS = 300_000;

/** Milliseconds after which a list that failed to load is asked for again; longer with each failure. */
const AGAIN = { step: 5000, most: 60_000 };

/** When what failed is asked for again, in milliseconds: the network comes back without a word. A refusal stays one. */
export const refetchDelay = ({ state }: Pick<Query, 'state'>): number | false => {
  if (state.status !== 'error' || !(state.error instanceof ApiError)) return false;
  const passes = state.error.status === 0 || state.error.status >= 500;
  return passes && Math.min(AGAIN.step * state.errorUpdateCount, AGAIN.most);
};

/** There a page's cache goes when the page is sent; a timer would keep it. */
const onServer = typeof window === 'undefined';

const make = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        gcTime: onServer ? Infinity : 2 * STALE_MS,
        retry: false,
        refetchInterval: refetchDelay,
        networkMode: 'always',
      },
    },
  });

let kept: QueryClient | null = null;
let keptFor: number | null = null;

/** What a page brought: the answer to one question, and whether that is all of it. */
export interface InitialQuery {
  key: readonly unknown[];
  data: unknown;
  complete?: boolean;
}

/**
 * This user's lists, kept while pages change, beginning with what the page came with: that is newer than anything
 * kept, and the page was drawn from it. On the server each page has its own.
 */
export function queryClientFor(userId: number, came: readonly InitialQuery[]): QueryClient {
  if (onServer) return seed(make(), came);
  if (!kept || keptFor !== userId) kept = make();
  keptFor = userId;
  return seed(kept, came);
}

/** Of one folder's contents, of one client's, or of what is named like this. */
export const listingKey = ({
  folderId,
  client,
  search,
}: {
  folderId: number | null;
  client: { id: number } | null;
  search: string;
}) => ['listing', folderId, client?.id ?? null, search] as const;

/** The first page of a list that comes in pages, as `useInfiniteQuery` keeps it. */
export const firstPage = <Page, Param = string>(page: Page, param: Param = '' as Param) => ({
  pages: [page],
  pageParams: [param],
});

/** Moments of this tab, as `performance.now()` counts them: when the page was asked for, and when something last changed. */
const moments = { asked: 0, changed: -1 };

/**
 * What the page could not bring whole is asked for. So is everything, when a change came while the page was on its
 * way: it may have been drawn before.
 */
function seed(cache: QueryClient, came: readonly InitialQuery[]): QueryClient {
  for (const { key, data, complete: whole = true } of came) {
    if (whole) cache.setQueryData(key, data);
    else cache.removeQueries({ queryKey: key, exact: true });
  }
  if (moments.changed >= moments.asked) void cache.invalidateQueries({ predicate: isList });
  return cache;
}

/** Links to bytes stay: a film must not begin anew because a file was renamed. */
const isList = ({ queryKey }: Pick<Query, 'queryKey'>): boolean => queryKey[0] !== 'link';

/**
 * Marks every list as out of date and loads again what is shown, without breaking off what is being loaded: on a slow
 * line nothing would ever arrive. What was under way may have been answered before the change, so it is loaded once more.
 */
export async function revalidate(
  cache: QueryClient,
  predicate: (query: Query) => boolean = isList,
): Promise<void> {
  const gently = { cancelRefetch: false };
  const underWay = new Set(cache.getQueryCache().findAll({ predicate, fetchStatus: 'fetching' }));
  await cache.invalidateQueries({ predicate }, gently);
  if (underWay.size > 0) await cache.invalidateQueries({ predicate: (query) => underWay.has(query) }, gently);
}

/** Milliseconds between two loads of the same list at least: sixty small files a second must not load it sixty times. */
const EVERY = 600;
/** Milliseconds after which a list that does not arrive no longer holds up the others. */
const PATIENCE = 15_000;

/** What colleagues have changed since the last sweep; null when it may be anything. */
let pieces: ChangePiece[] | null = [];

const sweep = coalesce(async () => {
  moments.changed = performance.now();
  const late = new Promise<void>((resolve) => setTimeout(resolve, PATIENCE));
  const told = pieces;
  pieces = [];
  if (!kept) return;
  const isConcerned = ({ queryKey, state }: Query) => isAffected({ queryKey, data: state.data }, told ?? []);
  await Promise.race([told === null ? revalidate(kept) : revalidate(kept, isConcerned), late]);
}, EVERY);

/** The tabs of this browser. One for the whole session: a channel does not hear what it says itself. */
const channel = onServer ? null : new BroadcastChannel('drive-changes');
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no origin to name
const tell = coalesce(() => Promise.resolve(channel?.postMessage('changed')), EVERY);

if (!onServer) {
  channel?.addEventListener('message', invalidateAll);
  document.addEventListener('astro:before-preparation', () => {
    moments.asked = performance.now();
  });
}

/** Everything may have changed: in another tab, or while nobody could be heard. */
export function invalidateAll(): void {
  moments.changed = performance.now();
  pieces = null;
  sweep();
}

/** Colleagues have changed something: what shows it is loaded again, and what is not shown once it is. */
export function invalidateAffected(told: readonly ChangePiece[]): void {
  moments.changed = performance.now();
  pieces?.push(...told);
  sweep();
}

/** Something has changed by itself, such as by an upload or a job, whatever screen is open. Tells the other tabs. */
export function notifyChanged(): void {
  invalidateAll();
  tell();
}

/** The user has changed something: loads what is shown again at once, and everything else when it is next shown. */
export async function refresh(cache: QueryClient): Promise<void> {
  moments.changed = performance.now();
  tell();
  await cache.invalidateQueries({ predicate: isList });
}

/** Takes items out of every listing at once, so that nobody waits for the answer to see them gone. */
export function removeFromListings(cache: QueryClient, ids: readonly number[]): void {
  const gone = new Set(ids);
  cache.setQueriesData<FolderListing>({ queryKey: ['listing'] }, (listing) =>
    listing ? { ...listing, items: listing.items.filter((item) => !gone.has(item.id)) } : listing,
  );
}
