/** A client as a list names it. */
export interface ClientRef {
  id: number;
  name: string;
}

/** Where in the drive somebody is, as the address says it. */
export interface DriveLocation {
  /** null at 'My Drive'. */
  folderId: number | null;
  /** The listing is restricted to this client. */
  client: ClientRef | null;
  /** The listing is what is named like this, here and below; '' when it is the folder itself. */
  search: string;
  /** The file in the preview layer. */
  previewId: number | null;
  /** The item to scroll to and mark; the parameter leaves the address once it is marked. */
  highlightId: number | null;
  /** What the file in the preview was found by. */
  textMatch?: TextMatch;
}

/** Where in a file words stand, and the words as they stand there. */
export interface TextMatch {
  /** From 1. */
  page: number;
  words: readonly string[];
}

/** As the server takes it. */
const LONGEST_SEARCH = 255;
const ID = /^[1-9]\d{0,14}$/;
const readId = (text: string | null | undefined): number | null =>
  text && ID.test(text) ? Number(text) : null;

/** What the file in the preview was found by, as an address says it; null when it was not found by its words. */
export function parseTextMatch({ searchParams }: URL): TextMatch | null {
  const page = readId(searchParams.get('page'));
  const words = searchParams.getAll('find').filter((word) => word !== '');
  return searchParams.has('preview') && page !== null ? { page, words: words.slice(0, 12) } : null;
}

/** null for an address that is not in the drive. */
export function parseDriveUrl(url: URL): DriveLocation | null {
  const match = /^\/dashboard(?:\/?|\/folder\/([^/]+)(?:\/.*)?)$/.exec(url.pathname);
  if (!match) return null;
  const folderId = readId(match[1]);
  if (match[1] !== undefined && folderId === null) return null;
  const clientId = readId(url.searchParams.get('client'));
  const sought = parseTextMatch(url);
  return {
    folderId,
    client: clientId === null ? null : { id: clientId, name: url.searchParams.get('clientName') ?? '' },
    search: (url.searchParams.get('search') ?? '').trim().slice(0, LONGEST_SEARCH),
    previewId: readId(url.searchParams.get('preview')),
    highlightId: readId(url.searchParams.get('highlight')),
    ...(sought && { textMatch: sought }),
  };
}

/** The path and query of `place`; what is left out of it stays out of the address. */
export function driveHref(place: Partial<DriveLocation>): string {
  const query = new URLSearchParams();
  if (place.client) {
    query.set('client', String(place.client.id));
    if (place.client.name) query.set('clientName', place.client.name);
  }
  if (place.search) query.set('search', place.search);
  if (place.previewId) query.set('preview', String(place.previewId));
  if (place.previewId && place.textMatch) {
    query.set('page', String(place.textMatch.page));
    for (const word of place.textMatch.words) query.append('find', word);
  }
  if (place.highlightId) query.set('highlight', String(place.highlightId));
  const path = place.folderId ? `/dashboard/folder/${place.folderId}` : '/dashboard';
  return query.size > 0 ? `${path}?${query}` : path;
}

/** Two places that show the same listing, whatever else their addresses say. */
export const isSameListing = (a: DriveLocation, b: DriveLocation): boolean =>
  a.folderId === b.folderId && (a.client?.id ?? null) === (b.client?.id ?? null) && a.search === b.search;
