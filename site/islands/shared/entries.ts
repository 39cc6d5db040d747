import type { DropView } from '#server/drop-links/contract.ts';
import type { PortalView } from '#server/portal/contract.ts';
import type { RequestSummary } from '#server/requests/contract.ts';
import type { ShareView } from '#server/sharing/contract.ts';

/** A share link, a request, a drop link or a client's page. */
export type Entry =
  | { kind: 'link'; key: string; created_at: string; link: ShareView }
  | { kind: 'request'; key: string; created_at: string; request: RequestSummary }
  | { kind: 'drop'; key: string; created_at: string; drop: DropView }
  | { kind: 'page'; key: string; created_at: string; portal: PortalView };

export const linkEntry = (link: ShareView): Entry => ({
  kind: 'link',
  key: `link-${link.id}`,
  created_at: link.created_at,
  link,
});
export const requestEntry = (request: RequestSummary): Entry => ({
  kind: 'request',
  key: `request-${request.id}`,
  created_at: request.created_at,
  request,
});
export const dropEntry = (drop: DropView): Entry => ({
  kind: 'drop',
  key: `drop-${drop.id}`,
  created_at: drop.created_at,
  drop,
});
export const pageEntry = (portal: PortalView): Entry => ({
  kind: 'page',
  key: `page-${portal.id}`,
  created_at: portal.created_at,
  portal,
});

/** Whether the entry can be ended: it is usable, or can be made usable again by a change. */
export const canEnd = (entry: Entry): boolean =>
  entry.kind === 'link'
    ? entry.link.state !== 'revoked'
    : entry.kind !== 'request' || entry.request.state === 'open';

/** The loaded part of one of several lists, newest first. */
interface LoadedList {
  entries: readonly Entry[];
  ended: boolean;
}

/** The creation time of the oldest loaded entry; '' for a complete list. */
const oldestLoaded = ({ entries, ended }: LoadedList): string =>
  ended ? '' : (entries.at(-1)?.created_at ?? '');

/** The index of the list whose next page must be loaded before older entries can be shown; -1 when all are complete. */
export function nextToLoad(lists: readonly LoadedList[]): number {
  const bounds = lists.map(oldestLoaded);
  const newest = bounds.reduce((a, b) => (a > b ? a : b), '');
  return newest === '' ? -1 : bounds.indexOf(newest);
}

/**
 * Merges several lists, newest first. Entries older than the loaded part of an incomplete list are left out, since the next
 * page of that list belongs above them.
 */
export function mergeLists(lists: readonly LoadedList[]): Entry[] {
  const bound = lists.map(oldestLoaded).reduce((a, b) => (a > b ? a : b), '');
  return lists
    .flatMap(({ entries }) => entries)
    .filter(({ created_at }) => created_at >= bound)
    .toSorted((a, b) => (a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : 0));
}
