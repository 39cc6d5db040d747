import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Actor } from '#server/actor.ts';
import type { Clock } from '#server/clock.ts';
import { oneProcess } from '#server/db/one-process.ts';
import type { Processes } from '#server/db/processes.ts';
import { AppError, conflict, notFound } from '#server/http/errors.ts';
import type { JobData, JobView } from './contract.ts';
import { isOver } from './contract.ts';
import type { CoalescingQueue, CoalescingLimits } from './coalescing-queue.ts';
import { createCoalescingQueue } from './coalescing-queue.ts';
import type { JobKind, RecurringJob } from './kinds.ts';
import { recurringKind } from './kinds.ts';
import { Job, rightsOf } from './model.ts';
import type { Overview, FailingJob } from './overview.ts';
import { overview, failingJobs } from './overview.ts';
import { createRunner } from './runner.ts';

export type { ListedJob, Overview } from './overview.ts';

/** Waiting and running jobs of one user. */
const MAX_PER_USER = 20;
const RETENTION_MS = 7 * 24 * 60 * 60_000;

/** A new job of the server itself. */
interface NewJob {
  kind: string;
  /** What the job works on, such as `item:17`. */
  subject: string;
  /** The input of the kind's `run`. It is stored as plain JSON, so it must not contain secrets. */
  input: JobData;
  /** The secret part of the input, sealed by the caller; deleted once the job has ended. */
  sealed?: Buffer;
  message: string;
  data?: JobData;
  /** The firm whose slots it uses; left out for the server's own. */
  firm_id?: number | undefined;
}
type NewUserJob = Omit<NewJob, 'firm_id'>;

interface JobDependencies {
  db: Knex;
  clock: Clock;
  log: Pick<Logger, 'debug' | 'error' | 'info' | 'warn'>;
  /** Called when a user's job was added, and when it has ended. */
  changed?: (firmId: number, userId: number) => void;
  /** The processes that share the queue; left out for this one alone. */
  processes?: Processes;
  /** The default limits of concurrent jobs of a kind, of all firms and of one firm. */
  slots?: number;
  perFirm?: number;
  /** How long `stop` waits for running jobs. */
  stopTimeoutMs?: number;
}

/**
 * The background jobs. The table `jobs` is a queue that all processes of the vault share: a row contains what is to be done, when, and its
 * progress. Each kind of job has slots of its own, fair between firms. A job that is interrupted by a stop or a crash is run again from the
 * beginning, or fails. Work that a request waits for uses a queue in memory instead.
 */
export function createJobs({ slots = 4, perFirm = 2, processes = oneProcess(), ...parts }: JobDependencies) {
  const { db, clock } = parts;
  const kinds = new Map<string, JobKind>();
  const memoryQueues: CoalescingQueue[] = [];
  const runner = createRunner({ ...parts, processes, limits: { slots, perFirm }, kinds });

  async function find(db: Knex, actor: Actor, id: number): Promise<Job> {
    const row = await Job.query(db).findOne({ id, firm_id: actor.firmId });
    // Jobs are private: colleagues must not learn that one exists.
    if (!row || row.user_id !== actor.userId) throw notFound('job');
    return row;
  }

  async function insert(trx: Knex.Transaction, job: NewJob, owner: Partial<Job> = {}): Promise<number> {
    const { kind, subject, input, sealed = null, message, data = {}, firm_id = null } = job;
    const now = clock().toISOString();
    const row = await Job.query(trx).insert({
      kind,
      firm_id,
      subject,
      input: JSON.stringify(input),
      sealed,
      status: 'starting',
      progress: 0,
      message,
      data: JSON.stringify(data),
      attempts: 0,
      due_at: now,
      created_at: now,
      ...owner,
    });
    function onCommitted(): void {
      runner.wake();
      if (owner.firm_id && owner.user_id) parts.changed?.(owner.firm_id, owner.user_id);
    }
    trx.executionPromise.then(onCommitted, () => {});
    return row.id;
  }

  return {
    /** Registers a kind of job. Must be called before `start`. */
    register(kind: string, definition: JobKind): void {
      kinds.set(kind, definition);
    },

    /** Registers a recurring job. Must be called before `start`. */
    registerRecurring(kind: string, job: RecurringJob): void {
      kinds.set(kind, recurringKind(job));
    },

    /** Creates a queue in memory for work that a request waits for. */
    memoryQueue(limits: CoalescingLimits): CoalescingQueue {
      const queue = createCoalescingQueue(limits);
      memoryQueues.push(queue);
      return queue;
    },

    /** Adds a job of the server itself, in the transaction of the change that requires it. @returns its id. */
    enqueue: (trx: Knex.Transaction, job: NewJob): Promise<number> => insert(trx, job),

    /**
     * Adds a job of a user, in the transaction of the change that requires it.
     * @returns its id.
     * @throws {AppError} 429 if the user has 20 unfinished jobs already.
     */
    async add(trx: Knex.Transaction, actor: Actor, job: NewUserJob): Promise<number> {
      const ofUser = { firm_id: actor.firmId, user_id: actor.userId };
      const open = Job.query(trx).where(ofUser).whereIn('status', ['starting', 'processing']);
      const count = await open.resultSize();
      if (count >= MAX_PER_USER) {
        const message = `You have ${count} jobs waiting already. Wait until one has ended, then try again.`;
        throw new AppError(429, 'too_many_jobs', message, { retryAfter: 30 });
      }
      return insert(trx, job, { ...ofUser, actor: rightsOf(actor) });
    },

    /** @throws {AppError} 404. */
    async view(actor: Actor, id: number): Promise<JobView> {
      return (await find(db, actor, id)).toView(runner.live(id));
    },

    /** The user's jobs of a kind, the newest first: the unfinished ones, and with `over` also those that have ended. */
    async list(actor: Actor, kind: string, { over = false } = {}): Promise<JobView[]> {
      const rows = Job.query(db).where({ kind, firm_id: actor.firmId, user_id: actor.userId });
      if (!over) rows.whereIn('status', ['starting', 'processing']);
      const jobs = await rows.orderBy('id', 'desc').limit(100);
      return jobs.map((row) => row.toView(runner.live(row.id)));
    },

    /** The input of a job. @throws {AppError} 404. */
    async input(actor: Actor, id: number): Promise<JobData> {
      return JSON.parse((await find(db, actor, id)).input) as JobData;
    },

    /** The user's unfinished jobs of a kind, the newest first, as seen by a transaction. */
    async active(
      trx: Knex.Transaction,
      actor: Actor,
      kind: string,
    ): Promise<{ id: number; subject: string; input: JobData }[]> {
      const rows = await Job.query(trx)
        .where({ kind, firm_id: actor.firmId, user_id: actor.userId })
        .whereIn('status', ['starting', 'processing'])
        .orderBy('id', 'desc')
        .select('id', 'subject', 'input');
      return rows.map(({ id, subject, input }) => ({ id, subject, input: JSON.parse(input) as JobData }));
    },

    /**
     * Cancels a job. Its kind undoes what it has done so far.
     * @returns its present state, which is "processing" until the run has stopped.
     * @throws {AppError} 404; 409 if it has ended already.
     */
    async cancel(actor: Actor, id: number): Promise<JobView> {
      const row = await find(db, actor, id);
      if (isOver(row.status)) throw conflict('This has ended already, so it cannot be cancelled.');
      await runner.cancel(row.id);
      return (await find(db, actor, id)).toView(runner.live(id));
    },

    /** Cancels all unfinished jobs of a user. */
    async cancelAllOf(userId: number): Promise<void> {
      const open = await Job.query(db)
        .where({ user_id: userId })
        .whereIn('status', ['starting', 'processing'])
        .select('id');
      for (const { id } of open) await runner.cancel(id);
    },

    /** Deletes the rows of jobs that ended before their retention period. @returns their number. */
    async sweep(): Promise<number> {
      const over = Job.query(db).whereIn('status', ['completed', 'failed', 'cancelled']);
      const before = (retentionMs: number) => new Date(clock().getTime() - retentionMs).toISOString();
      const special = Array.from(kinds).flatMap(([kind, { retentionMs }]) =>
        retentionMs === undefined ? [] : [{ kind, retentionMs }],
      );
      let deleted = 0;
      for (const { kind, retentionMs } of special)
        deleted += await over.clone().where({ kind }).where('finished_at', '<', before(retentionMs)).delete();
      const others = over.clone().whereNotIn(
        'kind',
        special.map(({ kind }) => kind),
      );
      return deleted + (await others.where('finished_at', '<', before(RETENTION_MS)).delete());
    },

    /** Running, waiting, failed and recurring jobs, for the operator. */
    overview: (): Promise<Overview> => overview(db),

    /** Whether a recurring job is not run, though it is due, because it has nothing to do. */
    async isIdle(kind: string): Promise<boolean> {
      const due = kinds.get(kind)?.recurring?.due;
      return due !== undefined && !(await due().catch(() => true));
    },

    /** The newest jobs of a kind that failed or are being retried, for the operator. */
    failing: (kind: string): Promise<FailingJob[]> => failingJobs(db, kind),

    /**
     * Retries a failed job, or one that waits for a retry, now. Until it ends it stays among those of `failing`.
     * @param input is merged into its input.
     * @throws {AppError} 404 for any other job.
     */
    async retry(trx: Knex.Transaction, kind: string, id: number, input: JobData): Promise<void> {
      const row = await Job.query(trx).findOne({ id, kind }).whereIn('status', ['failed', 'starting']);
      const now = clock().toISOString();
      if (!row || (row.status === 'failed' && row.sealed === null)) throw notFound('job');
      // Not if another process has begun it since, which would do it twice.
      const restarted = await row
        .$query(trx)
        .where({ status: row.status })
        .patch({
          status: 'starting',
          input: JSON.stringify({ ...(JSON.parse(row.input) as JobData), ...input }),
          due_at: now,
          attempts: 0,
          progress: 0,
          finished_at: null,
        });
      if (restarted === 0) throw notFound('job');
      trx.executionPromise.then(runner.wake, () => {});
    },

    /**
     * Recovers the jobs of dead processes and starts to run jobs. `prepare` comes first, and is retried until it succeeds.
     */
    async start(prepare?: () => Promise<void>): Promise<void> {
      for (const queue of memoryQueues) queue.start();
      await runner.start(prepare);
    },

    /** Recovers the running jobs of dead processes. */
    recover: (): Promise<void> => runner.recover(),

    /**
     * Aborts running jobs, which are run again after the next `start`. Resolves once they have stopped, or after ten seconds.
     */
    async stop(): Promise<void> {
      await Promise.all([runner.stop(), ...memoryQueues.map((queue) => queue.stop())]);
    },

    /** Runs all due jobs of a kind, even before `start`. @returns the number of those that succeeded. */
    runDue: runner.runDue,

    /** Resolves when no job runs or is due. */
    idle: (): Promise<void> => runner.idle(),
  };
}
export type Jobs = ReturnType<typeof createJobs>;
