import * as v from 'valibot';
import { BAD_CURSOR } from '#server/http/cursor.ts';
import { isCalendarDay } from '#server/text/calendar-day.ts';
import type { Breadcrumb, ItemView } from '../contract.ts';
import type { FileKind } from '../file-types/kinds.ts';
import { FILE_GROUPS } from '../file-types/kinds.ts';
import type { SealMark } from '../seals/contract.ts';
import { NO_FOLDER } from '#server/text/not-there.ts';

/** `breadcrumbs` has the folders above and the folder itself, root first; empty at 'My Drive'. */
export interface FolderListing {
  items: ItemView[];
  breadcrumbs: Breadcrumb[];
  /** Send it as `cursor` for the next page; null on the last page. */
  next_cursor: string | null;
  /** The seal over the folder; absent at 'My Drive'. */
  seal?: SealMark | null;
}

export const SORTS = ['name', 'owner', 'modified', 'size'] as const;
export type Sort = (typeof SORTS)[number];
export const DIRECTIONS = ['asc', 'desc'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** How to list a folder. Folders always come before files. */
export interface FolderQuery {
  /** Default: `name`. */
  sort?: Sort | undefined;
  direction?: Direction | undefined;
  /**
   * Maximum number of items on a page; all items by default. With `search` a page may have fewer although more follow.
   */
  limit?: number | undefined;
  cursor?: string | undefined;
  /** Items, in this folder and below, with these words in their names, or in the names of their folders or client. */
  search?: string | undefined;
  /** Items of this client, in this folder and below. Contents of a listed folder are not listed again. */
  client_id?: number | undefined;
}

const choice = <const T extends readonly string[]>(values: T) =>
  v.optional(v.picklist(values, `Choose one of: ${values.join(', ')}`));
const idText = (message: string) =>
  v.pipe(
    v.optional(v.string(message), ''),
    v.trim(),
    v.transform((text) => (text === 'no-client' ? '' : text)),
    v.regex(/^([1-9]\d{0,14})?$/, message),
    v.transform((text) => (text === '' ? undefined : Number(text))),
  );

/** The query of `GET /api/documents`; all values are text. */
export const listingQuery = v.object({
  parent_id: idText(NO_FOLDER),
  client_id: idText('Choose a client from the list'),
  search: v.optional(
    v.pipe(v.string('Search for one text'), v.maxLength(255, 'Search for at most 255 characters')),
  ),
  sort: choice(SORTS),
  direction: choice(DIRECTIONS),
  /** `packed` returns a `PackedListing`, a quarter of the size. */
  form: choice(['packed']),
  limit: v.optional(
    v.pipe(
      v.string('Give a number from 1 to 1000'),
      v.regex(/^[1-9]\d{0,3}$/, 'Give a number from 1 to 1000'),
      v.transform(Number),
      v.maxValue(1000, 'Give a number from 1 to 1000'),
    ),
  ),
  cursor: v.optional(v.pipe(v.string(BAD_CURSOR), v.maxLength(4000, BAD_CURSOR))),
});

const FILE_SORTS = ['name', 'modified', 'size'] as const;
export type FileSort = (typeof FILE_SORTS)[number];

const day = v.optional(
  v.pipe(
    v.string('Give a date as year-month-day'),
    v.regex(/^(?:19|20|21)\d{2}-\d{2}-\d{2}$/, 'Give a date as year-month-day'),
    v.check(isCalendarDay, 'This is not a date'),
  ),
);
const kinds = Object.keys(FILE_GROUPS) as FileKind[];
const NO_SUCH_CLIENT = 'Choose a client from the list';
/** The query of `GET /api/documents/files`: all files of the firm in one list, newest first. */
export const filesQuery = v.object({
  search: listingQuery.entries.search,
  group: v.optional(v.picklist(kinds, `Choose one of: ${kinds.join(', ')}`)),
  /** A client's id, or `none` for files without a client. */
  client_id: v.optional(v.union([v.literal('none'), idText(NO_SUCH_CLIENT)], NO_SUCH_CLIENT)),
  owner_id: v.optional(idText('Choose a person from the list')),
  label_id: v.optional(idText('Choose a label from the list')),
  /** `1`: only files from outside that nobody in the firm has opened or changed yet. */
  new: v.optional(v.literal('1', 'Give 1, or leave it out')),
  /** `1`: only files that were sent back to the client who had sent them. */
  sent_back: v.optional(v.literal('1', 'Give 1, or leave it out')),
  /** Days in India, inclusive. */
  from: day,
  to: day,
  sort: choice(FILE_SORTS),
  direction: choice(DIRECTIONS),
  limit: listingQuery.entries.limit,
  cursor: listingQuery.entries.cursor,
});
export type FilesQuery = Partial<v.InferOutput<typeof filesQuery>>;

export interface FilesPage {
  /** Each with its `path`. A page may have fewer items than requested although more follow. */
  items: ItemView[];
  next_cursor: string | null;
  /** Number of all matches; null if that would require reading all of them. */
  total: number | null;
}

/** A user of the firm opened or changed an item. */
export interface Activity extends Pick<ItemView, 'name' | 'type' | 'file_type' | 'parent_id'> {
  item_id: number;
  user_name: string;
  /** ISO 8601, UTC. */
  at: string;
}

/** An item that the user opened or changed, with the time. */
export interface RecentView extends ItemView {
  /** ISO 8601, UTC. */
  touched_at: string;
}

/**
 * The properties of an item that a file system needs; no more, since a folder may have tens of thousands of items.
 */
export interface Child {
  id: number;
  name: string;
  type: 'file' | 'folder';
  /** Extension without the dot. Null for a folder, like the next two. */
  file_type: string | null;
  file_size: number | null;
  sha256: string | null;
  /** ISO 8601, UTC; `original_at` is null if the sender did not provide it. */
  created_at: string;
  modified_at: string;
  original_at: string | null;
}
