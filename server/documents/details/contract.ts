import * as v from 'valibot';
import type { Breadcrumb, ItemView } from '../contract.ts';
import { MAX_ITEMS_PER_CALL } from '../contract.ts';
import type { LabelView } from '../labels/contract.ts';
import type { NoteView } from '../notes/contract.ts';
import type { SealView } from '../seals/contract.ts';
import type { VersionView } from '../versions/contract.ts';
import { NO_ITEM } from '#server/text/not-there.ts';

/** An item with what its row in a list does not show. */
export interface ItemDetails {
  /** Includes `path`. */
  item: ItemView;
  /** The ancestor folders that the actor sees, root first; empty at 'My Drive'. */
  above: Breadcrumb[];
  /** SHA-256 of a file's content, hexadecimal; null for a folder. */
  sha256: string | null;
}

/** Items counted at most; `more` is set when there are others. */
export const COUNTED_MOST = 20_000;
/** Clients listed at most. */
export const CLIENTS_NAMED = 50;

/** Totals of items and their descendants that the actor sees. */
export interface Sums {
  /** Null for 'My Drive', where only files are counted. */
  folders: number | null;
  files: number;
  bytes: number;
  formatted_bytes: string;
  /** Per extension, most bytes first. */
  types: { file_type: string; files: number; bytes: number }[];
  /**
   * Items per client, and how many of them are files, most items first; the entry with id null, which counts items of no
   * client, is always listed. Null for 'My Drive'.
   */
  clients: { id: number | null; name: string | null; items: number; files: number }[] | null;
  /** All entries, including those beyond `CLIENTS_NAMED`. */
  client_count: number;
  /** There are more items than were counted. */
  more: boolean;
}

/** A record with the item that it is about. */
type About<Record> = Record & { item_id: number };

/** Records attached to items. */
export interface ItemRecords {
  notes: About<Pick<NoteView, 'text' | 'user_name' | 'created_at' | 'edited_at'>>[];
  labels: About<Pick<LabelView, 'name' | 'colour'>>[];
  /** Including broken seals. */
  seals: About<Omit<SealView, 'id' | 'item_id' | 'formatted_bytes'>>[];
  /** Earlier versions only. */
  versions: About<
    Pick<VersionView, 'name' | 'file_size' | 'sha256' | 'user_name' | 'created_at' | 'replaced_at'> &
      Pick<VersionView, 'original_at' | 'restored_from' | 'kept_as'>
  >[];
}

const id = v.pipe(v.number(NO_ITEM), v.safeInteger(NO_ITEM), v.minValue(1, NO_ITEM));
/** No ids mean everything that the actor sees. */
export const sumsQuery = v.object({
  ids: v.pipe(
    v.array(id, 'Choose items'),
    v.maxLength(MAX_ITEMS_PER_CALL, 'Choose at most 20,000 items at once'),
  ),
});
