import * as v from 'valibot';
import type { BulkResult, ItemView, Taken } from '../contract.ts';
import { CONFLICTS, DIRECTIONS, MOST_AT_ONCE, listingQuery } from '../contract.ts';

/** How long what is deleted stays in Trash when the server is told nothing else. */
export const TRASH_DAYS = 30;

/** An item in Trash: what it was and where it was, the folders as far as the reader sees them; what lies in it goes with it. */
export interface TrashView extends ItemView {
  /** Of the file, or of all that the folder holds. */
  bytes: number;
  formatted_bytes: string;
  /** Files in a folder; 1 for a file. */
  files: number;
  deleted_by: number;
  deleted_by_name: string;
  /** ISO 8601, UTC, as the next. */
  deleted_at: string;
  /** From then on it may be deleted for good at any time. */
  purge_at: string;
  /** It, or something in it, belongs to a client under a legal hold: it stays until that is lifted. */
  held: boolean;
  /** What a search found in the folder rather than by its own name; it comes back with the folder. */
  inside: FoundInside | null;
}

export interface FoundInside {
  /** The newest of them, and where in the folder it lies; '' for the folder itself. */
  name: string;
  path: string;
  count: number;
}

export const TRASH_SORTS = ['deleted', 'name', 'size'] as const;
export type TrashSort = (typeof TRASH_SORTS)[number];

export interface TrashPage {
  items: TrashView[];
  next_cursor: string | null;
  /** All that match; null on the pages after the first. */
  total: number | null;
  /** Bytes of all that lies in Trash, whatever was asked for; null on the pages after the first. */
  bytes: number | null;
  /** How many days something stays that is deleted now; 0: it does not come here. */
  days: number;
}

const choice = <const T extends readonly string[]>(values: T) =>
  v.optional(v.picklist(values, `Choose one of: ${values.join(', ')}`));
const NO_CLIENT = 'Choose a client from the list';
const { search, limit, cursor, client_id } = listingQuery.entries;

/** The query of `GET /api/trash`: what was deleted last comes first. */
export const trashQuery = v.object({
  search,
  client_id: v.optional(v.union([v.literal('none'), client_id], NO_CLIENT)),
  /** Who deleted it. */
  user_id: v.optional(
    v.pipe(
      v.string('Choose a person from the list'),
      v.regex(/^(?:[1-9]\d{0,14})?$/, 'Choose a person from the list'),
      v.transform((text) => (text === '' ? undefined : Number(text))),
    ),
  ),
  sort: choice(TRASH_SORTS),
  direction: choice(DIRECTIONS),
  limit,
  cursor,
});
export type TrashQuery = Partial<v.InferOutput<typeof trashQuery>>;

const id = (message: string) => v.pipe(v.number(message), v.integer(message), v.minValue(1, message));
const ids = v.pipe(
  v.array(id('This item does not exist.'), 'Choose at least one item'),
  v.minLength(1, 'Choose at least one item'),
  v.maxLength(MOST_AT_ONCE, 'Choose at most 20,000 items at once'),
);

export const restoreItems = v.object({
  ids,
  /** Left out, each goes to where it was; null is 'My Drive'. */
  parent_id: v.optional(v.nullable(id('This folder does not exist.'))),
  /** What becomes of those whose names are taken there; left out, they stay in Trash and are told as `taken`. */
  conflicts: v.optional(v.picklist(CONFLICTS, `Choose one of: ${CONFLICTS.join(', ')}`)),
});
export type RestoreItems = v.InferOutput<typeof restoreItems>;

export const deleteForever = v.object({ ids });
/** Asks what of these, or without them of all, would stay. */
export const previewForever = v.object({ ids: v.optional(ids) });

export interface RestoreResult extends BulkResult {
  /** Where those that came back are, and what they are called there. */
  restored: { id: number; name: string; parent_id: number | null }[];
  /** What stands where those would go that are told as `taken`, in their order; `index` is their place among these. */
  taken: Taken[];
}
