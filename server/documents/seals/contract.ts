import * as v from 'valibot';

/** The seal over an item: its own, or that of a folder above. */
export interface SealMark {
  id: number;
  /** What was sealed; null where the reader does not see it. */
  item_id: number | null;
  /** Who sealed it. */
  by: string;
  /** ISO 8601, UTC. */
  at: string;
  /** Null where the reader does not see what was sealed. */
  reason: string | null;
}

/** A seal in full, also one that was broken. */
export interface SealView extends SealMark {
  /** What the sealed item was called then. */
  name: string;
  /** Files under the seal when it was put on, and their bytes. */
  files: number;
  bytes: number;
  formatted_bytes: string;
  /** SHA-256, hexadecimal, of the list of these files: a line for each, with its SHA-256, its bytes and its path. */
  digest: string;
  /** Null while it stands; so are the next two. */
  broken_at: string | null;
  broken_by: string | null;
  break_reason: string | null;
}

/** What is known about the seals of an item. */
export interface SealedState {
  /** The one that covers it now. */
  seal: SealView | null;
  /** Whether the files under it are still those of the list, where that was asked; otherwise null. */
  intact: boolean | null;
  /** Those of the item itself that were broken, the last first. */
  broken: SealView[];
}

export const REASON_MAX = 300;
/** A reason for the record: one line. */
export const reasonOf = (missing: string) =>
  v.pipe(
    v.string(missing),
    v.trim(),
    v.nonEmpty(missing),
    v.maxLength(REASON_MAX, `Use at most ${REASON_MAX} characters`),
    // Control characters, and those that turn the reading direction of what follows.
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
  /** Left out, a proof of the last minutes is enough. */
  current_password: v.optional(
    v.pipe(
      v.string('Password is required'),
      v.nonEmpty('Password is required'),
      v.maxLength(1024, 'Password must be at most 1024 characters'),
    ),
  ),
});
export type BreakSeal = v.InferOutput<typeof breakSeal>;
