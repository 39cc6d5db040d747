import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { JobData } from './contract.ts';
import type { SlotLimits } from './fair-slots.ts';
import type { Live } from './model.ts';

/** Defines how jobs of one kind are run. */
export interface JobKind extends Partial<SlotLimits> {
  /**
   * Runs the job. It must undo its changes before it rejects. Users see the message of an AppError. After `signal` aborts, it must soon
   * reject with the signal's reason.
   */
  run(work: JobWork): Promise<{ message: string; data?: JobData }>;
  /** The maximum of attempts if the server stops or crashes during a run. */
  attempts: number;
  /** The pause before a failed run is retried, or null to give up. Left out, failed jobs are never retried. */
  retryAfterMs?(error: unknown, work: Pick<JobWork, 'attempt' | 'input'>): number | null;
  /** How long it may run without a report before it counts as stuck; ten minutes if left out. */
  leaseMs?: number;
  /** How long the row of an ended job is kept; a week if left out. */
  retentionMs?: number;
  /** Whether a failed job keeps its sealed input, so that it can be retried; if left out the input is deleted. */
  isRestartable?(work: Pick<JobWork, 'subject'>): boolean;
  /** Set on recurring jobs. */
  recurring?: Pick<RecurringJob, 'every' | 'first' | 'due'>;
}

/** Periodic work of the server itself. Runs of one job never overlap. */
export interface RecurringJob {
  /** The pause in ms between the end of a run and the start of the next. After a failure it is shorter. */
  every: number;
  /**
   * The delay in ms of the first run after each start of the server. Left out, the first run is due `every` ms after the last one before
   * the start, but at the earliest after a minute.
   */
  first?: number | undefined;
  /** Whether there is anything to do. If not, the run is skipped without a write, so that the disk of an idle server can sleep. */
  due?(): Promise<boolean>;
  /**
   * @param report renews the lease. A run that neither ends nor reports for six hours counts as stuck.
   * @returns the number of things processed.
   */
  run(signal: AbortSignal, report: () => void): Promise<number>;
}

export interface JobWork {
  id: number;
  /** Null for jobs of the server itself. */
  actor: Actor | null;
  subject: string;
  input: JobData;
  sealed: Buffer | null;
  createdAt: Date;
  /** Counted from 1. */
  attempt: number;
  signal: AbortSignal;
  /** The details reported so far. */
  data: JobData;
  /** Completes the job in the same transaction as its result. `run` must then resolve with the same value. */
  settle(trx: Knex.Transaction, result: { message: string; data: JobData }): Promise<void>;
  /** Updates the progress and renews the lease: a job that does not report for too long counts as stuck. */
  report(update: Partial<Live>): void;
}

/** Most recurring jobs do not report, and may go through millions of files. */
const RECURRING_LEASE_MS = 6 * 60 * 60_000;

/** The job kind of a recurring job. */
export const recurringKind = ({ run, ...recurring }: RecurringJob): JobKind => ({
  recurring,
  slots: 1,
  attempts: Infinity,
  leaseMs: RECURRING_LEASE_MS,
  async run({ signal, report }) {
    const count = await run(signal, () => report({}));
    return { message: count > 0 ? `${count} done` : 'Nothing to do', data: { count } };
  },
});
