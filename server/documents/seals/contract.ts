import * as v from 'valibot';

/** The seal over an item: on the item itself or on a folder above. */
export interface SealMark {
  id: number;
  /** The sealed item; null when the reader does not see it. */
  item_id: number | null;
  /** Who sealed it. */
  by: string;
  /** ISO 8601, UTC. */
  at: string;
  /** Null when the reader does not see the sealed item. */
  reason: string | null;
}

/** All fields of a seal, standing or broken. */
export interface SealView extends SealMark {
  /** The item's name when it was sealed. */
  name: string;
  /** Number and bytes of the files under the seal when it was set; 0 for a reader who does not see all of them. */
  files: number;
  bytes: number;
  formatted_bytes: string;
  /**
   * SHA-256, hexadecimal, of the list of these files: one line per file with its SHA-256, bytes and path; '' for a
   * reader who does not see all of them.
   */
  digest: string;
  /** Null until the seal is broken, like the next two. */
  broken_at: string | null;
  broken_by: string | null;
  break_reason: string | null;
}

/** The present and broken seals of an item. */
export interface SealedState {
  /** The seal that covers the item now. */
  seal: SealView | null;
  /** Whether the files still match the list; null unless requested with `check`. */
  intact: boolean | null;
  /** Broken seals of the item itself, newest first. */
  broken: SealView[];
}

export const REASON_MAX = 300;
/** A schema for a reason that is kept on record: one line of text. */
export const reasonOf = (missing: string) =>
  v.pipe(
    v.string(missing),
    v.trim(),
    v.nonEmpty(missing),
    v.maxLength(REASON_MAX, `Use at most ${REASON_MAX} characters`),
    // Excludes control characters and bidirectional overrides, which change the reading direction of the following text.
    v.regex(/^[^\p{Cc}\u202A-\u202E\u2066-\u2069]*$/u, 'Use one line of plain text'),
  );

/** The query of `GET /api/documents/{id}/seal`: with `check=1` the files are compared with the list. */
export const sealQuery = v.object({
  check: v.optional(
    v.pipe(
      v.literal('1', 'Say 1 or nothing'),
      v.transform(() => true),
    ),
    undefined,
  ),
});

export const sealItem = v.object({ reason: reasonOf('Enter why it is sealed') });
export type SealItem = v.InferOutput<typeof sealItem>;

export const breakSeal = v.object({
  reason: reasonOf('Enter why the seal is broken'),
  /** May be omitted when the user has confirmed their identity within the last minutes. */
  current_password: v.optional(
    v.pipe(
      v.string('Password is required'),
      v.nonEmpty('Password is required'),
      v.maxLength(1024, 'Password must be at most 1024 characters'),
    ),
  ),
});
export type BreakSeal = v.InferOutput<typeof breakSeal>;
