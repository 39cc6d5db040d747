import * as v from 'valibot';
import type { LabelView } from './labels/contract.ts';
import { BAD_CURSOR } from '#server/http/cursor.ts';
import type { SealMark } from './seals/contract.ts';
import { extensionOf } from '../text/extension.ts';

/** What may be a name of a file or folder, and what is made of one that may not. */
export { checkName, nameKey, repairName, tidyName } from '../text/names.ts';

export type ItemType = 'folder' | 'file';

/** A file or a folder as every answer shows it. */
export interface ItemView {
  id: number;
  name: string;
  type: ItemType;
  /** Extension without the dot, lower case; null for a folder. */
  file_type: string | null;
  /** Bytes; null for a folder. */
  file_size: number | null;
  formatted_file_size: string | null;
  /** The same text as `formatted_file_size`; a folder's is empty. */
  size: string;
  /** ISO 8601, UTC. */
  created_at: string;
  /**
   * When the content came in; a folder's, when it was made. ISO 8601, UTC. Renaming, moving and naming a client leave
   * it: an accountant asks when the document changed, not when it was filed.
   */
  modified_at: string;
  uploaded_at: string;
  /** When it was last changed where it came from, as its sender said. ISO 8601, UTC; null when unknown, and for folders. */
  original_at: string | null;
  /** Direct children; null for a file. */
  children_count: number | null;
  parent_id: number | null;
  client_id: number | null;
  client: { id: number; name: string } | null;
  client_name: string | null;
  owner_id: number;
  owner_name: string;
  /** Names of the folders above, joined by ' / '; '' at the root. Null in a folder's own listing, where breadcrumbs say it. */
  path: string | null;
  /** The seal under which it stays as it is; null without one. */
  seal: SealMark | null;
  /** Those that it bears, by name; left out where it bears none, and in Trash. */
  labels?: LabelView[];
}

/** A folder that is to be there, with those in it. */
export interface FolderTree {
  name: string;
  folders: FolderTree[];
}

/** One folder of such a tree: to be made, there already, with a name that a file has, or not to be made in a sealed one. */
export interface FolderState {
  name: string;
  /** 0 for the topmost. */
  depth: number;
  state: 'new' | 'there' | 'taken' | 'sealed';
}

export interface Breadcrumb {
  id: number;
  name: string;
}

/** The folders above and the folder itself, root first; empty at 'My Drive'. */
export interface FolderListing {
  items: ItemView[];
  breadcrumbs: Breadcrumb[];
  /** Pass it back as `cursor` for the next page; null when there is none. */
  next_cursor: string | null;
  /** The seal over the folder; left out at 'My Drive'. */
  seal?: SealMark | null;
}

export const SORTS = ['name', 'owner', 'modified', 'size'] as const;
export type Sort = (typeof SORTS)[number];
export const DIRECTIONS = ['asc', 'desc'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** How a folder is asked for. Folders come before files whatever the order. */
export interface FolderQuery {
  /** `name` when absent. */
  sort?: Sort | undefined;
  direction?: Direction | undefined;
  /** Items of one page; all of them when absent. With `search` a page may hold fewer. */
  limit?: number | undefined;
  cursor?: string | undefined;
  /** Only what has these words in its name, its folders' or its client's, in this folder and all below it. */
  search?: string | undefined;
  /** Only what is tied to this client, in this folder and all below it; what a shown folder holds is not repeated. */
  client_id?: number | undefined;
}

export const MAX_FILE_BYTES = 5_368_709_120;
export const TOO_LARGE = 'File size cannot exceed 5GB';
export const unsupported = (ext: string) => `File type "${ext}" is not supported`;

/** The specification's types, and below them what an office in India receives besides. Nothing is ever run. */
export const ALLOWED_EXTENSIONS: ReadonlySet<string> = new Set(
  (
    'pdf doc docx xls xlsx ppt pptx txt rtf jpg jpeg png gif bmp webp svg tiff mp4 avi mkv mov wmv flv webm m4v 3gp ' +
    'mp3 wav flac aac ogg wma m4a zip rar 7z tar gz bz2 csv json xml sql dwg dxf eps ai psd ' +
    'tif heic heif eml msg xlsm xlsb ods odt odp htm html fvu pfx p12 p7s key tax ret xbrl zipx'
  ).split(' '),
);

/** Why a file of this name and size is not kept; null when it is. */
export function refusedFile(name: string, size: number): string | null {
  const extension = extensionOf(name);
  if (!ALLOWED_EXTENSIONS.has(extension)) return unsupported(extension);
  return size > MAX_FILE_BYTES ? TOO_LARGE : null;
}

const PREVIEWABLE = {
  image: 'jpg jpeg png gif webp bmp svg'.split(' '),
  video: 'mp4 webm ogg mov avi mkv'.split(' '),
  pdf: ['pdf'],
  /** Shown as they are written, never interpreted. */
  text: 'txt json xml sql fvu xbrl'.split(' '),
  /** Turned into pictures by the server, page by page. */
  scan: 'tiff tif heic heif'.split(' '),
  /** Rows and columns. */
  table: 'csv xlsx xlsm xlsb xls ods'.split(' '),
  /** Its text, with its pictures and tables. */
  document: 'docx html htm'.split(' '),
  mail: 'eml msg'.split(' '),
  /** Its list of contents. */
  archive: ['zip'],
};
export type PreviewKind = keyof typeof PREVIEWABLE;

export function previewKind(fileType: string | null): PreviewKind | null {
  const kinds = Object.keys(PREVIEWABLE) as PreviewKind[];
  return kinds.find((kind) => PREVIEWABLE[kind].includes(fileType ?? '')) ?? null;
}

/** Kinds of files as people tell them apart, and their extensions. */
export const FILE_GROUPS = {
  pdf: 'pdf',
  word: 'doc docx odt rtf',
  sheet: 'xls xlsx xlsm xlsb ods csv',
  slides: 'ppt pptx odp',
  mail: 'eml msg',
  image: 'jpg jpeg png gif bmp webp svg tiff tif heic heif',
  video: 'mp4 avi mkv mov wmv flv webm m4v 3gp',
  audio: 'mp3 wav flac aac ogg wma m4a',
  archive: 'zip zipx rar 7z tar gz bz2',
  text: 'txt html htm',
  data: 'json xml sql xbrl',
  /** Prepared for the tax department by its own programs and by others. */
  return: 'fvu tax ret',
  /** Keys and signatures. */
  certificate: 'pfx p12 p7s key',
  drawing: 'dwg dxf',
  design: 'eps ai psd',
} as const;
export type FileKind = keyof typeof FILE_GROUPS;

const id = (message: string) => v.pipe(v.number(message), v.integer(message), v.minValue(1, message));
/** The browser's select sends '' or 'no-client' for none. */
const clientId = v.pipe(
  v.optional(
    v.nullable(v.union([v.literal(''), v.literal('no-client'), id('Choose a client from the list')])),
    null,
  ),
  v.transform((value) => (typeof value === 'number' ? value : null)),
);
const parentId = v.optional(v.nullable(id('This folder does not exist.')), null);

export const createFolder = v.object({
  name: v.pipe(v.string('Please enter a folder name'), v.trim(), v.nonEmpty('Please enter a folder name')),
  parent_id: parentId,
  client_id: clientId,
});
export type CreateFolder = v.InferOutput<typeof createFolder>;

const seenName = v.pipe(v.string('A name is a text.'), v.maxLength(1024, 'A name is too long.'));
/**
 * How the reader last saw an item. Where it is given, and a colleague has renamed or moved the item since, the change
 * is refused and says so.
 */
const seen = v.object({ name: seenName, parent_id: v.nullable(id('This folder does not exist.')) });

export const renameItem = v.object({
  name: v.pipe(v.string('Please enter a valid name'), v.trim(), v.nonEmpty('Please enter a valid name')),
  seen: v.optional(seen),
});
export type RenameItem = v.InferOutput<typeof renameItem>;

/** Items that one call may be about. */
export const MOST_AT_ONCE = 20_000;
const ids = v.pipe(
  v.array(id('This item does not exist.'), 'Choose at least one item'),
  v.minLength(1, 'Choose at least one item'),
  v.maxLength(MOST_AT_ONCE, 'Choose at most 20,000 items at once'),
);
/**
 * What becomes of what lies in a folder that is linked to a client. `unlinked` takes along what has no client of its
 * own: none, or the one that its folder had; `all` takes other clients' too; `none` leaves it as it is.
 */
export const CONTENTS = ['unlinked', 'all', 'none'] as const;
export type Contents = (typeof CONTENTS)[number];
const contents = v.optional(v.picklist(CONTENTS, `Choose one of: ${CONTENTS.join(', ')}`), 'unlinked');
export const previewFiling = v.object({ ids, client_id: clientId });
const seenItem = v.object({ ...seen.entries, id: id('This item does not exist.') });
export type Seen = v.InferOutput<typeof seenItem>;
/** Of as many of the items as one likes. */
const seenItems = v.optional(v.pipe(v.array(seenItem), v.maxLength(MOST_AT_ONCE)), []);
/** Whose client the reader last saw: where a colleague has linked the item to another since, the change is refused. */
const seenClient = v.object({ client_id: v.nullable(id('Choose a client from the list')) });
const seenClients = v.array(v.object({ ...seenClient.entries, id: id('This item does not exist.') }));
export type SeenClient = v.InferOutput<typeof seenClients>[number];
export const fileItems = v.object({
  ids,
  client_id: clientId,
  contents,
  seen: v.optional(v.pipe(seenClients, v.maxLength(MOST_AT_ONCE)), []),
});
/** Of so many the browser says how it saw them. */
export const SEEN_MOST = 1000;
export const deleteItems = v.object({ ids, seen: seenItems });
export const downloadItems = v.object({ ids });
export const setClient = v.object({ client_id: clientId, contents, seen: v.optional(seenClient) });
export type SetClient = Omit<v.InferOutput<typeof setClient>, 'seen'>;
type AnyClient = Partial<SetClient> & Pick<SetClient, 'client_id'>;
export type LinkItem = AnyClient & { seen?: Pick<SeenClient, 'client_id'> | undefined };
export type LinkItems = AnyClient & { ids: readonly number[]; seen?: readonly SeenClient[] };

/**
 * What becomes of a file whose name is taken: it is numbered, or replaces the old one. Uploaded, it becomes a new version
 * of that; moved or restored from Trash, it stays what it is and the old one is set aside under a dated name.
 */
export const CONFLICTS = ['keep', 'replace'] as const;
export type Conflict = (typeof CONFLICTS)[number];

/** Without `conflicts`, what meets its name in the target stays where it is, and is told with the code `taken`. */
export const moveItems = v.object({
  ids,
  parent_id: parentId,
  seen: seenItems,
  conflicts: v.optional(v.picklist(CONFLICTS, `Choose one of: ${CONFLICTS.join(', ')}`)),
});

const LONG = 'A name is too long.';
const pathName = v.pipe(v.string(), v.maxLength(1024, LONG));
/** Asked before bytes are sent: which of these names are there already. */
export const compareFiles = v.object({
  parent_id: parentId,
  files: v.pipe(
    v.array(
      v.object({
        name: pathName,
        /** Bytes. */
        size: v.pipe(v.number(), v.integer(), v.minValue(0)),
        /** Folders below `parent_id`, outermost first. */
        path: v.optional(
          v.pipe(v.array(pathName), v.maxLength(100, 'There are too many folders in each other.')),
          [],
        ),
      }),
      'Please select files to upload',
    ),
    v.maxLength(1000, 'Ask about at most 1000 files at once'),
  ),
});
export type CompareFiles = v.InferOutput<typeof compareFiles>;

/** What stands where a file would go: `index` is the file's in the question; what is sealed cannot be replaced. */
export interface Taken {
  index: number;
  id: number;
  name: string;
  type: ItemType;
  file_size: number | null;
  modified_at: string;
  /** Of what is there, when it has as many bytes; otherwise null. */
  sha256: string | null;
  sealed?: boolean;
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

/** The query of `GET /api/documents`: everything in it is text. */
export const listingQuery = v.object({
  parent_id: idText('This folder does not exist.'),
  client_id: idText('Choose a client from the list'),
  search: v.optional(
    v.pipe(v.string('Search for one text'), v.maxLength(255, 'Search for at most 255 characters')),
  ),
  sort: choice(SORTS),
  direction: choice(DIRECTIONS),
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

/** What a call on many items did, and what it could not do and why. */
export interface BulkResult {
  done: number[];
  /** `name` is null for what is not there; `changed` was by a colleague since it was seen. */
  failed: {
    id: number;
    name: string | null;
    message: string;
    code?: 'taken' | 'changed' | 'sealed' | 'held';
  }[];
}

/** What linking items to a client would do to what lies in them. */
export interface LinkPreview {
  /** Items that go along with their folder. */
  along: number;
  /** Items that have another client and stay with it. */
  others: number;
  /** More than 1,000 items lie inside: they are not counted, and both numbers are 0. */
  more: boolean;
}

export interface LinkResult extends BulkResult {
  /** All that was changed, what lies in folders included, with the client it had: what an undo needs. */
  former: { id: number; client_id: number | null }[];
  /** How many of these lie in chosen folders. */
  inside: number;
  /** There is so much in the folders that it is linked in the background; it is not among the above. */
  later: boolean;
}

/** What a move did; items without a client of their own get that of the folder into which they were moved. */
export interface MoveResult extends BulkResult, Pick<LinkResult, 'former' | 'later'> {}

export const FILE_SORTS = ['name', 'modified', 'size'] as const;
export type FileSort = (typeof FILE_SORTS)[number];

const day = v.optional(
  v.pipe(
    v.string('Give a date as year-month-day'),
    v.regex(/^(?:19|20|21)\d{2}-\d{2}-\d{2}$/, 'Give a date as year-month-day'),
    v.check((text) => !Number.isNaN(Date.parse(`${text}T00:00:00Z`)), 'This is not a date'),
  ),
);
const kinds = Object.keys(FILE_GROUPS) as FileKind[];
const NO_SUCH_CLIENT = 'Choose a client from the list';
/** The query of `GET /api/documents/files`: every file of the firm in one list, the newest first. */
export const filesQuery = v.object({
  search: listingQuery.entries.search,
  group: v.optional(v.picklist(kinds, `Choose one of: ${kinds.join(', ')}`)),
  /** A client's id, or `none` for files that are tied to nobody. */
  client_id: v.optional(v.union([v.literal('none'), idText(NO_SUCH_CLIENT)], NO_SUCH_CLIENT)),
  owner_id: v.optional(idText('Choose a person from the list')),
  label_id: v.optional(idText('Choose a label from the list')),
  /** Days in India, both included. */
  from: day,
  to: day,
  sort: choice(FILE_SORTS),
  direction: choice(DIRECTIONS),
  limit: listingQuery.entries.limit,
  cursor: listingQuery.entries.cursor,
});
export type FilesQuery = Partial<v.InferOutput<typeof filesQuery>>;

export interface FilesPage {
  /** Each with its `path`. A page may hold fewer than asked for while there are more. */
  items: ItemView[];
  next_cursor: string | null;
  /** All that match; null when that is not known without reading them all. */
  total: number | null;
}

/** That somebody of the firm opened or changed an item. */
export interface Activity extends Pick<ItemView, 'name' | 'type' | 'file_type' | 'parent_id'> {
  item_id: number;
  user_name: string;
  /** ISO 8601, UTC. */
  at: string;
}

/** What a user opened or changed, and when. */
export interface RecentView extends ItemView {
  /** ISO 8601, UTC. */
  touched_at: string;
}
