import type { ClientHit } from '#server/clients/contract.ts';
import type { ItemView } from '#server/documents/contract.ts';
import type { TextHit } from '#server/reading/contract.ts';
import * as reading from '#messages/reading.ts';
import * as t from '#messages/shell.ts';
import type { Results } from '../../lib/search.ts';
import type { SearchState } from './useSearch.ts';
import { hitHref } from '../../lib/reading.ts';
import {
  MAX_SHOWN,
  clientHref,
  clientSearchHref,
  clientFilesHref,
  highlightHref,
  resultsHref,
} from '../../lib/search.ts';

/** A line of the search results with its URL. */
export type Line = { id: string; href: string } & (
  | { kind: 'item'; item: ItemView }
  | { kind: 'inside'; hit: TextHit }
  | { kind: 'client'; client: ClientHit }
  | { kind: 'record'; client: ClientHit }
  | { kind: 'more'; text: string }
  /** Completes a filter in the search field. */
  | { kind: 'filter'; text: string; label: string; note: string }
);

export interface Group {
  id: string;
  name: string;
  lines: Line[];
}

/** The groups of results: clients first, each with lines for its page and its files. */
export function groupsOf(results: Results, query: string): Group[] {
  const { items, total, clients, moreClients } = results;
  const people = clients.flatMap((client): Line[] => [
    { kind: 'client', id: `client-${client.id}`, href: clientHref(client.id), client },
    { kind: 'record', id: `record-${client.id}`, href: clientFilesHref(client), client },
  ]);
  const shown = items.slice(0, MAX_SHOWN);
  const hits = new Map(results.inside.map((hit) => [hit.item.id, hit]));
  const inFile = (hit: TextHit): Line => ({
    kind: 'inside',
    id: `inside-${hit.item.id}`,
    href: hitHref(hit),
    hit,
  });
  // A file found by its name and by its text is listed once, with the matching text.
  const files = shown.map((item): Line => {
    const hit = hits.get(item.id);
    return hit ? inFile(hit) : { kind: 'item', id: `item-${item.id}`, href: highlightHref(item), item };
  });
  const listedIds = new Set(items.map(({ id }) => id));
  files.push(...results.inside.filter(({ item }) => !listedIds.has(item.id)).map(inFile));
  const more = total - files.length;
  if (moreClients)
    people.push({ kind: 'more', id: 'clients', href: clientSearchHref(query), text: t.allClients });
  if (more > 0 && files.length > 0)
    files.push({ kind: 'more', id: 'items', href: resultsHref(query), text: t.moreResults(more) });
  else if (results.moreInside)
    files.push({ kind: 'more', id: 'inside', href: resultsHref(query), text: reading.moreInside });
  return [
    { id: 'people', name: t.clients, lines: people },
    { id: 'files', name: t.filesAndFolders, lines: files },
  ].filter(({ lines }) => lines.length > 0);
}

/** How many results the lines show: a client has two lines, and the line that leads to more results is none. */
export const countResults = (lines: readonly Line[]): number =>
  lines.filter(({ kind }) => kind !== 'record' && kind !== 'more').length;

/** The text for a search without result lines. */
export function statusText({ status, message, notes }: SearchState, query: string): string {
  if (status === 'failed') return message ?? '';
  const [note] = notes;
  if (status === 'found' && note) return t.filterNotes[note.key](note.value);
  return status === 'found' ? t.noResults(query) : t.searching;
}
