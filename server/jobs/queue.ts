import type { Knex } from 'knex';
import type { JobKind, RecurringJob } from './kinds.ts';
import { Job } from './model.ts';
import { CANCELLED, ended, INTERRUPTED } from './after-run.ts';
import { ofDeadProcess } from '#server/db/processes.ts';
import { expression } from '#server/db/sql.ts';

const MINUTE_MS = 60_000;

export type Due = Pick<Job, 'id' | 'kind' | 'firm_id'>;

/**
 * The oldest due job of each kind and firm, of these kinds or of all. A job that was created or started in the future dates from before the
 * clock was set back; its due time is wrong as well, so it is due now.
 */
export const dueJobs = (db: Knex, now: Date, kinds: readonly string[] | null): Promise<Due[]> =>
  db('jobs')
    .where({ status: 'starting' })
    .where((of) => void (kinds && of.whereIn('kind', kinds)))
    .where((of) =>
      of
        .where('due_at', '<=', now.toISOString())
        .orWhereRaw('coalesce(started_at, created_at) > ?', [now.toISOString()]),
    )
    .groupBy('kind', 'firm_id')
    .select('kind', 'firm_id')
    .min({ id: 'id' }) as unknown as Promise<Due[]>;

/** Marks a job as running. @returns its row; null if it is no longer waiting. */
export async function claim(
  trx: Knex.Transaction,
  { id }: Due,
  now: Date,
  process: string,
): Promise<Job | null> {
  const claimed = await Job.query(trx)
    .where({ id, status: 'starting' })
    .patch({
      status: 'processing',
      process,
      to_cancel: 0,
      started_at: now.toISOString(),
      attempts: expression(trx, 'attempts + 1'),
    })
    .returning('*');
  return claimed[0] ?? null;
}

/** Requeues the running jobs of dead processes. A job that has used up its attempts is marked failed instead. */
export async function recover(
  trx: Knex.Transaction,
  now: Date,
  kinds: ReadonlyMap<string, JobKind>,
  { several = false } = {},
): Promise<void> {
  const running = Job.query(trx).where({ status: 'processing' });
  for (const job of await running.where(ofDeadProcess(trx) as never)) {
    // Another process may run a newer version that knows this kind of job: leave the job to it.
    if (several && !kinds.has(job.kind)) continue;
    const change =
      job.to_cancel === 0 && job.attempts < (kinds.get(job.kind)?.attempts ?? 0)
        ? { status: 'starting' as const, progress: 0 }
        : ended(
            now,
            job.to_cancel === 1
              ? { status: 'cancelled', message: CANCELLED }
              : { status: 'failed', message: INTERRUPTED, code: 'interrupted' },
          );
    await job.$query(trx).patch(change);
  }
}

/**
 * Creates or updates the row of each recurring job. It is due after `first` ms if that is set. Otherwise its due time is kept, but capped at
 * one period from now in case the clock was set back.
 */
export async function planRecurringJobs(
  trx: Knex.Transaction,
  now: Date,
  kinds: ReadonlyMap<string, JobKind>,
  { several = false } = {},
): Promise<void> {
  const toIso = (time: number) => new Date(time).toISOString();
  const recurring = Array.from(kinds).flatMap(
    ([kind, { recurring }]): [string, Pick<RecurringJob, 'every' | 'first'>][] =>
      recurring ? [[kind, recurring]] : [],
  );
  const known = recurring.map(([kind]) => kind);
  // Another process, with another version or other settings, may have recurring jobs that this one does not have.
  if (!several) await Job.query(trx).whereNotNull('every').whereNotIn('kind', known).delete();
  for (const [kind, { every, first }] of recurring) {
    const soonest = now.getTime() + (first ?? MINUTE_MS);
    const row = await Job.query(trx).findOne({ kind }).whereNotNull('every');
    if (row?.status === 'processing') continue;
    if (row) {
      const due = first === undefined ? Math.min(Date.parse(row.due_at), now.getTime() + every) : soonest;
      await row.$query(trx).patch({ every, due_at: toIso(Math.max(due, soonest)) });
      continue;
    }
    await Job.query(trx).insert({
      kind,
      subject: 'server',
      input: '{}',
      status: 'starting',
      progress: 0,
      message: 'Not done yet',
      data: '{}',
      attempts: 0,
      every,
      due_at: toIso(soonest),
      created_at: now.toISOString(),
    });
  }
}
