import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Actor } from '#server/auth/contract.ts';
import type { Clock } from '#server/clock.ts';
import { AppError, conflict, notFound } from '#server/http/errors.ts';
import type { JobData, JobView } from './contract.ts';
import { isOver } from './contract.ts';
import type { JobRow } from './model.ts';
import { rightsOf, toView } from './model.ts';
import type { JobKind } from './runner.ts';
import { createRunner } from './runner.ts';

/** Jobs of one user that wait or run. */
const PER_USER = 20;
const KEPT = 7 * 24 * 60 * 60_000;
const SWEEP_EVERY = 60 * 60_000;

export interface JobWish {
  kind: string;
  subject: string;
  /** What the kind's `run` gets; JSON, so nothing secret. */
  input: JobData;
  message: string;
  data?: JobData;
}

export interface JobParts {
  db: Knex;
  clock: Clock;
  log: Pick<Logger, 'error' | 'info' | 'warn'>;
  /** Jobs at once, of all firms and of one. */
  slots?: number;
  perFirm?: number;
}

/**
 * Work that outlives the request which asks for it. Rows say what is to be done and how far it is; one process works
 * on them, fairly between firms. What a stop or a crash interrupts starts again from its beginning, or fails.
 */
export function createJobs(parts: JobParts) {
  const { db, clock, log } = parts;
  const kinds = new Map<string, JobKind>();
  const runner = createRunner({ slots: 4, perFirm: 2, ...parts, kinds });
  let sweeping: NodeJS.Timeout | undefined;

  async function find(trx: Knex, actor: Actor, id: number): Promise<JobRow> {
    const row: JobRow | undefined = await trx('jobs').where({ id, firm_id: actor.firmId }).first();
    // What a colleague's job is called and does is the colleague's.
    if (!row || row.user_id !== actor.userId) throw notFound('job');
    return row;
  }

  async function sweep(): Promise<number> {
    const before = new Date(clock().getTime() - KEPT).toISOString();
    return db('jobs').where('finished_at', '<', before).delete();
  }

  return {
    /** Says how jobs of a kind are done; to be called before `start`. */
    register(kind: string, how: JobKind): void {
      kinds.set(kind, how);
    },

    /**
     * Puts a job in the queue; with `within`, in that transaction.
     * @returns its id.
     * @throws {AppError} 429 when the user has 20 already.
     */
    async add(actor: Actor, wish: JobWish, within: Knex = db): Promise<number> {
      const own = { firm_id: actor.firmId, user_id: actor.userId };
      const open = within('jobs').where(own).whereIn('status', ['starting', 'processing']);
      const count = Number((await open.count({ n: '*' }).first())?.n ?? 0);
      if (count >= PER_USER) {
        const message = `You have ${count} jobs waiting already. Wait until one has ended, then try again.`;
        throw new AppError(429, 'too_many_jobs', message, { retryAfter: 30 });
      }
      const [row] = (await within('jobs')
        .insert({
          kind: wish.kind,
          ...own,
          subject: wish.subject,
          actor: rightsOf(actor),
          input: JSON.stringify(wish.input),
          status: 'starting',
          progress: 0,
          message: wish.message,
          data: JSON.stringify(wish.data ?? {}),
          attempts: 0,
          created_at: clock().toISOString(),
        })
        .returning('id')) as [{ id: number }];
      runner.wake();
      return row.id;
    },

    /** @throws {AppError} 404. */
    async view(actor: Actor, id: number): Promise<JobView> {
      return toView(await find(db, actor, id), runner.live(id));
    },

    /** The user's jobs of a kind, the newest first: those that wait or run, and with `over` the others too. */
    async list(actor: Actor, kind: string, { over = false, within = db as Knex } = {}): Promise<JobView[]> {
      const rows = within('jobs').where({ kind, firm_id: actor.firmId, user_id: actor.userId });
      if (!over) rows.whereIn('status', ['starting', 'processing']);
      const found: JobRow[] = await rows.orderBy('id', 'desc').limit(100);
      return found.map((row) => toView(row, runner.live(row.id)));
    },

    /** What a job was asked for with. @throws {AppError} 404. */
    async input(actor: Actor, id: number, within: Knex = db): Promise<JobData> {
      return JSON.parse((await find(within, actor, id)).input) as JobData;
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
      return toView(await find(db, actor, id), runner.live(id));
    },

    sweep,

    /** Takes up what an earlier process left, and begins to work. */
    async start(): Promise<void> {
      await runner.start();
      const run = () =>
        void sweep().catch((error: unknown) => log.error({ err: error }, 'sweeping jobs failed'));
      run();
      sweeping = setInterval(run, SWEEP_EVERY).unref();
    },

    /** Interrupts what runs; it starts again with the next `start`. Resolves when nothing runs any more. */
    async stop(): Promise<void> {
      clearInterval(sweeping);
      await runner.stop();
    },

    /** Resolves when nothing waits or runs. */
    idle: (): Promise<void> => runner.idle(),
  };
}
export type Jobs = ReturnType<typeof createJobs>;
