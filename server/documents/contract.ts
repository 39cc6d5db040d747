import type { LabelView } from './labels/contract.ts';
import type { SealMark } from './seals/contract.ts';

/** What may be a name of a file or folder, and what is made of one that may not. */
export { checkName, nameKey, repairName, tidyName } from '../text/names.ts';

/** Which files are kept, and what each is. */
export * from './file-types/contract.ts';
/** What can be asked to be changed, and what came of it. */
export * from './changes/contract.ts';
/** How lists are asked for, and what they answer. */
export * from './lists/contract.ts';

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
  /** It came from outside of the firm, and nobody of the firm has opened or changed it yet; left out otherwise. */
  is_new?: boolean;
  /** Why nobody may open it for now; left out of what may be opened. */
  held_back?: HeldBack;
}

/** Waits for the virus scanner, has a virus, is too large to be scanned, or is a program whatever its name says. */
export type HeldBack = 'waiting' | 'infected' | 'too_large' | 'program';

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
