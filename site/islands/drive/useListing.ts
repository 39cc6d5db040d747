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
  /** The seal over the folder: nothing can be made in it. */
  seal: SealMark | null;
  /** Nothing to show yet, and long enough to say so. */
  loading: boolean;
  /** The items of this very place are there, all of them. */
  ready: boolean;
  error: string | null;
  /** The folder is not there, or not any more. */
  gone: boolean;
  retry: () => void;
  retrying: boolean;
}

const EMPTY: FolderListing = { items: [], breadcrumbs: [], next_cursor: null };

/** The listing of `place`. `first` is what the page came with: for a large folder only its beginning. */
export function useListing(
  place: DriveLocation,
  sorting: Sorting,
  first: { place: DriveLocation; listing: FolderListing },
): Listing {
  const whole = first.listing.next_cursor === null;
  const query = useQuery({
    queryKey: listingKey(place),
    queryFn: ({ signal }) =>
      documentCalls.listing(place.folderId, place.client?.id ?? null, signal, place.search),
    ...(isSameListing(place, first.place) && !whole && { placeholderData: first.listing }),
  });
  const shown = query.data ?? EMPTY;
  const items = useMemo(
    // The beginning of a large folder comes sorted.
    () => (shown.next_cursor === null ? sorted(shown.items, sorting) : shown.items),
    [shown, sorting],
  );
  const loading = useDelayed(query.isPending, 150);
  const gone = query.error instanceof ApiError && query.error.status === 404;
  return {
    items,
    breadcrumbs: shown.breadcrumbs,
    seal: shown.seal ?? null,
    loading,
    ready: query.data !== undefined && !query.isPlaceholderData,
    error: query.error ? messageOf(query.error, t.loadFailed) : null,
    gone,
    retry: () => void query.refetch(),
    retrying: query.isFetching,
  };
}
