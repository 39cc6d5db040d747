import type { Knex } from 'knex';
import type { JobKind, RecurringJob } from './kinds.ts';
import { Job } from './model.ts';
import { CANCELLED, ended, INTERRUPTED } from './outcome.ts';
import { ofGoneProcess } from '#server/db/processes.ts';
import { expression } from '#server/db/sql.ts';

const MINUTE = 60_000;

export type Due = Pick<Job, 'id' | 'kind' | 'firm_id'>;

/**
 * What is due, of these kinds or of all; of each kind and firm the oldest. What began after now did so before the clock was set
 * back, and when it is due was told by that clock; it is done at once.
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

/** @returns the job, now running; null when it is no longer waiting. */
export async function take(
  trx: Knex.Transaction,
  { id }: Due,
  now: Date,
  process: string,
): Promise<Job | null> {
  const taken = await Job.query(trx)
    .where({ id, status: 'starting' })
    .patch({
      status: 'processing',
      process,
      to_cancel: 0,
      started_at: now.toISOString(),
      attempts: expression(trx, 'attempts + 1'),
    })
    .returning('*');
  return taken[0] ?? null;
}

/** What processes that are gone left running waits again, or fails when it has been begun often enough. */
export async function recover(
  trx: Knex.Transaction,
  now: Date,
  kinds: ReadonlyMap<string, JobKind>,
  { several = false } = {},
): Promise<void> {
  const left = Job.query(trx).where({ status: 'processing' });
  for (const job of await left.where(ofGoneProcess(trx) as never)) {
    // Left to a process of the version that knows it.
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
 * Gives each recurring job its row, due no later than it would be after one that ends now, whatever the clock said before. One
 * that says when it is first done is done then, after each start.
 */
export async function planRecurringJobs(
  trx: Knex.Transaction,
  now: Date,
  kinds: ReadonlyMap<string, JobKind>,
  { several = false } = {},
): Promise<void> {
  const at = (time: number) => new Date(time).toISOString();
  const recurring = Array.from(kinds).flatMap(
    ([kind, { recurring }]): [string, Pick<RecurringJob, 'every' | 'first'>][] =>
      recurring ? [[kind, recurring]] : [],
  );
  const known = recurring.map(([kind]) => kind);
  // Another process, of another version or with other settings, may do what this one does not.
  if (!several) await Job.query(trx).whereNotNull('every').whereNotIn('kind', known).delete();
  for (const [kind, { every, first }] of recurring) {
    const soonest = now.getTime() + (first ?? MINUTE);
    const row = await Job.query(trx).findOne({ kind }).whereNotNull('every');
    if (row?.status === 'processing') continue;
    if (row) {
      const due = first === undefined ? Math.min(Date.parse(row.due_at), now.getTime() + every) : soonest;
      await row.$query(trx).patch({ every, due_at: at(Math.max(due, soonest)) });
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
      due_at: at(soonest),
      created_at: now.toISOString(),
    });
  }
}
