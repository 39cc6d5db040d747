import * as v from 'valibot';
import { BAD_CURSOR } from '#server/http/cursor.ts';
import type { ItemView } from '../contract.ts';

/** Groups of one page. */
export const GROUPS_SHOWN = 10;
/** Files of one group that are named. */
export const COPIES_SHOWN = 50;

/** Files of one content, as far as the reader sees them. */
export interface DuplicateGroup {
  sha256: string;
  /** The oldest first, each with its path; at most so many as are named. */
  files: ItemView[];
  /** Of all of them. */
  count: number;
  /** Bytes of one. */
  bytes: number;
  /** Bytes that would be free if one of them were kept. */
  waste: number;
  formatted_waste: string;
}

export interface DuplicatesPage {
  /** Those with the most to gain first. */
  groups: DuplicateGroup[];
  next_cursor: string | null;
}

/** Where content lies already that has just come in: the oldest file that has it, as far as its sender sees them. */
export interface EarlierCopy extends Pick<ItemView, 'id' | 'name' | 'parent_id'> {
  /** Names of the folders above, joined by ' / '; '' at the root. */
  path: string;
}

export const duplicatesQuery = v.object({
  cursor: v.optional(v.pipe(v.string(BAD_CURSOR), v.maxLength(1000, BAD_CURSOR))),
});
