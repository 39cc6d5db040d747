import type { AstroGlobal } from 'astro';
import type { FolderListing } from '#server/documents/contract.ts';
import type { UserView } from '#server/auth/contract.ts';
import { NEWEST_SHOWN } from '../../islands/drive/Overview.tsx';
import type { DriveProps } from '../../islands/drive/Drive.tsx';
import { placeAt } from '../../lib/place.ts';
import { PREFERENCES_COOKIE, readPreferences } from '../../islands/drive/preferences.ts';

/** A folder that holds more is shown by its first items at once, and whole when the browser has asked for the rest. */
const FIRST_ITEMS = 200;

/** What the drive shows at this page's address; null when there is no such folder. */
export async function driveProps(astro: AstroGlobal): Promise<DriveProps | null> {
  const { actor, services, appName } = astro.locals;
  const viewer = astro.locals.viewer as UserView;
  const place = placeAt(astro.url);
  if (!place || !actor) return null;
  const preferences = readPreferences(astro.cookies.get(PREFERENCES_COOKIE)?.value);
  const { by, descending } = preferences.sorting;
  const query = {
    limit: FIRST_ITEMS,
    ...(place.client && { client_id: place.client.id }),
    ...(place.search && { search: place.search }),
  };
  const inOrder = { ...query, sort: by, direction: descending ? 'desc' : 'asc' } as const;

  let listing: FolderListing;
  try {
    listing = await services.documents.folder(actor, place.folderId, query);
    // The browser sorts a whole listing by itself; the beginning of a large one must come sorted.
    if (listing.next_cursor !== null && by !== 'name') {
      listing = await services.documents.folder(actor, place.folderId, inOrder);
    }
  } catch (error) {
    if ((error as { status?: number }).status === 404) return null;
    throw error;
  }
  const root = place.folderId === null && !place.client && !place.search;
  const overview = root
    ? {
        stats: await services.dashboard.stats(actor),
        recent: await services.dashboard.newestFiles(actor, NEWEST_SHOWN),
      }
    : null;
  const found = place.search && !place.client ? await services.search.find(actor, place.search, 1) : null;
  const foundClients = found && { clients: found.clients, moreClients: found.more_clients };
  return {
    place,
    listing,
    preferences,
    appName,
    userId: viewer.id,
    overview,
    foundClients,
    now: Date.now(),
  };
}

export const titleOf = (props: DriveProps | null): string => {
  if (!props) return 'Folder not found';
  if (props.place.search) return `Results for “${props.place.search}”`;
  // The sidebar's name for the root; the path in it calls it My Drive.
  return props.listing.breadcrumbs.at(-1)?.name ?? (props.place.client ? 'My Drive' : 'Dashboard');
};
