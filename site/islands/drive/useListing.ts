import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Breadcrumb, FolderListing, ItemView } from '#server/documents/contract.ts';
import type { SealMark } from '#server/documents/seals/contract.ts';
import * as t from '#messages/drive.ts';
import { ApiError, messageOf } from '../../lib/apiError.ts';
import { listingKey } from '../../lib/cache.ts';
import { documentCalls } from '../../lib/documentCalls.ts';
import type { Sorting } from '../items/order.ts';
import { sorted } from '../items/order.ts';
import type { DriveLocation } from '../../lib/driveLocation.ts';
import { isSameListing } from '../../lib/driveLocation.ts';
import { useDelayed } from '../../lib/useDelayed.ts';

export interface Listing {
  items: readonly ItemView[];
  breadcrumbs: readonly Breadcrumb[];
  /** The folder's seal: nothing can be created in it. */
  seal: SealMark | null;
  /** Whether to show a loading state: no data yet, after a short delay. */
  loading: boolean;
  /** Whether all items of this location are loaded; a folder that is gone has none. */
  ready: boolean;
  error: string | null;
  /** Whether the folder does not exist, or no longer. */
  gone: boolean;
  retry: () => void;
  retrying: boolean;
}

const EMPTY: FolderListing = { items: [], breadcrumbs: [], next_cursor: null };

/** The listing of a location. `first` is the listing delivered with the page: of a large folder only its beginning. */
export function useListing(
  place: DriveLocation,
  sorting: Sorting,
  first: { place: DriveLocation; listing: FolderListing },
): Listing {
  const isComplete = first.listing.next_cursor === null;
  const query = useQuery({
    queryKey: listingKey(place),
    queryFn: ({ signal }) =>
      documentCalls.listing(place.folderId, place.client?.id ?? null, signal, place.search),
    ...(isSameListing(place, first.place) && !isComplete && { placeholderData: first.listing }),
  });
  const isMissing = query.error instanceof ApiError && query.error.status === 404;
  // What was loaded before may not be shown any more.
  const shown = (isMissing ? undefined : query.data) ?? EMPTY;
  const items = useMemo(
    // The server sorts the beginning of a large folder.
    () => (shown.next_cursor === null ? sorted(shown.items, sorting) : shown.items),
    [shown, sorting],
  );
  const loading = useDelayed(query.isPending, 150);
  return {
    items,
    breadcrumbs: shown.breadcrumbs,
    seal: shown.seal ?? null,
    loading,
    ready: isMissing || (query.data !== undefined && !query.isPlaceholderData),
    error: query.error ? messageOf(query.error, t.loadFailed) : null,
    gone: isMissing,
    retry: () => void query.refetch(),
    retrying: query.isFetching,
  };
}
