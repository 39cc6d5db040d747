import * as v from 'valibot';
import type { ClientHit } from '#server/clients/contract.ts';
import type { ItemView } from '#server/documents/contract.ts';
import type { TextHit } from '#server/reading/contract.ts';
import type { FilterKey } from '#server/text/search-filters.ts';

/** Fewer characters than this, after trimming, find nothing. */
export const SEARCH_MIN = 2;
/** The top bar waits for this many. */
export const SEARCH_MIN_TYPED = 3;
/** Files that are named beside them because of what they say. */
export const INSIDE_SHOWN = 4;
/** Clients that are named beside them. */
export const CLIENTS_SHOWN = 3;

const BAD_LIMIT = 'Give a number from 1 to 200';

/** A filter that means nothing here: an unknown client, person or type, or what is no year or day. */
export interface FilterNote {
  key: FilterKey;
  value: string;
}

export interface SearchResults {
  /** Best first. Each names the folder it is in: `path` in words, `parent_id` as an id. */
  items: ItemView[];
  /** How many there are; when `more` is true, at least that many. */
  total: number;
  more: boolean;
  /** From three characters on, the firm's clients with the query in their name or numbers: the likeliest few. */
  clients: ClientHit[];
  /** Whether there are others. */
  more_clients: boolean;
  /** Files in whose text the words of the query stand, the newest first; none for one letter, or among folders. */
  inside: TextHit[];
  /** Whether there are others. */
  more_inside: boolean;
  /** Filters because of which nothing is found. */
  notes: FilterNote[];
}

const limit = v.optional(
  v.pipe(
    v.string(BAD_LIMIT),
    v.regex(/^\d{1,3}$/, BAD_LIMIT),
    v.transform(Number),
    v.minValue(1, BAD_LIMIT),
    v.maxValue(200, BAD_LIMIT),
  ),
);

/** The query of `GET /api/documents/search`. Anything may be looked for; too little finds nothing. */
export const searchQuery = v.object({
  query: v.optional(
    v.pipe(v.string('Search for one text'), v.maxLength(255, 'Search for at most 255 characters')),
    '',
  ),
  /** Finds folders only. */
  type: v.optional(v.literal('folder', 'Search for folders with type=folder, for everything without it')),
  /** Finds only what lies in this folder, or below. */
  folder: v.optional(
    v.pipe(
      v.string('This folder does not exist.'),
      v.regex(/^[1-9]\d{0,14}$/, 'This folder does not exist.'),
      v.transform(Number),
    ),
  ),
  limit,
});

/** Of the people who put files in; see `GET /api/documents/search/people`. */
export const PEOPLE_SHOWN = 8;
export interface PersonHit {
  id: number;
  name: string;
}
export const peopleQuery = v.object({
  search: v.optional(
    v.pipe(v.string('Search for one name'), v.maxLength(255, 'Search for at most 255 characters')),
    '',
  ),
});

/** The query of `GET /api/documents/search/inside`, which answers with `TextHits`. */
export const insideQuery = v.object({
  query: searchQuery.entries.query,
  folder: searchQuery.entries.folder,
  limit,
});
