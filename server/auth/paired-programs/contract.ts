/** A program that uploads for its owner, as the list of signed-in devices shows it. */
export interface ProgramView {
  id: number;
  /** What the computer is called. */
  name: string;
  platform: string;
  /** `1.4.0`, as it said last. */
  version: string;
  /** From where it was used last, in words. */
  place: string;
  /** ISO 8601, UTC. */
  connected_at: string;
  last_used_at: string;
}

/** What a program is given in exchange for a code. */
export interface NewProgram {
  /** Shown this once. */
  token: string;
  id: number;
  name: string;
  userId: number;
}
