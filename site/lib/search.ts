import type { ClientHit } from '#server/clients/contract.ts';
import type { ItemView } from '#server/documents/contract.ts';
import type { TextHit } from '#server/reading/contract.ts';
import type { FilterNote } from '#server/search/contract.ts';
import * as common from '#messages/common.ts';
import { api } from './api.ts';

/** The top bar searches from this many letters on. */
export const MIN_LETTERS = 3;
export const DEBOUNCE_MS = 500;
export const MAX_SHOWN = 8;

export interface Results {
  items: ItemView[];
  /** Number of all matches, as far as the server counted. */
  total: number;
  /** The first clients that match by name or number. */
  clients: ClientHit[];
  moreClients: boolean;
  /** The first files that match by their text. */
  inside: TextHit[];
  moreInside: boolean;
  /** Filters that exclude every match. */
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

/** The page of all search results. */
export const resultsHref = (query: string): string =>
  `/dashboard?${new URLSearchParams({ search: query.trim() })}`;

export const clientHref = (id: number): string => `/clients/${id}`;
/** The history of a client, or of an item and its contents. */
export const historyHref = (kind: 'client' | 'item', id: number): string => `/history?${kind}=${id}`;
export const clientFilesHref = ({ id, name }: Pick<ClientHit, 'id' | 'name'>): string =>
  `/dashboard?client=${id}&clientName=${encodeURIComponent(name)}`;
export const clientSearchHref = (text: string): string =>
  `/clients?${new URLSearchParams({ search: text.trim() })}`;

/** The line under a client's name: the matching field, the type, the city. */
export const describeClient = ({ client_type, city, status, found_in }: ClientHit): string =>
  [found_in, client_type, city, status === 'Inactive' && status].filter(Boolean).join(' · ');

/** Searches items and clients; fewer than two letters return no results without a request. */
export async function searchItems(
  text: string,
  { limit, signal }: { limit?: number; signal?: AbortSignal } = {},
): Promise<Results> {
  const query = text.trim();
  if (query.length < 2) return NO_RESULTS;
  const response = await api.send<ItemView[]>('GET', '/api/documents/search', undefined, {
    query: { query, limit },
    ...(signal && { signal }),
  });
  const { data, total, clients, more_clients, inside, more_inside, notes } = response;
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

/** The URL of an item's folder, with the item highlighted. */
export const highlightHref = ({ id, parent_id }: Pick<ItemView, 'id' | 'parent_id'>): string =>
  `${parent_id === null ? '/dashboard' : `/dashboard/folder/${parent_id}`}?highlight=${id}`;

/** An item's client and path; the client is omitted if the path contains a folder of that name. */
export function locationLabel({ client_name, path }: Pick<ItemView, 'client_name' | 'path'>): string {
  const location = path || common.myDrive;
  const isInPath = client_name !== null && location.split(' / ').includes(client_name);
  return isInPath ? location : [client_name, location].filter(Boolean).join(' · ');
}

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** The results of an earlier query whose names also contain `query`, to show until the new results arrive. */
export function narrowResults({ items, clients }: Results, query: string): Results {
  const wanted = fold(query.trim());
  const isMatch = ({ name }: { name: string }) => fold(name).includes(wanted);
  const matches = items.filter(isMatch);
  return { ...NO_RESULTS, items: matches, total: matches.length, clients: clients.filter(isMatch) };
}

interface Segment {
  text: string;
  hit: boolean;
}

/** Splits `text` into segments; `hit` marks those that match a word of `query`, ignoring case and accents. */
export function matchSegments(text: string, query: string): Segment[] {
  const letters = [...text];
  // One folded letter per letter keeps the positions aligned.
  const folded = letters.map((letter) => fold(letter).slice(0, 1) || letter);
  const hits = letters.map(() => false);
  for (const word of query.trim().split(/\s+/).map(fold).filter(Boolean)) {
    const wordLetters = [...word];
    for (let start = 0; start + wordLetters.length <= folded.length; start += 1) {
      if (wordLetters.every((letter, i) => folded[start + i] === letter))
        hits.fill(true, start, start + wordLetters.length);
    }
  }
  const segments: Segment[] = [];
  letters.forEach((letter, i) => {
    const last = segments.at(-1);
    const hit = hits[i] === true;
    if (last?.hit === hit) last.text += letter;
    else segments.push({ text: letter, hit });
  });
  return segments;
}

/** The segments between two indexes of their text. */
export function partOfSegments(segments: readonly Segment[], from: number, to: number): Segment[] {
  let start = 0;
  return segments.flatMap(({ text, hit }) => {
    const part = text.slice(Math.max(0, from - start), Math.max(0, to - start));
    start += text.length;
    return part === '' ? [] : [{ text: part, hit }];
  });
}
