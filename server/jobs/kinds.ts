import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { JobData } from './contract.ts';
import type { Places } from './worker-pool.ts';
import type { Live } from './model.ts';

/** How jobs of one kind are done. */
export interface JobKind extends Partial<Places> {
  /**
   * Does the work and undoes what it did when it rejects. An AppError's message is shown as it is.
   * It stops soon after `signal` aborts, by rejecting with the signal's reason.
   */
  run(work: JobWork): Promise<{ message: string; data?: JobData }>;
  /** How often it is begun at most, when the server goes down in the middle. */
  attempts: number;
  /** After a failure: in how many ms it is tried again, or null to give up. Left out, it is never tried again. */
  retryIn?(error: unknown, work: Pick<JobWork, 'attempt' | 'input'>): number | null;
  /** For how many ms it may be silent before it is taken for stuck; ten minutes when left out. */
  lease?: number;
  /** For how many ms its end can be seen; a week when left out. */
  kept?: number;
  /** Whether what was sealed for it stays when it has failed, so that it can be begun again; wiped when left out. */
  canBeginAgain?(work: Pick<JobWork, 'subject'>): boolean;
  /** Set on what is done again and again. */
  recurring?: Pick<RecurringJob, 'every' | 'first' | 'due'>;
}

/** Work of the server itself that is done every so often, never twice at once. */
export interface RecurringJob {
  /** In ms, from the end of one to the beginning of the next; after a failure it is sooner. */
  every: number;
  /**
   * In ms: this long after each start of the server, however long ago the last one was. Left out, the last one says
   * when, though not in the first minute.
   */
  first?: number | undefined;
  /** Asked before each: without anything to do, nothing is written, and an idle server's disk can sleep. */
  due?(): Promise<boolean>;
  /** @returns how many things were dealt with. */
  run(signal: AbortSignal): Promise<number>;
}

export interface JobWork {
  id: number;
  /** Null for work of the server itself. */
  actor: Actor | null;
  subject: string;
  input: JobData;
  sealed: Buffer | null;
  createdAt: Date;
  /** 1 at first. */
  attempt: number;
  signal: AbortSignal;
  /** What its kind shows of it so far. */
  data: JobData;
  /**
   * Ends the job as completed, in the transaction that makes its result visible: then neither is without the other.
   * Afterwards `run` resolves with the same.
   */
  settle(trx: Knex.Transaction, end: { message: string; data: JobData }): Promise<void>;
  /** What is shown from now on. Reporting also keeps the lease: silent for too long, a job is taken for stuck. */
  report(now: Partial<Live>): void;
}

/** A recurring job reports nothing while it goes through a store of millions of files. In ms. */
const ROUND_LEASE = 6 * 60 * 60_000;

/** The kind of job that a recurring job is. */
export const kindOf = ({ run, ...recurring }: RecurringJob): JobKind => ({
  recurring,
  slots: 1,
  attempts: Infinity,
  lease: ROUND_LEASE,
  async run({ signal }) {
    const count = await run(signal);
    return { message: count > 0 ? `${count} done` : 'Nothing to do', data: { count } };
  },
});
