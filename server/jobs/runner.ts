import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Clock } from '#server/clock.ts';
import { AppError } from '#server/http/errors.ts';
import { outsideRequest } from '#server/http/request-context.ts';
import type { Processes } from '#server/db/processes.ts';
import { OWN_PROCESS } from '#server/db/processes.ts';
import type { JobData } from './contract.ts';
import { isOver } from './contract.ts';
import type { JobKind } from './kinds.ts';
import type { FairSlots, SlotLimits } from './fair-slots.ts';
import { createFairSlots } from './fair-slots.ts';
import type { Live } from './model.ts';
import { ServerStopping } from '#server/stopping.ts';
import { refreshActor } from '#server/visibility/refresh-actor.ts';
import { Job } from './model.ts';
import type { AbortReason, JobUpdate, Outcome } from './after-run.ts';
import { CANCELLED, ended, updateAfter } from './after-run.ts';
import type { Due } from './queue.ts';
import { claim, dueJobs, planRecurringJobs, recover } from './queue.ts';

const LEASE_MS = 10 * 60_000;
/** How often the queue is polled, and the progress of running jobs is written to their rows. */
const POLL_MS = 5000;
/** The same with several processes, where users may follow the progress of a job from another process. */
const POLL_SEVERAL_MS = 1000;
/** How long a stop waits for running jobs. */
const STOP_TIMEOUT_MS = 10_000;

interface Running {
  row: Job;
  live: Live;
  abort: AbortController;
  abortReason?: AbortReason;
  /** Resolves when the run has ended, with whether it succeeded. */
  done: Promise<boolean>;
  /** The time of its last report, by the monotonic clock. */
  lastReport: number;
}

const UNKNOWN_KIND: JobKind = {
  attempts: 1,
  run: () => Promise.reject(new Error('Nobody does jobs of this kind.')),
};

/** Runs the jobs of the queue, each kind in its own slots. */
export function createRunner(parts: {
  db: Knex;
  clock: Clock;
  log: Pick<Logger, 'debug' | 'error' | 'info' | 'warn'>;
  kinds: ReadonlyMap<string, JobKind>;
  limits: SlotLimits;
  stopTimeoutMs?: number;
  changed?: (firmId: number, userId: number) => void;
  processes: Pick<Processes, 'several' | 'publish' | 'subscribe'>;
}) {
  const { db, clock, log, kinds, limits, stopTimeoutMs = STOP_TIMEOUT_MS, changed } = parts;
  const { processes } = parts;
  const pollMs = processes.several ? POLL_SEVERAL_MS : POLL_MS;
  const running = new Map<number, Running>();
  /** Ends of runs that could not be written yet, by job. */
  const unwritten = new Map<number, JobUpdate>();
  const slotsByKind = new Map<string, FairSlots>();
  /** Kinds that had nothing to do, or whose start could not be written, and until when they are skipped. */
  const pauses = new Map<string, { from: number; until: number }>();
  const state = { started: false };
  /** The last operation in the sequence of those that claim jobs. */
  let claiming: Promise<void> = Promise.resolve();
  let wakePending = false;
  let timer: NodeJS.Timeout | undefined;
  /** Runs before the first job. It is retried until it succeeds, since a full disk may prevent it. */
  let initialize = async (): Promise<void> => {};

  const kindOf = ({ kind }: Due): JobKind => kinds.get(kind) ?? UNKNOWN_KIND;
  function slotsOf(due: Due): FairSlots {
    const slots = slotsByKind.get(due.kind) ?? createFairSlots({ ...limits, ...kindOf(due) });
    slotsByKind.set(due.kind, slots);
    return slots;
  }

  function pause(kind: string, ms: number): void {
    const from = clock().getTime();
    pauses.set(kind, { from, until: from + ms });
  }
  function isPaused(kind: string): boolean {
    const now = clock().getTime();
    const { from, until } = pauses.get(kind) ?? { from: 0, until: 0 };
    // A time before `from` means that the clock was set back.
    return from <= now && now < until;
  }

  async function hasWork({ kind }: Due): Promise<boolean> {
    if (isPaused(kind)) return false;
    const recurring = kinds.get(kind)?.recurring;
    // If `due` fails, the job runs and reports the error.
    if (!recurring?.due || (await recurring.due().catch(() => true))) return true;
    pause(kind, recurring.every);
    return false;
  }

  /**
   * Claims a job. A recurring job runs even if that cannot be written: it may be the one that frees space on a full disk. It must still be
   * waiting then. A job also runs if its claim was written although that was not confirmed: nobody else would ever run it.
   */
  async function tryClaim(due: Due): Promise<Job | null> {
    try {
      return await db.transaction((trx) => claim(trx, due, clock(), OWN_PROCESS));
    } catch (error) {
      const { recurring } = kindOf(due);
      log.error({ err: error, kind: due.kind }, 'the beginning of a job could not be noted');
      pause(due.kind, recurring?.every ?? POLL_MS);
      const row = await Job.query(db).findById(due.id);
      const isWaiting = recurring && row?.status === 'starting';
      const isOurs = row?.status === 'processing' && row.process === OWN_PROCESS && !running.has(row.id);
      return row && (isWaiting || isOurs) ? row : null;
    }
  }

  /** The kinds to claim, null for all. With several processes, unknown kinds are left to processes of another version. */
  function claimableKinds(only: string | undefined): string[] | null {
    if (only !== undefined) return [only];
    return processes.several ? [...kinds.keys()] : null;
  }

  /** The next due job of a kind that has a free slot. */
  async function next(only?: string): Promise<Due | undefined> {
    const byKind = Map.groupBy(await dueJobs(db, clock(), claimableKinds(only)), ({ kind }) => kind);
    for (const jobs of byKind.values()) {
      const job = slotsOf(jobs[0]!).next(jobs);
      if (job && (await hasWork(job))) return job;
    }
    return undefined;
  }

  /** Starts due jobs until no slot is free or no job is due. */
  async function fillSlots(only?: string): Promise<void> {
    while (state.started || only !== undefined) {
      const due = await next(only);
      if (!due) return;
      const row = await tryClaim(due);
      if (row) start(row);
    }
  }

  /** Runs operations that claim jobs one after the other, outside of the request that wakes them: it may be another user's. */
  function sequentially(operation: () => Promise<void>): Promise<void> {
    const result = outsideRequest(() => claiming.then(operation));
    claiming = result.catch(() => {});
    return result;
  }

  function wake(): void {
    if (!state.started || wakePending) return;
    wakePending = true;
    sequentially(async () => {
      wakePending = false;
      await initialize();
      await fillSlots();
    }).catch((error: unknown) => log.error({ err: error }, 'jobs could not be taken up'));
  }

  function start(row: Job): void {
    const live: Live = {
      progress: row.progress,
      message: row.message,
      data: JSON.parse(row.data) as JobData,
    };
    const job: Running = {
      row,
      live,
      abort: new AbortController(),
      done: Promise.resolve(false),
      lastReport: performance.now(),
    };
    running.set(row.id, job);
    slotsOf(row).acquire(row);
    job.done = run(job)
      .catch((error: unknown) => {
        log.error({ err: error, job: row.id }, 'the end of a job could not be noted');
        return false;
      })
      .finally(() => {
        running.delete(row.id);
        slotsOf(row).release(row);
        wake();
      });
  }

  async function run(job: Running): Promise<boolean> {
    const { row, live, abort } = job;
    const kind = kindOf(row);
    let outcome: Outcome;
    try {
      const actor = row.toActor();
      const result = await kind.run({
        id: row.id,
        actor: actor && (await refreshActor(db, actor)),
        subject: row.subject,
        input: JSON.parse(row.input) as JobData,
        sealed: row.sealed,
        createdAt: new Date(row.created_at),
        attempt: row.attempts,
        signal: abort.signal,
        data: live.data,
        async settle(trx, { message, data }) {
          const shown = { message, code: null, data: JSON.stringify(data) };
          const update = ended(clock(), { status: 'completed', progress: 100, ...shown });
          // If another process has taken the job over, that one creates the result, which must not exist twice.
          if (!(await updateOwn(trx, row.id, update)))
            throw new Error('Another process has taken this job over.');
        },
        report({ progress, ...shown }) {
          job.lastReport = performance.now();
          Object.assign(live, shown);
          live.progress = Math.max(live.progress, Math.min(100, Math.floor(progress ?? 0)));
        },
      });
      outcome = { result };
    } catch (error) {
      outcome = job.abortReason ? { aborted: job.abortReason } : { error };
    }
    const update = updateAfter({ kind, row, live, now: clock() }, outcome);
    logOutcome(job, outcome, update);
    if (!(await finish(row.id, update))) return false;
    if (row.firm_id !== null && row.user_id !== null) changed?.(row.firm_id, row.user_id);
    return 'result' in outcome;
  }

  /** Logs the end of a run. An expected refusal, which the job's user reads, is not an error. */
  function logOutcome(
    { row, abortReason }: Running,
    outcome: Outcome,
    { status, message, due_at }: JobUpdate,
  ): void {
    const { id, kind, subject, attempts } = row;
    const about = { job: id, kind, subject, attempts };
    if (abortReason === 'stuck') log.error(about, 'a job got stuck and was ended');
    if ('result' in outcome)
      log[row.every === null || !outcome.result.data?.count ? 'debug' : 'info'](about, message);
    if (!('error' in outcome)) return;
    const { error } = outcome;
    const isUnexpected = !(error instanceof AppError) || error.status >= 500;
    if (status === 'starting')
      log[isUnexpected ? 'warn' : 'info']({ ...about, reason: message, due_at }, 'a job will be tried again');
    else if (isUnexpected) log.error({ ...about, err: error }, 'a job failed');
  }

  /** Updates a job that this process runs. @returns false if it has settled already, or another process has taken it over. */
  async function updateOwn(trx: Knex.Transaction, id: number, update: JobUpdate): Promise<boolean> {
    const runningJob = Job.query(trx).where({ id, status: 'processing', process: OWN_PROCESS });
    return (await runningJob.patch(update)) > 0;
  }

  /**
   * Writes the end of a run. If a full disk or an unreachable database prevents it, `checkRunning` retries until it succeeds:
   * otherwise the job would count as running for ever.
   * @returns whether it is written.
   */
  async function finish(id: number, update: JobUpdate): Promise<boolean> {
    for (let retries = 0; ; retries += 1) {
      try {
        await db.transaction((trx) => updateOwn(trx, id, update));
        return true;
      } catch (error) {
        if (retries < 3) {
          await wait(200 * 2 ** retries);
          continue;
        }
        log.error({ err: error, job: id }, 'the end of a job could not be noted yet');
        unwritten.set(id, update);
        return false;
      }
    }
  }

  async function writeUnwritten(): Promise<void> {
    for (const [id, update] of unwritten) {
      await db.transaction((trx) => updateOwn(trx, id, update));
      unwritten.delete(id);
    }
  }

  /** Writes the progress of running jobs, and aborts those that are stuck, or were cancelled or taken over by another process. */
  async function checkRunning(): Promise<void> {
    await writeUnwritten();
    for (const { row, live, lastReport, abort } of running.values()) {
      if (performance.now() - lastReport > (kindOf(row).leaseMs ?? LEASE_MS)) {
        abortJob(row.id, 'stuck');
        continue;
      }
      if (abort.signal.aborted) continue;
      const { progress, message, data } = live;
      const shown = { progress, message, ...(processes.several && { data: JSON.stringify(data) }) };
      const [updated] = await Job.query(db)
        .where({ id: row.id, status: 'processing', process: OWN_PROCESS })
        .patch(shown)
        .returning('to_cancel');
      if (updated?.to_cancel === 1) abortJob(row.id, 'cancelled');
      if (!updated && processes.several) await abortUnlessSettled(row.id);
    }
  }

  /** The job may have settled just now. Otherwise another process has taken it over. */
  async function abortUnlessSettled(id: number): Promise<void> {
    const row = await Job.query(db).findById(id).select('status', 'process');
    if (row && !(isOver(row.status) && row.process === OWN_PROCESS)) abortJob(id, 'stopping');
  }

  function abortJob(id: number, reason: AbortReason): void {
    const job = running.get(id);
    if (!job || job.abortReason) return;
    job.abortReason = reason;
    job.abort.abort(
      reason === 'stopping' ? new ServerStopping() : new Error(`The job was ended: ${reason}.`),
    );
  }

  processes.subscribe('cancel', (id) => abortJob(id, 'cancelled'));

  const allDone = (jobs: Iterable<Running>) => Promise.all(Array.from(jobs, ({ done }) => done));

  return {
    wake,
    /** The progress in memory. Undefined with several processes: all of them report that of the row, so that it never goes back. */
    live: (id: number): Live | undefined => (processes.several ? undefined : running.get(id)?.live),

    async cancel(id: number): Promise<void> {
      const update = ended(clock(), { status: 'cancelled', message: CANCELLED });
      if ((await Job.query(db).where({ id, status: 'starting' }).patch(update)) > 0) {
        const row = await Job.query(db).findById(id).throwIfNotFound();
        if (row.firm_id !== null && row.user_id !== null) changed?.(row.firm_id, row.user_id);
        return;
      }
      // It may be being claimed right now.
      if (!running.has(id)) await claiming;
      abortJob(id, 'cancelled');
      if (!processes.several) return;
      await Job.query(db).where({ id, status: 'processing' }).patch({ to_cancel: 1 });
      processes.publish('cancel', id);
    },

    async start(prepare: () => Promise<void> = async () => {}): Promise<void> {
      initialize = async () => {
        await prepare();
        await db.transaction((trx) => recover(trx, clock(), kinds, processes));
        await db.transaction((trx) => planRecurringJobs(trx, clock(), kinds, processes));
        initialize = async () => {};
      };
      state.started = true;
      timer = setInterval(() => {
        checkRunning().catch((error: unknown) => log.warn({ err: error }, 'job progress was not noted'));
        wake();
      }, pollMs).unref();
      wake();
      await claiming;
    },

    /** Recovers the running jobs of dead processes. */
    async recover(): Promise<void> {
      await db.transaction((trx) => recover(trx, clock(), kinds, processes));
      wake();
    },

    /** Aborts running jobs. Resolves once they have stopped, or after ten seconds; all are run again after the next start. */
    async stop(): Promise<void> {
      state.started = false;
      clearInterval(timer);
      await claiming;
      for (const id of running.keys()) abortJob(id, 'stopping');
      const timeout = new AbortController();
      await Promise.race([
        allDone(running.values()),
        wait(stopTimeoutMs, null, { signal: timeout.signal }),
      ]).finally(() => timeout.abort());
      for (const { row } of running.values())
        log.warn({ job: row.id, kind: row.kind }, 'a job did not stop and was left behind');
    },

    /** Runs all due jobs of a kind, even before `start`. @returns the number of those that succeeded. */
    async runDue(kind: string): Promise<number> {
      for (let succeeded = 0; ;) {
        await sequentially(() => fillSlots(kind));
        const jobs = Array.from(running.values()).filter(({ row }) => row.kind === kind);
        if (jobs.length === 0) return succeeded;
        succeeded += (await allDone(jobs)).filter(Boolean).length;
      }
    },

    async idle(): Promise<void> {
      do {
        await claiming;
        await allDone(running.values());
      } while (wakePending || running.size > 0);
    },
  };
}
