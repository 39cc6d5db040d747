import * as v from 'valibot';
import type { ItemType } from '../contract.ts';

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
/** Asks what of these could not be deleted. */
export const previewDeletion = v.object({ ids });
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

/** What a call on many items did, and what it could not do and why. */
export interface BulkResult {
  done: number[];
  /** `name` is null for what is not there; `changed` was by a colleague since it was seen. */
  failed: {
    id: number;
    name: string | null;
    message: string;
    code?: 'taken' | 'changed' | 'sealed' | 'held' | 'kept';
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

/** What of chosen items could not be deleted now, asked before that is done. */
export interface Staying {
  count: number;
  /** The first few, each with the reason. */
  named: { id: number; name: string; message: string }[];
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
