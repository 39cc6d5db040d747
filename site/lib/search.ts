import type { ClientHit } from '#server/clients/contract.ts';
import type { ItemView } from '#server/documents/contract.ts';
import type { TextHit } from '#server/reading/contract.ts';
import type { FilterNote } from '#server/search/contract.ts';
import * as common from '#messages/common.ts';
import { api } from './api.ts';

/** The top bar asks from this many letters on. */
export const MIN_LETTERS = 3;
export const DEBOUNCE_MS = 500;
export const MAX_SHOWN = 8;

export interface Results {
  items: ItemView[];
  /** How many there are altogether, as far as was counted. */
  total: number;
  /** A few clients with this in their name or numbers. */
  clients: ClientHit[];
  moreClients: boolean;
  /** A few files with this in their text. */
  inside: TextHit[];
  moreInside: boolean;
  /** Filters because of which nothing is found. */
  notes: FilterNote[];
}

export const NO_RESULTS: Results = {
  items: [],
  total: 0,
  clients: [],
  moreClients: false,
  inside: [],
  moreInside: false,
  notes: [],
};

/** All that is named like this, as a page. */
export const resultsHref = (query: string): string =>
  `/dashboard?${new URLSearchParams({ search: query.trim() })}`;

/** All about one client. */
export const clientHref = (id: number): string => `/clients/${id}`;
/** What was done to a client, or to an item and what it holds. */
export const historyHref = (what: 'client' | 'item', id: number): string => `/history?${what}=${id}`;
/** The client's files, and its record in the list of clients. */
export const clientFilesHref = ({ id, name }: Pick<ClientHit, 'id' | 'name'>): string =>
  `/dashboard?client=${id}&clientName=${encodeURIComponent(name)}`;
export const clientSearchHref = (text: string): string =>
  `/clients?${new URLSearchParams({ search: text.trim() })}`;

/** The line under a client's name: what was found in it, else what it is. */
export const describeClient = ({ client_type, city, status, found_in }: ClientHit): string =>
  [found_in, client_type, city, status === 'Inactive' && status].filter(Boolean).join(' · ');

/** Items by name, and clients; fewer than two letters find nothing, without asking. */
export async function searchItems(
  text: string,
  { limit, signal }: { limit?: number; signal?: AbortSignal } = {},
): Promise<Results> {
  const query = text.trim();
  if (query.length < 2) return NO_RESULTS;
  const answer = await api.send<ItemView[]>('GET', '/api/documents/search', undefined, {
    query: { query, limit },
    ...(signal && { signal }),
  });
  const { data, total, clients, more_clients, inside, more_inside, notes } = answer;
  return {
    items: data,
    total: typeof total === 'number' ? total : data.length,
    clients: (clients ?? []) as ClientHit[],
    moreClients: more_clients === true,
    inside: (inside ?? []) as TextHit[],
    moreInside: more_inside === true,
    notes: (notes ?? []) as FilterNote[],
  };
}

/** The folder an item is in, with the item marked. */
export const highlightHref = ({ id, parent_id }: Pick<ItemView, 'id' | 'parent_id'>): string =>
  `${parent_id === null ? '/dashboard' : `/dashboard/folder/${parent_id}`}?highlight=${id}`;

/** Whose an item is, and where it is kept. Most clients have a folder of their name: once is enough. */
export function locationLabel({ client_name, path }: Pick<ItemView, 'client_name' | 'path'>): string {
  const place = path || common.myDrive;
  const named = client_name !== null && place.split(' / ').includes(client_name);
  return named ? place : [client_name, place].filter(Boolean).join(' · ');
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Of what was found for another text what surely belongs to this one too: the names in which it stands. */
export function narrowResults({ items, clients }: Results, query: string): Results {
  const wanted = plain(query.trim());
  const meant = ({ name }: { name: string }) => plain(name).includes(wanted);
  const named = items.filter(meant);
  return { ...NO_RESULTS, items: named, total: named.length, clients: clients.filter(meant) };
}

/** `text` in pieces, those that match a word of `query` marked; case and accents do not matter. */
export function matchSegments(text: string, query: string): { text: string; hit: boolean }[] {
  const letters = [...text];
  // One folded letter for each real one keeps the positions of both equal.
  const folded = letters.map((letter) => plain(letter).slice(0, 1) || letter);
  const hits = letters.map(() => false);
  for (const word of query.trim().split(/\s+/).map(plain).filter(Boolean)) {
    const wanted = [...word];
    for (let at = 0; at + wanted.length <= folded.length; at += 1) {
      if (wanted.every((letter, i) => folded[at + i] === letter)) hits.fill(true, at, at + wanted.length);
    }
  }
  const found: { text: string; hit: boolean }[] = [];
  letters.forEach((letter, i) => {
    const last = found.at(-1);
    const hit = hits[i] === true;
    if (last?.hit === hit) last.text += letter;
    else found.push({ text: letter, hit });
  });
  return found;
}
