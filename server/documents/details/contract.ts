import * as v from 'valibot';
import type { Breadcrumb, ItemView } from '../contract.ts';
import { MAX_ITEMS_PER_CALL } from '../contract.ts';
import type { LabelView } from '../labels/contract.ts';
import type { NoteView } from '../notes/contract.ts';
import type { SealView } from '../seals/contract.ts';
import type { VersionView } from '../versions/contract.ts';

/** What one asks of an item beside what its row in a list says. */
export interface ItemDetails {
  /** With its path. */
  item: ItemView;
  /** The folders above it as far as they are seen, root first; empty at 'My Drive'. */
  above: Breadcrumb[];
  /** Of a file's content, in hexadecimal digits; null for a folder. */
  sha256: string | null;
}

/** Items that are counted for a sum; beyond these it says that there are more. */
export const COUNTED_MOST = 20_000;
/** Clients that a sum names. */
export const CLIENTS_NAMED = 20;

/** Items together with all that they hold, as far as the actor sees it. */
export interface Sums {
  /** Null where only the files are counted: in 'My Drive'. */
  folders: number | null;
  files: number;
  /** Of these files. */
  bytes: number;
  formatted_bytes: string;
  /** Per extension, the largest first. */
  types: { file_type: string; files: number; bytes: number }[];
  /** To whom the items belong, those with the most first; null is nobody. Null in 'My Drive'. */
  clients: { id: number | null; name: string | null; items: number }[] | null;
  /** How many there are, those included that are not named. */
  client_count: number;
  /** There is more than was counted. */
  more: boolean;
}

/** A record with the item that it is about. */
type About<Record> = Record & { item_id: number };

/** What is kept about items beside themselves. */
export interface ItemRecords {
  notes: About<Pick<NoteView, 'text' | 'user_name' | 'created_at' | 'edited_at'>>[];
  labels: About<Pick<LabelView, 'name' | 'colour'>>[];
  /** Also those that were broken. `bytes` is a number, as all that is counted. */
  seals: About<Omit<SealView, 'id' | 'item_id' | 'formatted_bytes'>>[];
  /** The earlier ones. */
  versions: About<
    Pick<VersionView, 'name' | 'file_size' | 'sha256' | 'user_name' | 'created_at' | 'replaced_at'> &
      Pick<VersionView, 'original_at' | 'restored_from' | 'kept_as'>
  >[];
}

const id = v.pipe(
  v.number('This item does not exist.'),
  v.integer('This item does not exist.'),
  v.minValue(1, 'This item does not exist.'),
);
/** Without ids, of all that the actor sees. */
export const sumsQuery = v.object({
  ids: v.pipe(
    v.array(id, 'Choose items'),
    v.maxLength(MAX_ITEMS_PER_CALL, 'Choose at most 20,000 items at once'),
  ),
});
