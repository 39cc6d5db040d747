import { QueryClient } from '@tanstack/react-query';
import type { FolderListing } from '#server/documents/contract.ts';
import type { Place } from './place.ts';

/** Milliseconds a listing is shown again without asking. */
export const FRESH = 300_000;

/** There a page's cache goes when the page is sent; a timer would keep it. */
const onServer = typeof window === 'undefined';

const make = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH,
        gcTime: onServer ? Infinity : 2 * FRESH,
        retry: false,
        networkMode: 'always',
      },
    },
  });

let kept: QueryClient | null = null;
let keptFor: number | null = null;

/** This user's listings, kept while pages change. On the server each page has its own. */
export function cacheFor(userId: number): QueryClient {
  if (onServer) return make();
  if (!kept || keptFor !== userId) kept = make();
  keptFor = userId;
  return kept;
}

export const listingKey = ({ folderId, client, search }: Pick<Place, 'folderId' | 'client' | 'search'>) =>
  ['listing', folderId, client?.id ?? null, search] as const;

/** Links to bytes stay: a film must not begin anew because a file was renamed. */
const again = (cache: QueryClient) =>
  cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'link' });

/** Moments of this tab, as `performance.now()` counts them: when the page was asked for, and when something last changed. */
const moments = { asked: 0, changed: -1 };
if (!onServer) {
  document.addEventListener('astro:before-preparation', () => {
    moments.asked = performance.now();
  });
}

/**
 * Begins with what the page came with, which is newer than anything kept; what it could not bring whole is asked for.
 * A change that came while the page was on its way is asked for too: it may have been drawn before.
 */
export function seed(
  cache: QueryClient,
  came: readonly { key: readonly unknown[]; data: unknown; whole: boolean }[],
): void {
  for (const { key, data, whole } of came) {
    if (whole) cache.setQueryData(key, data);
    else cache.removeQueries({ queryKey: key, exact: true });
  }
  if (moments.changed >= moments.asked) void again(cache);
}

/** Takes items out of every listing at once, so that nobody waits for the answer to see them gone. */
export function forget(cache: QueryClient, ids: readonly number[]): void {
  const gone = new Set(ids);
  cache.setQueriesData<FolderListing>({ queryKey: ['listing'] }, (listing) =>
    listing ? { ...listing, items: listing.items.filter((item) => !gone.has(item.id)) } : listing,
  );
}

const CHANNEL = 'drive-changes';

/** Loads again what is shown, and everything else when it is next shown; in the other tabs too. */
export async function refresh(cache: QueryClient): Promise<void> {
  moments.changed = performance.now();
  tell();
  await again(cache);
}

function tell(): void {
  const channel = new BroadcastChannel(CHANNEL);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no origin to name
  channel.postMessage('changed');
  channel.close();
}

/** Listens to the changes other tabs make. @returns what ends it. */
export function followTabs(cache: QueryClient): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', () => void again(cache));
  return () => channel.close();
}
