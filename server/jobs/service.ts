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
import { kindOf } from './kinds.ts';
import { Job, rightsOf } from './model.ts';
import type { Overview, Troubled } from './overview.ts';
import { overview, troubled } from './overview.ts';
import { createRunner } from './runner.ts';

export type { Listed, Overview } from './overview.ts';

/** Jobs of one user that wait or run. */
const PER_USER = 20;
const DAY = 24 * 60 * 60_000;
const KEPT = 7 * DAY;

/** A job to be done for nobody in particular. */
export interface Order {
  kind: string;
  /** What the job works on, such as `item:17`. */
  subject: string;
  /** What the kind's `run` gets; JSON, so nothing secret. */
  input: JobData;
  /** What is secret of it, sealed by whoever asks; wiped once the job has ended. */
  sealed?: Buffer;
  message: string;
  data?: JobData;
  /** Whose turn it takes; left out, the server's own. */
  firm_id?: number | undefined;
}
export type JobRequest = Omit<Order, 'firm_id'>;

export interface JobParts {
  db: Knex;
  clock: Clock;
  log: Pick<Logger, 'debug' | 'error' | 'info' | 'warn'>;
  /** Told when a user's job is put in the queue, and when it has ended. */
  changed?: (firmId: number, userId: number) => void;
  /** Who else does jobs of the same rows; left out, nobody. */
  processes?: Processes;
  /** Jobs of a kind at once, of all firms and of one, when the kind says nothing else. */
  slots?: number;
  perFirm?: number;
  /** In ms; what does not stop by then is left behind. */
  stopWithin?: number;
}

/**
 * Everything that is done beside the answering of requests. Rows say what is to be done, when, and how far it is;
 * the processes of the vault work on them, each kind in its own pool and fairly between firms. What a stop or a crash interrupts starts
 * again from its beginning, or fails. What somebody waits for goes through a queue in memory instead, and leaves no row.
 */
export function createJobs({ slots = 4, perFirm = 2, processes = oneProcess(), ...parts }: JobParts) {
  const { db, clock } = parts;
  const kinds = new Map<string, JobKind>();
  const memoryQueues: CoalescingQueue[] = [];
  const runner = createRunner({ ...parts, processes, places: { slots, perFirm }, kinds });

  async function find(db: Knex, actor: Actor, id: number): Promise<Job> {
    const row = await Job.query(db).findOne({ id, firm_id: actor.firmId });
    // A job is its user's own affair: colleagues do not learn that it exists.
    if (!row || row.user_id !== actor.userId) throw notFound('job');
    return row;
  }

  async function insert(trx: Knex.Transaction, order: Order, requester: Partial<Job> = {}): Promise<number> {
    const { kind, subject, input, sealed = null, message, data = {}, firm_id = null } = order;
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
      ...requester,
    });
    function committed(): void {
      runner.wake();
      const { firm_id: firmId, user_id: userId } = { firm_id, ...requester };
      if (firmId && userId) parts.changed?.(firmId, userId);
    }
    trx.executionPromise.then(committed, () => {});
    return row.id;
  }

  return {
    /** Says how jobs of a kind are done; to be called before `start`. */
    register(kind: string, how: JobKind): void {
      kinds.set(kind, how);
    },

    /** Says what is done every so often; to be called before `start`. */
    repeat(kind: string, job: RecurringJob): void {
      kinds.set(kind, kindOf(job));
    },

    /** Where one asks for work and waits for it. */
    memoryQueue(limits: CoalescingLimits): CoalescingQueue {
      const queue = createCoalescingQueue(limits);
      memoryQueues.push(queue);
      return queue;
    },

    /** Puts a job of nobody's in the queue, in the transaction of what it is about: it is done if that has happened. */
    enqueue: (trx: Knex.Transaction, order: Order): Promise<number> => insert(trx, order),

    /**
     * Puts a user's job in the queue, in the transaction of what it is about.
     * @returns its id.
     * @throws {AppError} 429 when the user has 20 already.
     */
    async add(trx: Knex.Transaction, actor: Actor, request: JobRequest): Promise<number> {
      const own = { firm_id: actor.firmId, user_id: actor.userId };
      const open = Job.query(trx).where(own).whereIn('status', ['starting', 'processing']);
      const count = await open.resultSize();
      if (count >= PER_USER) {
        const message = `You have ${count} jobs waiting already. Wait until one has ended, then try again.`;
        throw new AppError(429, 'too_many_jobs', message, { retryAfter: 30 });
      }
      return insert(trx, request, { ...own, actor: rightsOf(actor) });
    },

    /** @throws {AppError} 404. */
    async view(actor: Actor, id: number): Promise<JobView> {
      return (await find(db, actor, id)).toView(runner.live(id));
    },

    /** The user's jobs of a kind, the newest first: those that wait or run, and with `over` the others too. */
    async list(actor: Actor, kind: string, { over = false } = {}): Promise<JobView[]> {
      const rows = Job.query(db).where({ kind, firm_id: actor.firmId, user_id: actor.userId });
      if (!over) rows.whereIn('status', ['starting', 'processing']);
      const found = await rows.orderBy('id', 'desc').limit(100);
      return found.map((row) => row.toView(runner.live(row.id)));
    },

    /** What a job was asked for with. @throws {AppError} 404. */
    async input(actor: Actor, id: number): Promise<JobData> {
      return JSON.parse((await find(db, actor, id)).input) as JobData;
    },

    /** What of a kind waits or runs for the user, in the transaction that decides by it; the newest first. */
    async open(
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
     * Ends a job; what it has done so far is undone by its kind.
     * @returns it as it stands, which is "processing" until the work has really stopped.
     * @throws {AppError} 404; 409 when it has ended already.
     */
    async cancel(actor: Actor, id: number): Promise<JobView> {
      const row = await find(db, actor, id);
      if (isOver(row.status)) throw conflict('This has ended already, so it cannot be cancelled.');
      await runner.cancel(row.id);
      return (await find(db, actor, id)).toView(runner.live(id));
    },

    /** Ends all that waits or runs for a user. */
    async cancelAllOf(userId: number): Promise<void> {
      const open = await Job.query(db)
        .where({ user_id: userId })
        .whereIn('status', ['starting', 'processing'])
        .select('id');
      for (const { id } of open) await runner.cancel(id);
    },

    /** Deletes the rows of what has ended long ago. @returns how many. */
    async sweep(): Promise<number> {
      const over = Job.query(db).whereIn('status', ['completed', 'failed', 'cancelled']);
      const before = (kept: number) => new Date(clock().getTime() - kept).toISOString();
      const special = Array.from(kinds).flatMap(([kind, { kept }]) =>
        kept === undefined ? [] : [{ kind, kept }],
      );
      let gone = 0;
      for (const { kind, kept } of special)
        gone += await over.clone().where({ kind }).where('finished_at', '<', before(kept)).delete();
      const others = over.clone().whereNotIn(
        'kind',
        special.map(({ kind }) => kind),
      );
      return gone + (await others.where('finished_at', '<', before(KEPT)).delete());
    },

    /** What runs, waits and failed, for an operator. */
    overview: (): Promise<Overview> => overview(db),

    /** Of a kind, the newest that failed or are tried again, for an operator. */
    troubled: (kind: string): Promise<Troubled[]> => troubled(db, kind),

    /**
     * Has a job that failed, or that waits after a failure, done now.
     * @param input replaces what it was asked for with.
     * @throws {AppError} 404 for any other.
     */
    async again(trx: Knex.Transaction, kind: string, id: number, input: JobData): Promise<void> {
      const row = await Job.query(trx).findOne({ id, kind }).whereIn('status', ['failed', 'starting']);
      const now = clock().toISOString();
      if (!row || (row.status === 'failed' && row.sealed === null)) throw notFound('job');
      await row.$query(trx).patch({
        status: 'starting',
        input: JSON.stringify({ ...(JSON.parse(row.input) as JobData), ...input }),
        due_at: now,
        attempts: 0,
        progress: 0,
        code: null,
        finished_at: null,
      });
      trx.executionPromise.then(runner.wake, () => {});
    },

    /** Takes up what an earlier process left, and begins to work. Both wait for `prepare`, which is tried again until it succeeds. */
    async start(prepare?: () => Promise<void>): Promise<void> {
      for (const queue of memoryQueues) queue.start();
      await runner.start(prepare);
    },

    /** Takes up what processes that are gone have left running. */
    recover: (): Promise<void> => runner.recover(),

    /**
     * Interrupts what runs; it starts again with the next `start`. Resolves when nothing runs any more, or after ten
     * seconds.
     */
    async stop(): Promise<void> {
      await Promise.all([runner.stop(), ...memoryQueues.map((queue) => queue.stop())]);
    },

    /** Does all of a kind that is due now, started or not. @returns how many came to their end well. */
    work: runner.work,

    /** Resolves when nothing runs and nothing is due. */
    idle: (): Promise<void> => runner.idle(),
  };
}
export type Jobs = ReturnType<typeof createJobs>;
