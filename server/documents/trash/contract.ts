import * as v from 'valibot';
import type { BulkResult, DeletionPreview, ItemView, Taken } from '../contract.ts';
import { DIRECTIONS, MAX_ITEMS_PER_CALL, MOVE_CONFLICTS, listingQuery } from '../contract.ts';
import { NO_FOLDER, NO_ITEM } from '#server/text/not-there.ts';

/** Default for `TRASH_DAYS`: how long deleted items stay in Trash. */
export const TRASH_DAYS = 30;

/** An item in Trash with its former folders, as far as the user sees them. Its contents are restored with it. */
export interface TrashView extends ItemView {
  /** Of the file, or of all files in the folder. */
  bytes: number;
  formatted_bytes: string;
  /** Files in a folder; 1 for a file. */
  files: number;
  /** For a file that its sender has taken back, the user who had asked for it. */
  deleted_by: number;
  /** The name of the sender for a file that was taken back. */
  deleted_by_name: string;
  /** ISO 8601, UTC, like `purge_at`. */
  deleted_at: string;
  /** After this time it may be deleted for good at any time. */
  purge_at: string;
  /** The item, or something in it, belongs to a client under a legal hold, and stays until the hold is lifted. */
  held: boolean;
  /** Search matches inside the folder, if its own name does not match; they are restored with the folder. */
  inside: FoundInside | null;
}

export interface FoundInside {
  /** Newest match, with its path inside the folder; '' for the folder itself. */
  name: string;
  path: string;
  count: number;
}

export const TRASH_SORTS = ['deleted', 'name', 'size'] as const;
export type TrashSort = (typeof TRASH_SORTS)[number];

export interface TrashPage {
  items: TrashView[];
  next_cursor: string | null;
  /** Number of all matches; null after the first page. */
  total: number | null;
  /** Bytes of everything in Trash, regardless of filters; null after the first page. */
  bytes: number | null;
  /** Days that an item deleted now stays in Trash; 0: deletion is immediate. */
  days: number;
}

const choice = <const T extends readonly string[]>(values: T) =>
  v.optional(v.picklist(values, `Choose one of: ${values.join(', ')}`));
const NO_CLIENT = 'Choose a client from the list';
const { search, limit, cursor, client_id } = listingQuery.entries;

/** The query of `GET /api/trash`; most recently deleted first by default. */
export const trashQuery = v.object({
  search,
  client_id: v.optional(v.union([v.literal('none'), client_id], NO_CLIENT)),
  /** The user who deleted it. */
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

const id = (message: string) => v.pipe(v.number(message), v.safeInteger(message), v.minValue(1, message));
const ids = v.pipe(
  v.array(id(NO_ITEM), 'Choose at least one item'),
  v.minLength(1, 'Choose at least one item'),
  v.maxLength(MAX_ITEMS_PER_CALL, 'Choose at most 20,000 items at once'),
);

export const restoreItems = v.object({
  ids,
  /** Target folder; null is 'My Drive'. By default, each item returns to its former folder. */
  parent_id: v.optional(v.nullable(id(NO_FOLDER))),
  /** How to resolve taken names; without it, those items stay in Trash and fail as `taken`. */
  conflicts: v.optional(v.picklist(MOVE_CONFLICTS, `Choose one of: ${MOVE_CONFLICTS.join(', ')}`)),
  /** While names are taken, restores nothing, and reports those and what cannot be restored, until the user has said what to do. */
  ask: v.optional(v.boolean()),
});
export type RestoreItems = v.InferOutput<typeof restoreItems>;

export const deleteForever = v.object({ ids });
/** Which of these items (default: all) would stay? */
export const previewForever = v.object({ ids: v.optional(ids) });

/** What would stay in Trash, and why. */
export interface ForeverPreview extends DeletionPreview {
  /** Bytes of all that would stay. */
  bytes: number;
}

export interface RestoreResult extends BulkResult {
  /** The restored items with their present names and folders; for a merged folder, the one that has its contents now. */
  restored: { id: number; name: string; parent_id: number | null }[];
  /** Names of former folders that are gone, and were made again. */
  remade: string[];
  /**
   * The existing items behind the failures with code `taken`, in that order; `index` is the position among these
   * failures.
   */
  taken: Taken[];
}
