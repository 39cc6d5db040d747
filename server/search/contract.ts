import * as v from 'valibot';
import type { ClientHit } from '#server/clients/contract.ts';
import type { ItemView } from '#server/documents/contract.ts';
import type { TextHit } from '#server/reading/contract.ts';
import type { FilterKey } from '#server/text/search-filters.ts';
import { NO_FOLDER } from '#server/text/not-there.ts';

/** The shortest query, in characters after trimming; a shorter one has no results. */
export const SEARCH_MIN = 2;
/** The search box of the top bar sends a query from this many characters on. */
export const SEARCH_MIN_TYPED = 3;
/** Matches in the text of files that accompany the items. */
export const INSIDE_SHOWN = 4;
/** Matching clients that accompany the items. */
export const CLIENTS_SHOWN = 3;

const BAD_LIMIT = 'Give a number from 1 to 200';

/** A filter without a meaning in this firm: an unknown client, person or type, or a value that is not a year or a day. */
export interface FilterNote {
  key: FilterKey;
  value: string;
}

export interface SearchResults {
  /** Best match first. Each item names its folder: `path` in words, `parent_id` as an id. */
  items: ItemView[];
  /** The number of matches; a lower bound when `more` is true. */
  total: number;
  more: boolean;
  /** The best few of the firm's clients with the query in their name or numbers; empty below three characters. */
  clients: ClientHit[];
  /** Whether more clients match. */
  more_clients: boolean;
  /** Files whose text contains the words of the query, newest first; none for one letter or a search for folders. */
  inside: TextHit[];
  /** Whether the text of more files matches. */
  more_inside: boolean;
  /** Invalid filters; if there are any, the search has no results. */
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

/** The query of `GET /api/documents/search`. Any text is valid; one shorter than `SEARCH_MIN` has no results. */
export const searchQuery = v.object({
  query: v.optional(
    v.pipe(v.string('Search for one text'), v.maxLength(255, 'Search for at most 255 characters')),
    '',
  ),
  /** Restricts the search to folders. */
  type: v.optional(v.literal('folder', 'Search for folders with type=folder, for everything without it')),
  /** Restricts the search to the items below this folder, at any depth. */
  folder: v.optional(v.pipe(v.string(NO_FOLDER), v.regex(/^[1-9]\d{0,14}$/, NO_FOLDER), v.transform(Number))),
  limit,
});

/** The longest answer of `GET /api/documents/search/people`, which suggests owners of files for `from:`. */
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

/** The query of `GET /api/documents/search/inside`, which returns `TextHits`. */
export const insideQuery = v.object({
  query: searchQuery.entries.query,
  folder: searchQuery.entries.folder,
  limit,
});
