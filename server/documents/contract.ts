import type { LabelView } from './labels/contract.ts';
import type { SealMark } from './seals/contract.ts';

/** Validation and repair of file and folder names. */
export { checkName, nameKey, repairName, tidyName } from '../text/file-names.ts';

/** The file types that are accepted, with their names and kinds. */
export * from './file-types/allowed-files.ts';
export * from './file-types/kinds.ts';
export * from './file-types/spellings.ts';
/** Requests that change items, and their results. */
export * from './changes/contract.ts';
/** Queries for lists of items, and their results. */
export * from './lists/contract.ts';

export type ItemType = 'folder' | 'file';

/** A file or a folder as every response shows it. */
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
   * When the present content was uploaded; for a folder, when it was created. ISO 8601, UTC. Renaming, moving and
   * linking to a client do not change it: an accountant asks when the document changed, not when it was filed.
   */
  modified_at: string;
  uploaded_at: string;
  /** When the file was last changed on the sender's computer, as the sender reported. ISO 8601, UTC; null when unknown, and for folders. */
  original_at: string | null;
  /** Direct children; null for a file. */
  children_count: number | null;
  parent_id: number | null;
  client_id: number | null;
  client: { id: number; name: string } | null;
  client_name: string | null;
  owner_id: number;
  owner_name: string;
  /** Names of the ancestor folders, joined by ' / '; '' at the root. Null in a folder's own listing, which has breadcrumbs. */
  path: string | null;
  /** The seal on the item or on a folder above; null when it is not sealed. */
  seal: SealMark | null;
  /** The item's labels, sorted by name; omitted when there are none, and in Trash. */
  labels?: LabelView[];
  /** In the result of an upload: the version that holds the content it replaced; null or omitted when it replaced none. */
  replaced_version?: number | null;
  /** In the result of an upload: a colleague's version that it replaced and that its sender had not seen; null or omitted when there is none. */
  overtaken?: Overtaken | null;
  /** Set when the item was received from outside the firm and no user of the firm has opened or changed it yet. */
  is_new?: boolean;
  /** Why the office has sent the file back to the client who had sent it, '' when that is not known; omitted when it has not. */
  sent_back?: string;
  /** Why nobody may open the file for now; omitted when it may be opened. */
  held_back?: HeldBack;
}

/** A version that a colleague had stored. */
export interface Overtaken {
  user_name: string;
  /** ISO 8601, UTC. */
  at: string;
}

/** The file waits for the virus scanner, is infected, is too large to be scanned, or is an executable regardless of its name. */
export type HeldBack = 'waiting' | 'infected' | 'too_large' | 'program';

/** A folder to be created unless it exists, with its subfolders. */
export interface FolderTree {
  name: string;
  folders: FolderTree[];
}

/** The state of one folder of a `FolderTree`: it will be created, exists (`there`), has the name of a file (`taken`), or lies in a sealed folder. */
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

/** The subject of a download link to an item. Whether it is a file is then known before it is looked up. */
export const aboutItem = ({ id, type }: Pick<ItemView, 'id' | 'type'>): string =>
  `${type === 'folder' ? 'folder' : 'item'}:${id}`;
