import * as v from 'valibot';
import type { HeldBack } from '#server/documents/contract.ts';

/** Why nobody may open it. */
const QUARANTINE_STATES = [
  'waiting',
  'infected',
  'too_large',
  'program',
] as const satisfies readonly HeldBack[];
export type QuarantineState = (typeof QUARANTINE_STATES)[number];

/** Where it came from: somebody outside of the firm, or a user of it. */
export type Source = 'outside' | 'office';

/** A file that is held back. */
export interface QuarantinedView {
  /** Of its stored bytes. */
  id: string;
  name: string;
  bytes: number;
  state: QuarantineState;
  /** What the scanner calls it, or what kind of program it is; null for the others. */
  found: string | null;
  source: Source;
  /** ISO 8601, UTC. */
  created_at: string;
  /** Where it is; null when it is an earlier version, in Trash or was never put anywhere. */
  item: { id: number; parent_id: number | null; client_name: string | null } | null;
}

export interface QuarantineView {
  /** Whether a scanner is set up. */
  scanning: boolean;
  /** Whether what the firm's own people upload is scanned too. */
  all: boolean;
  files: QuarantinedView[];
}

const WHY = 'Say why';
export const decision = v.object({
  reason: v.pipe(v.string(WHY), v.trim(), v.minLength(3, WHY), v.maxLength(500, 'At most 500 characters')),
});
export type Decision = v.InferOutput<typeof decision>;

/** The code of the answer to whoever opens what is held back. */
export const QUARANTINED = 'quarantined';
