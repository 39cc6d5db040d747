import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Actor } from '#server/auth/contract.ts';
import type { Clock } from '#server/clock.ts';
import { AppError } from '#server/http/errors.ts';
import type { JobData } from './contract.ts';
import type { JobRow, Live } from './model.ts';
import { actorOf } from './model.ts';
import { claim, recover } from './queue.ts';

/** How jobs of one kind are done. */
export interface JobKind {
  /**
   * Does the work and undoes what it did when it rejects. An AppError's message is shown as it is.
   * It stops soon after `signal` aborts, by rejecting with the signal's reason.
   */
  run(work: JobWork): Promise<{ message: string; data?: JobData }>;
  /** How often it is begun at most, when the server goes down in the middle. */
  attempts: number;
}

export interface JobWork {
  id: number;
  actor: Actor;
  input: JobData;
  /** 1 at first. */
  attempt: number;
  signal: AbortSignal;
  /** What its kind shows of it so far. */
  data: JobData;
  /**
   * Ends the job as completed, in the transaction that makes its result visible: then neither is without the other.
   * Afterwards `run` resolves with the same.
   */
  settle(trx: Knex, end: { message: string; data: JobData }): Promise<void>;
  /** What is shown from now on. Reporting also keeps the lease: silent for ten minutes, a job is taken for stuck. */
  report(now: Partial<Live>): void;
}

export const INTERRUPTED =
  'The server was restarted while this was under way, so nothing was changed. Please start it again.';
const FAULT = 'Something went wrong on the server, so nothing was changed. Please try again.';
const STUCK = 'This took too long without getting anywhere, so it was stopped and nothing was changed.';
const CANCELLED = 'Cancelled. Nothing was changed.';

const LEASE_MS = 10 * 60_000;
/** A row is written this often at most while its job runs; what is shown comes from memory. */
const SAVE_EVERY = 5000;

type Stop = 'cancelled' | 'stopping' | 'stuck';

interface Running {
  row: JobRow;
  live: Live;
  abort: AbortController;
  stop?: Stop;
  done: Promise<void>;
  leasedUntil: number;
}

export function createRunner(parts: {
  db: Knex;
  clock: Clock;
  log: Pick<Logger, 'error' | 'info' | 'warn'>;
  kinds: Map<string, JobKind>;
  slots: number;
  perFirm: number;
}) {
  const { db, clock, log, kinds, slots, perFirm } = parts;
  const running = new Map<number, Running>();
  const state = { on: false };
  let filling: Promise<void> | undefined;
  let again = false;
  let timer: NodeJS.Timeout | undefined;

  const leaseEnd = () => clock().getTime() + LEASE_MS;

  /** Fills the free slots. One at a time, since each claim depends on the last. */
  async function fill(): Promise<void> {
    do {
      again = false;
      while (state.on && running.size < slots) {
        const leased_until = new Date(leaseEnd()).toISOString();
        const row = await claim(db, { now: clock().toISOString(), leased_until, perFirm });
        if (!row) break;
        begin(row);
      }
    } while (again);
  }

  function wake(): void {
    if (!state.on) return;
    again = true;
    filling ??= fill()
      .catch((error: unknown) => log.error({ err: error }, 'jobs could not be taken up'))
      .finally(() => {
        filling = undefined;
        if (again) wake();
      });
  }

  function begin(row: JobRow): void {
    const live: Live = {
      progress: row.progress,
      message: row.message,
      data: JSON.parse(row.data) as JobData,
    };
    const one: Running = {
      row,
      live,
      abort: new AbortController(),
      done: Promise.resolve(),
      leasedUntil: leaseEnd(),
    };
    running.set(row.id, one);
    one.done = work(one)
      .catch((error: unknown) =>
        log.error({ err: error, job: row.id }, 'the end of a job could not be noted'),
      )
      .finally(() => {
        running.delete(row.id);
        wake();
      });
  }

  async function work(one: Running): Promise<void> {
    const { row, live, abort } = one;
    const kind = kinds.get(row.kind);
    try {
      if (!kind) throw new Error(`Nobody does jobs of the kind ${row.kind}.`);
      const { message, data } = await kind.run({
        id: row.id,
        actor: actorOf(row),
        input: JSON.parse(row.input) as JobData,
        attempt: row.attempts,
        signal: abort.signal,
        data: live.data,
        settle: (trx, { message, data }) =>
          note(trx, row.id, {
            status: 'completed',
            progress: 100,
            message,
            code: null,
            data: JSON.stringify(data),
          }),
        report({ progress, ...shown }) {
          one.leasedUntil = leaseEnd();
          Object.assign(live, shown);
          live.progress = Math.max(live.progress, Math.min(100, Math.floor(progress ?? 0)));
        },
      });
      const all = JSON.stringify({ ...live.data, ...data });
      await finish(row.id, { status: 'completed', progress: 100, message, code: null, data: all });
    } catch (error) {
      await end(one, error);
    }
  }

  async function end({ row, live, stop }: Running, error: unknown): Promise<void> {
    const data = JSON.stringify(live.data);
    const { progress } = live;
    if (stop === 'stopping' && row.attempts < (kinds.get(row.kind)?.attempts ?? 1)) {
      const waiting = { status: 'starting', progress: 0, leased_until: null };
      await db('jobs').where({ id: row.id, status: 'processing' }).update(waiting);
      return;
    }
    if (stop) {
      const status = stop === 'cancelled' ? 'cancelled' : 'failed';
      const message = { cancelled: CANCELLED, stopping: INTERRUPTED, stuck: STUCK }[stop];
      const code = { cancelled: null, stopping: 'interrupted', stuck: 'stuck' }[stop];
      await finish(row.id, { status, progress, message, code, data });
      return;
    }
    const known = error instanceof AppError;
    if (!known || error.status >= 500) log.error({ err: error, job: row.id, kind: row.kind }, 'a job failed');
    const message = known ? error.message : FAULT;
    await finish(row.id, {
      status: 'failed',
      progress,
      message,
      code: known ? error.code : 'internal',
      data,
    });
  }

  type End = Pick<JobRow, 'status' | 'progress' | 'message' | 'code' | 'data'>;

  async function note(trx: Knex, id: number, end: End): Promise<void> {
    const ended = { ...end, finished_at: clock().toISOString(), leased_until: null };
    // What has settled itself stays as it is.
    await trx('jobs').where({ id, status: 'processing' }).update(ended);
  }

  /** Tries for a while: a full or busy disk must not leave a job that runs for ever. */
  async function finish(id: number, end: End): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      try {
        await note(db, id, end);
        return;
      } catch (error) {
        if (tries === 5) throw error;
        await wait(200 * 2 ** tries);
      }
    }
  }

  /** Notes progress in the rows, and ends what has been silent for too long. */
  async function tend(): Promise<void> {
    for (const { row, live, leasedUntil, abort } of running.values()) {
      if (clock().getTime() > leasedUntil) {
        halt(row.id, 'stuck');
        continue;
      }
      if (abort.signal.aborted) continue;
      const { progress, message } = live;
      const leased_until = new Date(leasedUntil).toISOString();
      await db('jobs')
        .where({ id: row.id, status: 'processing' })
        .update({ progress, message, leased_until });
    }
  }

  function halt(id: number, stop: Stop): void {
    const one = running.get(id);
    if (!one || one.stop) return;
    one.stop = stop;
    one.abort.abort(new Error(`The job was ended: ${stop}.`));
  }

  return {
    wake,
    live: (id: number): Live | undefined => running.get(id)?.live,

    async cancel(id: number): Promise<void> {
      const ended = { status: 'cancelled', message: CANCELLED, finished_at: clock().toISOString() };
      if ((await db('jobs').where({ id, status: 'starting' }).update(ended)) > 0) return;
      // It may have been taken just now.
      if (!running.has(id)) await filling;
      halt(id, 'cancelled');
    },

    async start(): Promise<void> {
      const attemptsOf = (kind: string) => kinds.get(kind)?.attempts ?? 0;
      await recover(db, { now: clock().toISOString(), attemptsOf, message: INTERRUPTED });
      state.on = true;
      const tending = () =>
        tend().catch((error: unknown) => log.warn({ err: error }, 'job progress was not noted'));
      timer = setInterval(() => void tending(), SAVE_EVERY).unref();
      wake();
    },

    async stop(): Promise<void> {
      state.on = false;
      clearInterval(timer);
      await filling;
      for (const id of running.keys()) halt(id, 'stopping');
      await Promise.all(Array.from(running.values(), ({ done }) => done));
    },

    async idle(): Promise<void> {
      const under = () => [
        ...(filling ? [filling] : []),
        ...Array.from(running.values(), ({ done }) => done),
      ];
      for (let all = under(); all.length > 0; all = under()) await Promise.all(all);
    },
  };
}
