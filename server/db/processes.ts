import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';

/** Names this process in rows of what it works on, for as long as it runs. */
export const OWN_PROCESS = randomBytes(9).toString('base64url');

/**
 * For `where`: rows of processes that serve the vault no more. Where one process serves alone, none is on the list, and whatever an
 * earlier one has left is of one that is gone.
 */
export const ofGoneProcess =
  (db: Knex) =>
  (rows: Knex.QueryBuilder): void =>
    void rows.whereNull('process').orWhereNotIn('process', db('processes').select('id'));

/** What processes tell one another, by topic. */
export interface Told {
  /** What has changed for a firm's open screens; `by` is the session that did it. */
  changes: { firmId: number; by: number | null; changes: readonly unknown[] };
  /** Rights of people of this firm may have changed; `sights`: only which clients those see who see some. */
  rights: { firmId: number; sights: boolean };
  /** A job is to end. */
  cancel: number;
  /** Connections that are answered with the rights of a user, or by a shared link, are to be cut. */
  cut: ({ userId: number } | { linkId: number }) & { from: string };
  /** Links may have ended by which something is being sent. */
  ended: null;
  /** Whoever has a turn is asked for it. */
  wanted: string;
  /** A turn is free again. */
  free: string;
}

type Heard<T> = (said: T, place: number) => void;

/**
 * The processes that serve one vault, and what they know of each other. With SQLite there is one; with PostgreSQL and the bytes of
 * files in a bucket there may be any number.
 */
export interface Processes {
  /** Whether there may be others. */
  readonly several: boolean;
  /** The place of what was told last. Places rise, in one order for all processes. */
  place(): number;
  /** Tells all processes, this one as well. What is told is a hint: it may be late, and `missed` says that some was lost. */
  tell<Topic extends keyof Told>(topic: Topic, said: Told[Topic]): void;
  hear<Topic extends keyof Told>(topic: Topic, heard: Heard<Told[Topic]>): void;
  /** Calls back when something may have been told that this process has not heard. */
  missed(heard: () => void): void;
  /**
   * Takes a turn that no two have at once, in whichever process. It ends with the process, however that ends.
   * @returns what gives it back; null while another has it.
   */
  turn(name: string): Promise<(() => Promise<void>) | null>;
  /** Whether a process is certainly gone: what it held here is free. */
  isGone(id: string): Promise<boolean>;
}

/** The turns of a vault that several serve; undefined where nobody else can. */
export const turnOf = ({
  several,
  turn,
}: Pick<Processes, 'several' | 'turn'>): Processes['turn'] | undefined => (several ? turn : undefined);
