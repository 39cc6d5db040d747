import { Model } from 'objection';
import type { ItemType, ItemView } from './contract.ts';
import type { SealMark } from './seals/contract.ts';
import { formatBytes } from '#server/text/format-bytes.ts';

/** A row of `items`, for reading; what is written goes to `item_rows`. Never leaves this module: `toView` makes what does. */
export class Item extends Model {
  static override tableName = 'items';

  declare id: number;
  declare firm_id: number;
  declare parent_id: number | null;
  /** The folder as the actor sees it, who may not see the one in which the item lies; for what is shown. */
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
  /** The id of the seal that was put on it, or on a folder above; of a file in a sealed folder its folder knows. */
  declare sealed: number | null;
}

/** What a view is made of: an item's columns with the names of those it points to. */
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
  /** The seal over it; left out where nothing can be sealed, as in Trash. */
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
