import type { Knex } from 'knex';
import type { Job } from './model.ts';

const MAX_LISTED = 50;

/** A job as the operator sees it, without its input and details. */
export type ListedJob = Pick<
  Job,
  | 'id'
  | 'kind'
  | 'subject'
  | 'progress'
  | 'message'
  | 'code'
  | 'attempts'
  | 'status'
  | 'every'
  | 'due_at'
  | 'started_at'
  | 'finished_at'
> & { firm: string | null };

export interface Overview {
  /** Recurring jobs, each with the result of its last run. */
  recurring: ListedJob[];
  running: ListedJob[];
  /** The first 50 by due time, and the number of all. */
  waiting: { jobs: ListedJob[]; all: number };
  /** The newest 50. */
  failed: ListedJob[];
}

export async function overview(db: Knex): Promise<Overview> {
  const jobs = () =>
    db('jobs as j')
      .leftJoin('firms as f', 'f.id', 'j.firm_id')
      .select('j.id', 'j.kind', 'j.subject', 'j.progress', 'j.message', 'j.code', 'j.attempts', 'j.status')
      .select('j.every', 'j.due_at', 'j.started_at', 'j.finished_at', 'f.name as firm');
  const jobsOnce = (status: Job['status']) => jobs().where({ status }).whereNull('every');
  const [count] = await db('jobs').where({ status: 'starting' }).whereNull('every').count({ n: '*' });
  return {
    recurring: await jobs().whereNotNull('every').orderBy('j.kind'),
    running: await jobsOnce('processing').orderBy('j.started_at'),
    waiting: {
      jobs: await jobsOnce('starting').orderBy(['j.due_at', 'j.id']).limit(MAX_LISTED),
      all: Number(count?.n ?? 0),
    },
    failed: await jobsOnce('failed').orderBy('j.finished_at', 'desc').limit(MAX_LISTED),
  };
}

/** A job that failed or is being retried, with its sealed input if that still exists. */
export type FailingJob = Pick<
  Job,
  'id' | 'subject' | 'status' | 'message' | 'attempts' | 'created_at' | 'sealed'
> & { firm: string | null };

/** The newest 50 jobs of a kind that failed or are being retried. */
export const failingJobs = (db: Knex, kind: string): Promise<FailingJob[]> =>
  db('jobs as j')
    .leftJoin('firms as f', 'f.id', 'j.firm_id')
    .where({ 'j.kind': kind })
    .where((of) =>
      of
        .where('j.status', 'failed')
        .orWhere((waiting) =>
          waiting
            .whereIn('j.status', ['starting', 'processing'])
            .where((failed) => failed.where('j.attempts', '>', 1).orWhereNotNull('j.code')),
        ),
    )
    .orderBy('j.id', 'desc')
    .limit(MAX_LISTED)
    .select('j.id', 'j.subject', 'j.status', 'j.message', 'j.attempts', 'j.created_at', 'j.sealed')
    .select('f.name as firm') as unknown as Promise<FailingJob[]>;
