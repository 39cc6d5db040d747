import { Model } from 'objection';
import type { ItemType, ItemView } from './contract.ts';
import type { SealMark } from './seals/contract.ts';
import { formatBytes } from '#server/text/format-bytes.ts';

/** A row of the view `items`, for reading; writes go to the table `item_rows`. Responses contain an `ItemView` instead. */
export class Item extends Model {
  static override tableName = 'items';

  declare id: number;
  declare firm_id: number;
  declare parent_id: number | null;
  /** The nearest folder above that the actor sees, for display; `parent_id` may be one that the actor does not see. */
  declare seen_parent_id: number | null;
  declare type: ItemType;
  declare name: string;
  declare name_key: string;
  declare sort_key: string;
  declare file_type: string | null;
  declare file_size: number | null;
  declare blob_id: string | null;
  declare sha256: string | null;
  declare client_id: number | null;
  declare owner_id: number;
  declare created_at: string;
  declare modified_at: string;
  declare original_at: string | null;
  /** The id of the seal on the item or, for a folder, on one above it. A file in a sealed folder has null here: its folder has the id. */
  declare sealed: number | null;
}

/** The input of `toView`: an item's columns joined with the names of its client, owner and sealer. */
export interface ItemRow {
  id: number;
  parent_id: number | null;
  type: ItemType;
  name: string;
  file_type: string | null;
  file_size: number | null;
  client_id: number | null;
  client_name: string | null;
  owner_id: number;
  owner_name: string;
  children_count: number | null;
  created_at: string;
  modified_at: string;
  original_at: string | null;
  /** The seal over the item; omitted in Trash, where nothing can be sealed. */
  seal_id?: number | null;
  seal_item?: number | null;
  seal_by?: string | null;
  seal_at?: string | null;
  seal_reason?: string | null;
}

function sealOf(row: ItemRow): SealMark | null {
  if (row.seal_id == null) return null;
  const { seal_id: id, seal_item = null, seal_by, seal_at, seal_reason = null } = row;
  return { id, item_id: seal_item, by: seal_by ?? '', at: seal_at ?? '', reason: seal_reason };
}

export function toView(row: ItemRow, path: string | null = null): ItemView {
  const size = row.file_size === null ? null : formatBytes(row.file_size);
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    file_type: row.file_type,
    file_size: row.file_size,
    formatted_file_size: size,
    size: size ?? '',
    created_at: row.created_at,
    modified_at: row.modified_at,
    uploaded_at: row.created_at,
    original_at: row.original_at,
    children_count: row.children_count,
    parent_id: row.parent_id,
    client_id: row.client_id,
    client: row.client_id === null ? null : { id: row.client_id, name: row.client_name ?? '' },
    client_name: row.client_name,
    owner_id: row.owner_id,
    owner_name: row.owner_name,
    path,
    seal: sealOf(row),
  };
}
