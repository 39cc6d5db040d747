import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Clock } from '#server/clock.ts';
import { AppError } from '#server/http/errors.ts';
import type { Processes } from '#server/db/processes.ts';
import { OWN_PROCESS } from '#server/db/processes.ts';
import type { JobData } from './contract.ts';
import { isOver } from './contract.ts';
import type { JobKind } from './kinds.ts';
import type { WorkerPool, Places } from './worker-pool.ts';
import { createWorkerPool } from './worker-pool.ts';
import type { Live } from './model.ts';
import { asOfNow } from '#server/visibility/as-of-now.ts';
import { Job } from './model.ts';
import type { Came, Change, Stop } from './outcome.ts';
import { afterwards, CANCELLED, ended } from './outcome.ts';
import type { Due } from './queue.ts';
import { dueJobs, planRecurringJobs, recover, take } from './queue.ts';

const LEASE_MS = 10 * 60_000;
/** What is due is looked for this often, and a row is written this often at most while its job runs. */
const LOOK_EVERY = 5000;
/** The same where what runs in one process is watched in another. */
const LOOK_AMONG_SEVERAL = 1000;
/** What does not heed that it should stop is left behind after this time. */
const STOP_WITHIN = 10_000;

interface Running {
  row: Job;
  live: Live;
  abort: AbortController;
  stop?: Stop;
  /** Whether it came to its end well. */
  done: Promise<boolean>;
  /** When it last reported, in ms of a clock that nobody sets. */
  heard: number;
}

const UNKNOWN: JobKind = {
  attempts: 1,
  run: () => Promise.reject(new Error('Nobody does jobs of this kind.')),
};

/** Does what the rows say, each kind in its own pool. */
export function createRunner(parts: {
  db: Knex;
  clock: Clock;
  log: Pick<Logger, 'debug' | 'error' | 'info' | 'warn'>;
  kinds: ReadonlyMap<string, JobKind>;
  places: Places;
  stopWithin?: number;
  changed?: (firmId: number, userId: number) => void;
  processes: Pick<Processes, 'several' | 'tell' | 'hear'>;
  /** Names this runner in the rows of what it does. */
  own?: string;
}) {
  const { db, clock, log, kinds, places, stopWithin = STOP_WITHIN, changed } = parts;
  const { processes, own = OWN_PROCESS } = parts;
  const lookEvery = processes.several ? LOOK_AMONG_SEVERAL : LOOK_EVERY;
  const running = new Map<number, Running>();
  const pools = new Map<string, WorkerPool>();
  /** Kinds that had nothing to do, or could not be noted, and when to look at them again. */
  const quiet = new Map<string, { from: number; until: number }>();
  const state = { on: false };
  let filling: Promise<void> = Promise.resolve();
  let asked = false;
  let timer: NodeJS.Timeout | undefined;
  /** What comes before the first job; it is tried again until it succeeds, since a full disk may forbid it. */
  let ready = async (): Promise<void> => {};

  const kindOf = ({ kind }: Due): JobKind => kinds.get(kind) ?? UNKNOWN;
  function laneOf(due: Due): WorkerPool {
    const pool = pools.get(due.kind) ?? createWorkerPool({ ...places, ...kindOf(due) });
    pools.set(due.kind, pool);
    return pool;
  }

  function notBefore(kind: string, pause: number): void {
    const from = clock().getTime();
    quiet.set(kind, { from, until: from + pause });
  }
  function isQuiet(kind: string): boolean {
    const now = clock().getTime();
    const { from, until } = quiet.get(kind) ?? { from: 0, until: 0 };
    // Before its beginning only where the clock was set back.
    return from <= now && now < until;
  }

  async function hasWork({ kind }: Due): Promise<boolean> {
    if (isQuiet(kind)) return false;
    const recurring = kinds.get(kind)?.recurring;
    // Whatever is wrong with asking, the job itself will tell.
    if (!recurring?.due || (await recurring.due().catch(() => true))) return true;
    notBefore(kind, recurring.every);
    return false;
  }

  /** Notes that a job is begun. A full disk must not keep the job that makes room from its work. */
  async function claim(due: Due): Promise<Job | null> {
    try {
      return await db.transaction((trx) => take(trx, due, clock(), own));
    } catch (error) {
      const { recurring } = kindOf(due);
      log.error({ err: error, kind: due.kind }, 'the beginning of a job could not be noted');
      notBefore(due.kind, recurring?.every ?? LOOK_EVERY);
      return recurring ? ((await Job.query(db).findById(due.id)) ?? null) : null;
    }
  }

  /** The kinds to look for, null for all: what only a process of another version does is left to that. */
  function of(only: string | undefined): string[] | null {
    if (only !== undefined) return [only];
    return processes.several ? [...kinds.keys()] : null;
  }

  /** Whose turn it is in any pool that has a free place. */
  async function next(only?: string): Promise<Due | undefined> {
    const waiting = Map.groupBy(await dueJobs(db, clock(), of(only)), ({ kind }) => kind);
    for (const of of waiting.values()) {
      const first = laneOf(of[0]!).next(of);
      if (first && (await hasWork(first))) return first;
    }
    return undefined;
  }

  /** Fills the free places. */
  async function fill(only?: string): Promise<void> {
    while (state.on || only !== undefined) {
      const due = await next(only);
      if (!due) return;
      const row = await claim(due);
      if (row) begin(row);
    }
  }

  /** One at a time, since each claim depends on the last. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    const turn = filling.then(work);
    filling = turn.catch(() => {});
    return turn;
  }

  function wake(): void {
    if (!state.on || asked) return;
    asked = true;
    inTurn(async () => {
      asked = false;
      await ready();
      await fill();
    }).catch((error: unknown) => log.error({ err: error }, 'jobs could not be taken up'));
  }

  function begin(row: Job): void {
    const live: Live = {
      progress: row.progress,
      message: row.message,
      data: JSON.parse(row.data) as JobData,
    };
    const one: Running = {
      row,
      live,
      abort: new AbortController(),
      done: Promise.resolve(false),
      heard: performance.now(),
    };
    running.set(row.id, one);
    laneOf(row).enter(row);
    one.done = work(one)
      .catch((error: unknown) => {
        log.error({ err: error, job: row.id }, 'the end of a job could not be noted');
        return false;
      })
      .finally(() => {
        running.delete(row.id);
        laneOf(row).leave(row);
        wake();
      });
  }

  async function work(one: Running): Promise<boolean> {
    const { row, live, abort } = one;
    const kind = kindOf(row);
    let came: Came;
    try {
      const asker = row.toActor();
      const done = await kind.run({
        id: row.id,
        actor: asker && (await asOfNow(db, asker)),
        subject: row.subject,
        input: JSON.parse(row.input) as JobData,
        sealed: row.sealed,
        createdAt: new Date(row.created_at),
        attempt: row.attempts,
        signal: abort.signal,
        data: live.data,
        async settle(trx, { message, data }) {
          const how = { message, code: null, data: JSON.stringify(data) };
          const end = ended(clock(), { status: 'completed', progress: 100, ...how });
          // Whoever has taken it over makes its result, which must not be there twice.
          if (!(await note(trx, row.id, end))) throw new Error('Another process has taken this job over.');
        },
        report({ progress, ...shown }) {
          one.heard = performance.now();
          Object.assign(live, shown);
          live.progress = Math.max(live.progress, Math.min(100, Math.floor(progress ?? 0)));
        },
      });
      came = { done };
    } catch (error) {
      came = one.stop ? { stop: one.stop } : { error };
    }
    const change = afterwards({ kind, row, live, now: clock() }, came);
    tell(one, came, change);
    await finish(row.id, change);
    if (row.firm_id !== null && row.user_id !== null) changed?.(row.firm_id, row.user_id);
    return 'done' in came;
  }

  /** Logs how a job ended, if an operator should know; a refusal that its user reads is no news. */
  function tell({ row, stop }: Running, came: Came, { status, message, due_at }: Change): void {
    const { id, kind, subject, attempts } = row;
    const about = { job: id, kind, subject, attempts };
    if (stop === 'stuck') log.error(about, 'a job got stuck and was ended');
    if ('done' in came) log[row.every === null || !came.done.data?.count ? 'debug' : 'info'](about, message);
    if (!('error' in came)) return;
    const { error } = came;
    const isNews = !(error instanceof AppError) || error.status >= 500;
    if (status === 'starting')
      log[isNews ? 'warn' : 'info']({ ...about, reason: message, due_at }, 'a job will be tried again');
    else if (isNews) log.error({ ...about, err: error }, 'a job failed');
  }

  /** @returns whether it was running here; what has settled itself, or was taken over, stays as it is. */
  async function note(trx: Knex.Transaction, id: number, change: Change): Promise<boolean> {
    return (await Job.query(trx).where({ id, status: 'processing', process: own }).patch(change)) > 0;
  }

  /** Tries for a while: a full or busy disk must not leave a job that runs for ever. */
  async function finish(id: number, change: Change): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      try {
        await db.transaction((trx) => note(trx, id, change));
        return;
      } catch (error) {
        if (tries === 5) throw error;
        await wait(200 * 2 ** tries);
      }
    }
  }

  /** Notes progress in the rows, and ends what has been silent for too long, or was cancelled or taken over elsewhere. */
  async function tend(): Promise<void> {
    for (const { row, live, heard, abort } of running.values()) {
      if (performance.now() - heard > (kindOf(row).lease ?? LEASE_MS)) {
        halt(row.id, 'stuck');
        continue;
      }
      if (abort.signal.aborted) continue;
      const { progress, message, data } = live;
      const shown = { progress, message, ...(processes.several && { data: JSON.stringify(data) }) };
      const [there] = await Job.query(db)
        .where({ id: row.id, status: 'processing', process: own })
        .patch(shown)
        .returning('to_cancel');
      if (there?.to_cancel === 1) halt(row.id, 'cancelled');
      if (!there && processes.several) await haltUnlessOver(row.id);
    }
  }

  /** It may have settled just now. */
  async function haltUnlessOver(id: number): Promise<void> {
    const row = await Job.query(db).findById(id).select('status', 'process');
    if (row && !(isOver(row.status) && row.process === own)) halt(id, 'stopping');
  }

  function halt(id: number, stop: Stop): void {
    const one = running.get(id);
    if (!one || one.stop) return;
    one.stop = stop;
    one.abort.abort(new Error(`The job was ended: ${stop}.`));
  }

  processes.hear('cancel', (id) => halt(id, 'cancelled'));

  const ends = (all: Iterable<Running>) => Promise.all(Array.from(all, ({ done }) => done));

  return {
    wake,
    /** Of several processes all tell what the row says, or progress would go back and forth. */
    live: (id: number): Live | undefined => (processes.several ? undefined : running.get(id)?.live),

    async cancel(id: number): Promise<void> {
      const end = ended(clock(), { status: 'cancelled', message: CANCELLED });
      if ((await Job.query(db).where({ id, status: 'starting' }).patch(end)) > 0) {
        const row = await Job.query(db).findById(id).throwIfNotFound();
        if (row.firm_id !== null && row.user_id !== null) changed?.(row.firm_id, row.user_id);
        return;
      }
      // It may have been taken just now.
      if (!running.has(id)) await filling;
      halt(id, 'cancelled');
      if (!processes.several) return;
      await Job.query(db).where({ id, status: 'processing' }).patch({ to_cancel: 1 });
      processes.tell('cancel', id);
    },

    async start(prepare: () => Promise<void> = async () => {}): Promise<void> {
      ready = async () => {
        await prepare();
        await db.transaction((trx) => recover(trx, clock(), kinds, processes));
        await db.transaction((trx) => planRecurringJobs(trx, clock(), kinds, processes));
        ready = async () => {};
      };
      state.on = true;
      timer = setInterval(() => {
        tend().catch((error: unknown) => log.warn({ err: error }, 'job progress was not noted'));
        wake();
      }, lookEvery).unref();
      wake();
      await filling;
    },

    /** Takes up what processes that are gone have left. */
    async recover(): Promise<void> {
      await db.transaction((trx) => recover(trx, clock(), kinds, processes));
      wake();
    },

    /** Resolves when nothing runs any more, or after ten seconds: what is left then begins anew with the next start. */
    async stop(): Promise<void> {
      state.on = false;
      clearInterval(timer);
      await filling;
      for (const id of running.keys()) halt(id, 'stopping');
      const patience = new AbortController();
      await Promise.race([
        ends(running.values()),
        wait(stopWithin, null, { signal: patience.signal }),
      ]).finally(() => patience.abort());
      for (const { row } of running.values())
        log.warn({ job: row.id, kind: row.kind }, 'a job did not stop and was left behind');
    },

    /** Does all of a kind that is due, started or not. @returns how many came to their end well. */
    async work(kind: string): Promise<number> {
      for (let well = 0; ;) {
        await inTurn(() => fill(kind));
        const under = Array.from(running.values()).filter(({ row }) => row.kind === kind);
        if (under.length === 0) return well;
        well += (await ends(under)).filter(Boolean).length;
      }
    },

    async idle(): Promise<void> {
      do {
        await filling;
        await ends(running.values());
      } while (asked || running.size > 0);
    },
  };
}
