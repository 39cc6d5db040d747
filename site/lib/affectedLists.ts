import type { ChangePiece } from '#server/events/contract.ts';

/** A list that is kept: the question, and the answer if there is one. */
export interface CachedQuery {
  queryKey: readonly unknown[];
  data: unknown;
}
interface Listed {
  items?: readonly { id: number }[];
  breadcrumbs?: readonly { id: number }[];
}

const has = (ids: readonly unknown[] | undefined, id: unknown): boolean =>
  ids === undefined || ids.includes(id);

/** Whether a folder's listing may look different: its contents, a row of it, or the way to it. */
function listing({ queryKey, data }: CachedQuery, { items, parents, clients }: ChangePiece): boolean {
  const [, folder, client, search] = queryKey;
  if (search !== '' || items === undefined || parents === undefined) return true;
  if (client !== null) return has(clients, client);
  if (parents.includes(folder as number | null)) return true;
  const { items: rows = [], breadcrumbs = [] } = (data ?? {}) as Listed;
  // A folder's row counts what lies in it.
  const touched = new Set<number | null>([...items, ...parents]);
  return [...rows, ...breadcrumbs].some(({ id }) => touched.has(id));
}

const OF_ITEMS = new Set([
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

/** What stands on the rows of items. */
const ON_ROWS: ReadonlySet<string> = new Set(['items', 'clients', 'labels']);

/** Whether what has changed can be seen in this list. One that nobody thought of counts as concerned. */
export function isAffected(kept: CachedQuery, pieces: readonly ChangePiece[]): boolean {
  const [what, id] = kept.queryKey;
  return pieces.some((piece) => {
    const { kind, clients } = piece;
    switch (what) {
      case 'notes':
        return kind === 'notes' && has(piece.items, id);
      case 'labels':
        return kind === 'labels';
      case 'fields':
        return (kind === 'fields' || kind === 'items') && has(piece.items, id);
      case 'review':
        return kind === 'fields' || kind === 'items' || kind === 'clients';
      case 'link':
        return false;
      case 'listing':
        // A row names its client.
        return kind === 'items' ? listing(kept, piece) : kind === 'clients' || kind === 'labels';
      case 'client':
        return (kind === 'items' || kind === 'clients') && has(clients, id);
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
        return OF_ITEMS.has(String(what)) ? ON_ROWS.has(kind) : kind !== 'jobs';
    }
  });
}
