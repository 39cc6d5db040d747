import * as v from 'valibot';
import type { ItemType } from '../contract.ts';
import { NO_FOLDER, NO_ITEM } from '#server/text/not-there.ts';

const id = (message: string) => v.pipe(v.number(message), v.safeInteger(message), v.minValue(1, message));
const NO_CLIENT = 'Choose a client from the list';
/** The browser's select sends '' or 'no-client' for none. */
const clientId = v.pipe(
  v.optional(v.nullable(v.union([v.literal(''), v.literal('no-client'), id(NO_CLIENT)], NO_CLIENT)), null),
  v.transform((value) => (typeof value === 'number' ? value : null)),
);
const parentId = v.optional(v.nullable(id(NO_FOLDER)), null);

export const FOLDER_NAME = 'Please enter a folder name';
export const createFolder = v.object({
  name: v.pipe(v.string(FOLDER_NAME), v.trim(), v.nonEmpty(FOLDER_NAME)),
  parent_id: parentId,
  client_id: clientId,
});
export type CreateFolder = v.InferOutput<typeof createFolder>;

const seenName = v.pipe(v.string('A name is a text.'), v.maxLength(1024, 'A name is too long.'));
/** The change takes back an earlier one: what the user changed since, perhaps in another tab, refuses it too. */
const undoing = v.optional(v.boolean());
/** The state of an item that the user saw. If a colleague has renamed or moved the item since, the change is refused. */
const seen = v.object({
  name: seenName,
  parent_id: v.nullable(id(NO_FOLDER)),
  undoing,
});

export const renameItem = v.object({
  name: v.pipe(v.string('Please enter a valid name'), v.trim(), v.nonEmpty('Please enter a valid name')),
  seen: v.optional(seen),
});
export type RenameItem = v.InferOutput<typeof renameItem>;

/** Why a file cannot become a new version of another one. */
export const VERSION_OF_NOTHING =
  'This file does not exist, or you have no access to it. The new version was not saved: upload it as a file of its own.';
/** @param who says who deleted the file: `Deleted by Ravi Kumar a moment ago.` */
export const versionOfDeleted = (who: string) =>
  `${who} The new version was not saved. If the file is in Trash, restore it and try again; else upload yours as a file of its own.`;
export const otherType = (item: string, upload: string, type: string) =>
  `"${upload}" cannot be a new version of "${item}": it has to end with ".${type}". Save it as .${type} first, or upload it as a file of its own.`;

/** The content that a program knows of a file that it saves. */
export interface ExpectedContent {
  sha256: string | null;
  /** Whether a file of another content is left alone; else that content becomes a version. */
  strict: boolean;
}
export const CHANGED_MEANWHILE =
  'The file was changed in the meantime. Load it again, then save it under another name.';

/** Maximum number of items in one call. */
export const MAX_ITEMS_PER_CALL = 20_000;
const ids = v.pipe(
  v.array(id(NO_ITEM), 'Choose at least one item'),
  v.minLength(1, 'Choose at least one item'),
  v.maxLength(MAX_ITEMS_PER_CALL, 'Choose at most 20,000 items at once'),
);
/**
 * Which contents are linked together with their folder. `unlinked`: those without a client of their own, that is, with
 * none or with the former client of the folder; `all`: also those of other clients; `none`: none.
 */
export const CONTENTS = ['unlinked', 'all', 'none'] as const;
export type Contents = (typeof CONTENTS)[number];
const contents = v.optional(v.picklist(CONTENTS, `Choose one of: ${CONTENTS.join(', ')}`), 'unlinked');
export const previewFiling = v.object({ ids, client_id: clientId });
const seenItem = v.object({
  ...seen.entries,
  id: id(NO_ITEM),
});
export type Seen = v.InferOutput<typeof seenItem>;
/** May cover only some of the items. */
const seenItems = v.optional(v.pipe(v.array(seenItem), v.maxLength(MAX_ITEMS_PER_CALL)), []);
/** The client that the user saw. If a colleague has linked the item to another one since, the change is refused. */
const seenClient = v.object({ client_id: v.nullable(id(NO_CLIENT)), undoing });
const seenClients = v.array(v.object({ ...seenClient.entries, id: id(NO_ITEM) }));
export type SeenClient = v.InferOutput<typeof seenClients>[number];
export const fileItems = v.object({
  ids,
  client_id: clientId,
  contents,
  seen: v.optional(v.pipe(seenClients, v.maxLength(MAX_ITEMS_PER_CALL)), []),
});
/** The browser sends the seen state of at most so many items. */
export const MAX_SEEN_ITEMS = 1000;
/** Maximum number of items that one call renames: each gets an entry of its own in the history. */
export const MAX_RENAMED = 1000;
/** The items may take each other's names. */
export const renameItems = v.object({
  names: v.pipe(
    v.array(v.object({ id: id(NO_ITEM), name: seenName }), 'Choose at least one item'),
    v.minLength(1, 'Choose at least one item'),
    v.maxLength(MAX_RENAMED, 'Rename at most 1,000 items at once'),
  ),
  seen: seenItems,
});
export type RenameItems = v.InferOutput<typeof renameItems>;
export const deleteItems = v.object({ ids, seen: seenItems });
/** Which of these items could not be deleted? */
export const previewDeletion = v.object({ ids });
export const downloadItems = v.object({ ids });
export const setClient = v.object({ client_id: clientId, contents, seen: v.optional(seenClient) });
export type SetClient = Omit<v.InferOutput<typeof setClient>, 'seen'>;
type AnyClient = Partial<SetClient> & Pick<SetClient, 'client_id'>;
export type LinkItem = AnyClient & { seen?: Pick<SeenClient, 'client_id'> | undefined };
export type LinkItems = AnyClient & { ids: readonly number[]; seen?: readonly SeenClient[] };

/**
 * How to resolve a taken name. `keep` numbers the new file. `replace`: an upload adds a version to the existing file; a
 * file that is moved or restored from Trash takes the name, and the existing file is renamed with a date.
 */
export const CONFLICTS = ['keep', 'replace'] as const;
export type Conflict = (typeof CONFLICTS)[number];

/** What also resolves a taken name at a move or a restore from Trash: a folder is merged into the folder there; a file is kept with a number. */
export const MOVE_CONFLICTS = [...CONFLICTS, 'merge'] as const;
export type MoveConflict = (typeof MOVE_CONFLICTS)[number];

/**
 * Without `conflicts`, an item whose name is taken in the target is not moved, and fails with the code `taken`. With `ask`,
 * the others then are not moved either, until the user has said what to do.
 */
export const moveItems = v.object({
  ids,
  parent_id: parentId,
  seen: seenItems,
  conflicts: v.optional(v.picklist(MOVE_CONFLICTS, `Choose one of: ${MOVE_CONFLICTS.join(', ')}`)),
  ask: v.optional(v.boolean()),
});

/** To whom would these items belong after a move? */
export const previewMove = v.object({ ids, parent_id: parentId });

const LONG = 'A name is too long.';
const pathName = v.pipe(v.string(), v.maxLength(1024, LONG));
/** Before an upload: which of these names are taken? */
export const compareFiles = v.object({
  parent_id: parentId,
  files: v.pipe(
    v.array(
      v.object({
        name: pathName,
        /** Bytes. */
        size: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
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

/** An existing item with the name of a requested file. `index` is that of the file in the request; a sealed item cannot be replaced. */
export interface Taken {
  index: number;
  id: number;
  name: string;
  type: ItemType;
  file_size: number | null;
  modified_at: string;
  /** Of the existing file, if it has the same size; otherwise null. */
  sha256: string | null;
  sealed?: boolean;
  /** Of a folder: its direct contents that the user sees, and the client whose what it takes in becomes. */
  children_count?: number | null;
  client?: { id: number; name: string } | null;
}

/** The result of a call on many items. */
export interface BulkResult {
  done: number[];
  /** `name` is null for a missing item. `changed`: a colleague changed the item since it was seen. */
  failed: {
    id: number;
    name: string | null;
    message: string;
    code?: 'taken' | 'changed' | 'sealed' | 'held' | 'kept';
  }[];
}

/** How linking items to a client would affect their contents. */
export interface LinkPreview {
  /** Items that would be linked with their folder. */
  along: number;
  /** Items that would keep another client. */
  others: number;
  /** There are more than 1,000 items inside: both counts are then 0. */
  more: boolean;
}

/** Some of the chosen items of a deletion. */
interface PreviewedItems {
  count: number;
  /** The first few, each with the reason. */
  named: { id: number; name: string; message: string }[];
}

/** The chosen items that could not be deleted. */
export interface DeletionPreview extends PreviewedItems {
  /** Those that a legal hold keeps in Trash beyond its days. */
  held: PreviewedItems;
}

export interface LinkResult extends BulkResult {
  /** All changed items, contents of folders included, with their former clients, for undo. */
  former: { id: number; client_id: number | null }[];
  /** How many of these are contents of chosen folders. */
  inside: number;
  /** The folders have so many contents that a job links them; they are not counted above. */
  later: boolean;
}

/** Where an item was before a move, and under which name if it got another one. */
export interface FormerPlace {
  id: number;
  /** As far as the user sees it. */
  parent_id: number | null;
  /** The folder after the move. The undo leaves what was moved on since. */
  to?: number | null | undefined;
  renamed?: { from: string; to: string };
}

/** The result of a move. Items without a client of their own get the client of the target folder. */
export interface MoveResult extends BulkResult, Pick<LinkResult, 'later'> {
  /** All items that got another client, with their former clients and the new one, for undo. */
  former: { id: number; client_id: number | null; to: number | null }[];
  /** Names of the clients to which the items of `former` belong now. */
  clients: string[];
  /** All moved items, contents of merged folders included, and the files that were replaced, for undo. */
  moved: FormerPlace[];
  /** The folders whose contents are in another folder now: they themselves are deleted. */
  merged: number[];
}

/** Whose client a move would change. */
export interface MovePreview {
  /** The name of the target folder's client; null without one. */
  to: string | null;
  /** The names of the items' present clients. */
  from: string[];
  /** How many of the chosen items would change. */
  count: number;
  /** How many would stay with a client of their own, and the names of these clients. */
  staying: { count: number; clients: string[] };
  /** The same of what is in the folders that would change, each folder that would stay counted once; not counted if that is `more`. */
  inside: { count: number; clients: string[]; more: boolean };
}

const formerPlace = v.object({
  id: id(NO_ITEM),
  parent_id: v.nullable(id(NO_FOLDER)),
  to: v.optional(v.nullable(id(NO_FOLDER))),
  renamed: v.optional(v.object({ from: seenName, to: seenName })),
});
const formerClient = v.object({
  id: id(NO_ITEM),
  client_id: v.nullable(id(NO_CLIENT)),
  to: v.optional(v.nullable(id(NO_CLIENT))),
});
/** What `MoveResult` says of a move. */
export const undoMove = v.object({
  moved: v.array(formerPlace),
  former: v.array(formerClient),
  merged: v.array(id(NO_ITEM)),
});
export type UndoMove = v.InferOutput<typeof undoMove>;
