import type { AstroGlobal } from 'astro';
import type { FolderListing } from '#server/documents/contract.ts';
import type { Actor } from '#server/actor.ts';
import type { OverviewData } from '../../islands/drive/Overview.tsx';
import * as common from '#messages/common.ts';
import * as t from '#messages/drive.ts';
import { NEWEST_SHOWN } from '../../islands/drive/Overview.tsx';
import type { DriveProps } from '../../islands/drive/Drive.tsx';
import type { Preferences } from '../../islands/drive/preferences.ts';
import { PREFERENCES_COOKIE, readPreferences } from '../../islands/drive/preferences.ts';
import { ifThere, signedIn } from '../../lib/page.ts';
import type { Place } from '../../lib/place.ts';
import { placeAt } from '../../lib/place.ts';

/** A folder that holds more is shown by its first items at once, and whole when the browser has asked for the rest. */
const FIRST_ITEMS = 200;

/** What the drive shows at this page's address; null when there is no such folder. */
export async function driveProps(astro: AstroGlobal): Promise<DriveProps | null> {
  const { services, appName } = astro.locals;
  const { actor, viewer } = signedIn(astro.locals);
  const place = placeAt(astro.url);
  if (!place) return null;
  const preferences = readPreferences(astro.cookies.get(PREFERENCES_COOKIE)?.value);
  const everything = !place.client && !place.search;
  const isRoot = place.folderId === null && everything;
  const [listing, overview, found] = await Promise.all([
    ifThere(firstItems(services.documents, actor, place, preferences.sorting)),
    isRoot ? overviewOf(services.dashboard, actor) : null,
    place.search && !place.client ? services.search.find(actor, place.search, 1) : null,
  ]);
  const isNew = isRoot && overview?.stats.total_files === 0;
  const plan = isNew ? await services.subscription.current(actor) : null;
  return (
    listing && {
      place,
      listing,
      preferences,
      appName,
      userId: viewer.id,
      overview,
      trialOpen: plan !== null && !plan.subscription && plan.trial_ends_at === null,
      foundClients: found && { clients: found.clients, moreClients: found.more_clients },
      now: Date.now(),
    }
  );
}

type Services = AstroGlobal['locals']['services'];

async function firstItems(
  documents: Services['documents'],
  actor: Actor,
  { folderId, client, search }: Place,
  { by, descending }: Preferences['sorting'],
): Promise<FolderListing> {
  const query = { limit: FIRST_ITEMS, ...(client && { client_id: client.id }), ...(search && { search }) };
  const listing = await documents.folder(actor, folderId, query);
  // The browser sorts a whole listing by itself; the beginning of a large one must come sorted.
  if (listing.next_cursor === null || by === 'name') return listing;
  return documents.folder(actor, folderId, { ...query, sort: by, direction: descending ? 'desc' : 'asc' });
}

async function overviewOf(dashboard: Services['dashboard'], actor: Actor): Promise<OverviewData> {
  const [stats, recent] = await Promise.all([
    dashboard.stats(actor),
    dashboard.newestFiles(actor, NEWEST_SHOWN),
  ]);
  return { stats, recent };
}

export const titleOf = (props: DriveProps | null): string => {
  if (!props) return t.folderNotFound;
  if (props.place.search) return t.resultsFor(props.place.search);
  // The sidebar's name for the root; the path in it calls it My Drive.
  return props.listing.breadcrumbs.at(-1)?.name ?? (props.place.client ? common.myDrive : t.dashboard);
};
