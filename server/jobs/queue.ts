import type { Knex } from 'knex';
import type { JobKind, RecurringJob } from './kinds.ts';
import { Job } from './model.ts';
import { INTERRUPTED } from './outcome.ts';
import { expression } from '#server/db/sql.ts';

const MINUTE = 60_000;

export type Due = Pick<Job, 'id' | 'kind' | 'firm_id'>;

/**
 * What is due, of each kind and firm the oldest. What began after now did so before the clock was set back, and when it
 * is due was told by that clock; it is done at once.
 */
export const dueJobs = (db: Knex, now: Date, only?: string): Promise<Due[]> =>
  db('jobs')
    .where({ status: 'starting', ...(only !== undefined && { kind: only }) })
    .where((of) =>
      of
        .where('due_at', '<=', now.toISOString())
        .orWhereRaw('coalesce(started_at, created_at) > ?', [now.toISOString()]),
    )
    .groupBy('kind', 'firm_id')
    .select('kind', 'firm_id')
    .min({ id: 'id' }) as unknown as Promise<Due[]>;

/** @returns the job, now running; null when it is no longer waiting. */
export async function take(trx: Knex.Transaction, { id }: Due, now: Date): Promise<Job | null> {
  const taken = await Job.query(trx)
    .where({ id, status: 'starting' })
    .patch({
      status: 'processing',
      started_at: now.toISOString(),
      attempts: expression(trx, 'attempts + 1'),
    })
    .returning('*');
  return taken[0] ?? null;
}

/**
 * What a process that is no more left running waits again, or fails when it has been begun often enough. The data
 * folder's lock says that no other process is working on it.
 */
export async function recover(
  trx: Knex.Transaction,
  now: Date,
  kinds: ReadonlyMap<string, JobKind>,
): Promise<void> {
  for (const job of await Job.query(trx).where({ status: 'processing' })) {
    const change =
      job.attempts < (kinds.get(job.kind)?.attempts ?? 0)
        ? { status: 'starting' as const, progress: 0 }
        : {
            status: 'failed' as const,
            message: INTERRUPTED,
            code: 'interrupted',
            sealed: null,
            finished_at: now.toISOString(),
          };
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
): Promise<void> {
  const at = (time: number) => new Date(time).toISOString();
  const recurring = Array.from(kinds).flatMap(
    ([kind, { recurring }]): [string, Pick<RecurringJob, 'every' | 'first'>][] =>
      recurring ? [[kind, recurring]] : [],
  );
  await Job.query(trx)
    .whereNotNull('every')
    .whereNotIn(
      'kind',
      recurring.map(([kind]) => kind),
    )
    .delete();
  for (const [kind, { every, first }] of recurring) {
    const soonest = now.getTime() + (first ?? MINUTE);
    const row = await Job.query(trx).findOne({ kind }).whereNotNull('every');
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
