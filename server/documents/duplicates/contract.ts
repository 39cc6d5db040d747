import * as v from 'valibot';
import { BAD_CURSOR } from '#server/http/cursor.ts';
import type { ItemView } from '../contract.ts';

/** Groups per page. */
export const GROUPS_SHOWN = 10;
/** Files listed per group at most. */
export const COPIES_SHOWN = 50;

/** Files with identical content that the actor sees. */
export interface DuplicateGroup {
  sha256: string;
  /** Oldest first, each with its path; at most `COPIES_SHOWN`. */
  files: ItemView[];
  /** All files of the group, including those not listed. */
  count: number;
  /** Bytes of one copy. */
  bytes: number;
  /** Bytes that deleting all copies but one would free. */
  waste: number;
  formatted_waste: string;
}

export interface DuplicatesPage {
  /** Largest waste first. */
  groups: DuplicateGroup[];
  next_cursor: string | null;
}

/** The oldest other file with the content of a new file, among those that the uploader sees. */
export interface EarlierCopy extends Pick<ItemView, 'id' | 'name' | 'parent_id'> {
  /** Names of the ancestor folders, joined by ' / '; '' at the root. */
  path: string;
}

export const duplicatesQuery = v.object({
  cursor: v.optional(v.pipe(v.string(BAD_CURSOR), v.maxLength(1000, BAD_CURSOR))),
});
