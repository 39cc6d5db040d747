/** A client's id and name. */
export interface ClientRef {
  id: number;
  name: string;
}

/** A location in the drive, as encoded in the URL. */
export interface DriveLocation {
  /** null for 'My Drive'. */
  folderId: number | null;
  /** Restricts the listing to this client. */
  client: ClientRef | null;
  /** Lists items matching this name in the folder and below it; '' lists the folder itself. */
  search: string;
  /** The file in the preview layer. */
  previewId: number | null;
  /** The item to scroll to and mark; the parameter leaves the URL when the mark ends. */
  highlightId: number | null;
  /** The text-search match for which the file in the preview was opened. */
  textMatch?: TextMatch;
}

/** A text-search match: the page, and the matched words as written there. */
export interface TextMatch {
  /** From 1. */
  page: number;
  words: readonly string[];
}

/** The server's limit. */
const MAX_SEARCH_LENGTH = 255;
const ID = /^[1-9]\d{0,14}$/;
const parseId = (text: string | null | undefined): number | null =>
  text && ID.test(text) ? Number(text) : null;

/** The text match in a URL; null if the preview was not opened from a text search. */
export function parseTextMatch({ searchParams }: URL): TextMatch | null {
  const page = parseId(searchParams.get('page'));
  const words = searchParams.getAll('find').filter((word) => word !== '');
  return searchParams.has('preview') && page !== null ? { page, words: words.slice(0, 12) } : null;
}

/** null for a URL outside the drive. */
export function parseDriveUrl(url: URL): DriveLocation | null {
  const match = /^\/dashboard(?:\/?|\/folder\/([^/]+)(?:\/.*)?)$/.exec(url.pathname);
  if (!match) return null;
  const folderId = parseId(match[1]);
  if (match[1] !== undefined && folderId === null) return null;
  const clientId = parseId(url.searchParams.get('client'));
  const sought = parseTextMatch(url);
  return {
    folderId,
    client: clientId === null ? null : { id: clientId, name: url.searchParams.get('clientName') ?? '' },
    search: (url.searchParams.get('search') ?? '').trim().slice(0, MAX_SEARCH_LENGTH),
    previewId: parseId(url.searchParams.get('preview')),
    highlightId: parseId(url.searchParams.get('highlight')),
    ...(sought && { textMatch: sought }),
  };
}

/** The path and query of a drive location. */
export function driveHref(location: Partial<DriveLocation>): string {
  const query = new URLSearchParams();
  if (location.client) {
    query.set('client', String(location.client.id));
    if (location.client.name) query.set('clientName', location.client.name);
  }
  if (location.search) query.set('search', location.search);
  if (location.previewId) query.set('preview', String(location.previewId));
  if (location.previewId && location.textMatch) {
    query.set('page', String(location.textMatch.page));
    for (const word of location.textMatch.words) query.append('find', word);
  }
  if (location.highlightId) query.set('highlight', String(location.highlightId));
  const path = location.folderId ? `/dashboard/folder/${location.folderId}` : '/dashboard';
  return query.size > 0 ? `${path}?${query}` : path;
}

/** Whether two locations show the same listing, whatever their other parameters. */
export const isSameListing = (a: DriveLocation, b: DriveLocation): boolean =>
  a.folderId === b.folderId && (a.client?.id ?? null) === (b.client?.id ?? null) && a.search === b.search;
