import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';

/** The random id of this process, written into the rows that it works on. */
export const OWN_PROCESS = randomBytes(9).toString('base64url');

/**
 * A condition for `where`: rows whose `process` is no longer in the table `processes`. A process that serves alone does not register
 * itself there, so at its start every row left by an earlier process matches.
 */
export const ofDeadProcess =
  (db: Knex) =>
  (rows: Knex.QueryBuilder): void =>
    void rows.whereNull('process').orWhereNotIn('process', db('processes').select('id'));

/** The messages between processes, by topic. Processes of two versions may run together, so topics and payloads stay compatible. */
export interface ProcessMessages {
  /** Something on a firm's open screens has changed; `by` is the id of the session that changed it. */
  changes: { firmId: number; by: number | null; changes: readonly unknown[] };
  /** Permissions in this firm may have changed; `sights`: only which clients a user with limited access sees. */
  rights: { firmId: number; sights: boolean };
  /** The id of a job that is to be cancelled. */
  cancel: number;
  /** Open requests of this user, or through this shared link, are to be disconnected. `from` is the sending process. */
  cut: ({ userId: number } | { linkId: number }) & { from: string };
  /** Shared links may have expired: downloads through them are to be disconnected. */
  ended: null;
  /** The name of a lock that another process waits for: its holder should release it. */
  wanted: string;
  /** The name of a lock that was released. */
  free: string;
}

type Subscriber<Message> = (message: Message, sequence: number) => void;

/**
 * The processes that serve one vault: messages between them (publish and subscribe) and locks. With SQLite there is one process; with
 * PostgreSQL and the files in a bucket there may be any number.
 */
export interface Processes {
  /** Whether there may be other processes. */
  readonly several: boolean;
  /** The sequence number of the last message. Numbers rise, and all processes receive messages in the same order. */
  lastSequence(): number;
  /** Sends a message to all processes, including this one. Delivery is not guaranteed: see `onMissed`. */
  publish<Topic extends keyof ProcessMessages>(topic: Topic, message: ProcessMessages[Topic]): void;
  subscribe<Topic extends keyof ProcessMessages>(
    topic: Topic,
    subscriber: Subscriber<ProcessMessages[Topic]>,
  ): void;
  /** Calls back when messages may have been lost. */
  onMissed(callback: () => void): void;
  /**
   * Takes a lock that only one process holds at a time. It is released when the process ends, however that happens.
   * @returns a function that releases the lock; null while another holder has it.
   */
  tryLock(name: string): Promise<(() => Promise<void>) | null>;
  /** Whether a process has certainly ended, and so has released its locks. */
  isDead(id: string): Promise<boolean>;
}

/** The locks of a vault that several processes may serve; undefined where only one can. */
export const sharedLockOf = ({
  several,
  tryLock,
}: Pick<Processes, 'several' | 'tryLock'>): Processes['tryLock'] | undefined =>
  several ? tryLock : undefined;
