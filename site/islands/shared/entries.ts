import type { DropView } from '#server/drops/contract.ts';
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

/** Whether it leads anywhere, or can be made to again by a change, and so can be ended. */
export const canEnd = (entry: Entry): boolean =>
  entry.kind === 'link'
    ? entry.link.state !== 'revoked'
    : entry.kind !== 'request' || entry.request.state === 'open';

/** One of several lists, as far as it is loaded, the newest first. */
export interface Loaded {
  entries: readonly Entry[];
  ended: boolean;
}

const edgeOf = ({ entries, ended }: Loaded): string => (ended ? '' : (entries.at(-1)?.created_at ?? ''));

/** The list that has to go on before what is older can be shown; -1 when all have ended. */
export function shortest(lists: readonly Loaded[]): number {
  const edges = lists.map(edgeOf);
  const newest = edges.reduce((a, b) => (a > b ? a : b), '');
  return newest === '' ? -1 : edges.indexOf(newest);
}

/**
 * Several lists as one, the newest first. What is older than the end of a list that goes on waits, or it would stand
 * above what that list brings next.
 */
export function merged(lists: readonly Loaded[]): Entry[] {
  const edge = lists.map(edgeOf).reduce((a, b) => (a > b ? a : b), '');
  return lists
    .flatMap(({ entries }) => entries)
    .filter(({ created_at }) => created_at >= edge)
    .toSorted((a, b) => (a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : 0));
}
