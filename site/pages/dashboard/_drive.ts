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
import { nullIfNotFound, requireUser } from '../../lib/page.ts';
import type { DriveLocation } from '../../lib/driveLocation.ts';
import { parseDriveUrl } from '../../lib/driveLocation.ts';

/** Items in the server-rendered page; the browser then loads the rest of a larger folder. */
const FIRST_ITEMS = 200;

/** The props of the drive at this URL; null when the folder does not exist. */
export async function driveProps(astro: AstroGlobal): Promise<DriveProps | null> {
  const { services, appName } = astro.locals;
  const { actor, viewer } = requireUser(astro.locals);
  const asked = parseDriveUrl(astro.url);
  if (!asked) return null;
  const place = {
    ...asked,
    client: asked.client && (await namedClient(services.clients, actor, asked.client.id)),
  };
  const preferences = readPreferences(astro.cookies.get(PREFERENCES_COOKIE)?.value);
  const isRoot = place.folderId === null && !place.client && !place.search;
  const [listing, overview, found] = await Promise.all([
    nullIfNotFound(firstItems(services.documents, actor, place, preferences.sorting)),
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
      assignedOnly: viewer.role !== 'admin' && viewer.client_scope === 'assigned',
      foundClients: found && { clients: found.clients, moreClients: found.more_clients },
      now: Date.now(),
    }
  );
}

type Services = AstroGlobal['locals']['services'];

/** By the name that the client has now: whoever makes an address can write another one into it. Without a name if the actor sees no such client. */
async function namedClient(
  clients: Services['clients'],
  actor: Actor,
  id: number,
): Promise<NonNullable<DriveLocation['client']>> {
  const [client] = await clients.named(actor, [id]);
  return { id, name: client?.name ?? '' };
}

async function firstItems(
  documents: Services['documents'],
  actor: Actor,
  { folderId, client, search }: DriveLocation,
  { by, descending }: Preferences['sorting'],
): Promise<FolderListing> {
  const query = { limit: FIRST_ITEMS, ...(client && { client_id: client.id }), ...(search && { search }) };
  const listing = await documents.folder(actor, folderId, query);
  // The browser sorts a complete listing; the first part of a larger one must be sorted by the server.
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
  // The root has the sidebar's name; in breadcrumbs it is called My Drive.
  return props.listing.breadcrumbs.at(-1)?.name ?? (props.place.client ? common.myDrive : t.dashboard);
};
