import * as v from 'valibot';
import type { HeldBack } from '#server/documents/contract.ts';

/** Why nobody may open a file. */
const QUARANTINE_STATES = [
  'waiting',
  'infected',
  'too_large',
  'program',
] as const satisfies readonly HeldBack[];
export type QuarantineState = (typeof QUARANTINE_STATES)[number];

/** A step of a walk over items; folders have no bytes. */
export type Walked = { blob_id: string | null };
export type Marked<S extends Walked> = readonly [step: S, isHeld: boolean];
/** Gives the steps of a walk in their order, each with whether its bytes are in quarantine. */
export type MarkHeld = <S extends Walked>(walk: AsyncIterable<S> | Iterable<S>) => AsyncGenerator<Marked<S>>;

/** The source of a file: somebody outside of the firm, or a user. */
export type Source = 'outside' | 'office';

/** A file in quarantine. */
export interface QuarantinedView {
  /** The id of its stored bytes. */
  id: string;
  name: string;
  bytes: number;
  state: QuarantineState;
  /** The scanner's name of the virus, or the kind of program; null for other states. */
  found: string | null;
  source: Source;
  /** ISO 8601, UTC. */
  created_at: string;
  /** The item; null for an earlier version, a file in Trash, or one that was never filed. */
  item: { id: number; parent_id: number | null; client_name: string | null } | null;
  /** Whether it was sent by a link and is not in the drive yet. */
  is_arriving: boolean;
}

export interface QuarantineView {
  /** Whether a scanner is set up. */
  scanning: boolean;
  /** Whether uploads by the firm's own users are scanned too. */
  all: boolean;
  files: QuarantinedView[];
}

const WHY = 'Say why';
export const decision = v.object({
  reason: v.pipe(v.string(WHY), v.trim(), v.minLength(3, WHY), v.maxLength(500, 'At most 500 characters')),
});
export type Decision = v.InferOutput<typeof decision>;

/** The error code for opening a file in quarantine. */
export const QUARANTINED = 'quarantined';
