import type { ClientHit } from '#server/clients/contract.ts';
import type { ItemView } from '#server/documents/contract.ts';
import * as t from '#messages/shell.ts';
import type { Results } from '../../lib/search.ts';
import type { Found } from './useSearch.ts';
import { SHOWN, clientPage, clientsLike, filesOf, placeOf, resultsPage } from '../../lib/search.ts';

/** One line of the list under the search, and where it leads. */
export type Line = { id: string; href: string } & (
  | { kind: 'item'; item: ItemView }
  | { kind: 'client'; client: ClientHit }
  | { kind: 'record'; client: ClientHit }
  | { kind: 'more'; text: string }
);

export interface Group {
  id: string;
  name: string;
  lines: Line[];
}

/** What the list under the search shows: clients first, each with the way to its page and to its files. */
export function groupsOf({ items, total, clients, moreClients }: Results, query: string): Group[] {
  const people = clients.flatMap((client): Line[] => [
    { kind: 'client', id: `client-${client.id}`, href: clientPage(client.id), client },
    { kind: 'record', id: `record-${client.id}`, href: filesOf(client), client },
  ]);
  const files = items
    .slice(0, SHOWN)
    .map((item): Line => ({ kind: 'item', id: `item-${item.id}`, href: placeOf(item), item }));
  const more = total - files.length;
  if (moreClients) people.push({ kind: 'more', id: 'clients', href: clientsLike(query), text: t.allClients });
  if (more > 0 && files.length > 0)
    files.push({ kind: 'more', id: 'items', href: resultsPage(query), text: t.moreResults(more) });
  return [
    { id: 'people', name: t.clients, lines: people },
    { id: 'files', name: t.filesAndFolders, lines: files },
  ].filter(({ lines }) => lines.length > 0);
}

/** How a search stands that has no lines to show. */
export function said({ status, message }: Found, query: string): string {
  if (status === 'failed') return message ?? '';
  return status === 'found' ? t.noResults(query) : t.searching;
}
