import type { ChangePiece } from '#server/events/contract.ts';

/** A query in the cache, with its data once loaded. */
interface CachedQuery {
  queryKey: readonly unknown[];
  data: unknown;
}
interface ListingData {
  items?: readonly { id: number }[];
  breadcrumbs?: readonly { id: number }[];
}

const includesId = (ids: readonly unknown[] | undefined, id: unknown): boolean =>
  ids === undefined || ids.includes(id);

/** Whether a change can alter a folder's listing: its contents, one of its rows, or its breadcrumbs. */
function isListingAffected(
  { queryKey, data }: CachedQuery,
  { items, parents, clients }: ChangePiece,
): boolean {
  const [, folder, client, search] = queryKey;
  if (search !== '' || items === undefined || parents === undefined) return true;
  if (client !== null) return includesId(clients, client);
  if (parents.includes(folder as number | null)) return true;
  const { items: rows = [], breadcrumbs = [] } = (data ?? {}) as ListingData;
  // A folder's row shows the number of its items, so a change inside the folder alters the row.
  const touched = new Set<number | null>([...items, ...parents]);
  return [...rows, ...breadcrumbs].some(({ id }) => touched.has(id));
}

/** First query-key parts of the lists and panels whose rows are items. */
const ITEM_QUERIES = new Set([
  'files',
  'recent',
  'storage',
  'overview',
  'folders',
  'trash',
  'details',
  'sums',
  'versions',
]);

/** Kinds of change that alter an item's row. */
const ROW_KINDS: ReadonlySet<string> = new Set(['items', 'clients', 'labels']);

/** Whether any of the changes can alter this query's data. A query unknown here counts as affected. */
export function isAffected(query: CachedQuery, pieces: readonly ChangePiece[]): boolean {
  const [name, id] = query.queryKey;
  return pieces.some((piece) => {
    const { kind, clients } = piece;
    switch (name) {
      case 'notes':
        return kind === 'notes' && includesId(piece.items, id);
      case 'labels':
        return kind === 'labels';
      case 'fields':
        return (kind === 'fields' || kind === 'items') && includesId(piece.items, id);
      case 'review':
        return kind === 'fields' || kind === 'items' || kind === 'clients';
      case 'link':
        return false;
      case 'listing':
        // A row shows the client's name.
        return kind === 'items' ? isListingAffected(query, piece) : kind === 'clients' || kind === 'labels';
      case 'client':
        return (kind === 'items' || kind === 'clients') && includesId(clients, id);
      case 'clients':
      case 'found-clients':
      case 'offered':
        return kind === 'clients';
      case 'access':
        return kind === 'team' || kind === 'clients' || (kind === 'items' && id === 'item');
      case 'shares':
        return kind !== 'jobs' && kind !== 'templates';
      case 'requests':
        return kind === 'requests' || kind === 'items' || kind === 'clients';
      case 'people':
      case 'team':
        return kind === 'team' || kind === 'clients' || kind === 'plan';
      case 'templates':
        return kind === 'templates';
      case 'history':
        return kind !== 'jobs';
      case 'storage':
        return kind === 'items' || kind === 'plan';
      default:
        return ITEM_QUERIES.has(String(name)) ? ROW_KINDS.has(kind) : kind !== 'jobs';
    }
  });
}
