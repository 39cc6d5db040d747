import type { Knex } from 'knex';
import type { Job } from './model.ts';

const FAILED_SHOWN = 50;
const WAITING_SHOWN = 50;

/** A job as an operator sees it; of what is inside it, nothing. */
export type Listed = Pick<
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
  /** Recurring jobs, each with how its last run ended. */
  recurring: Listed[];
  running: Listed[];
  /** The first 50 in the order in which they are due, of how many. */
  waiting: { jobs: Listed[]; all: number };
  /** The newest 50. */
  failed: Listed[];
}

export async function overview(db: Knex): Promise<Overview> {
  const jobs = () =>
    db('jobs as j')
      .leftJoin('firms as f', 'f.id', 'j.firm_id')
      .select('j.id', 'j.kind', 'j.subject', 'j.progress', 'j.message', 'j.code', 'j.attempts', 'j.status')
      .select('j.every', 'j.due_at', 'j.started_at', 'j.finished_at', 'f.name as firm');
  const once = (status: Job['status']) => jobs().where({ status }).whereNull('every');
  const [count] = await db('jobs').where({ status: 'starting' }).whereNull('every').count({ n: '*' });
  return {
    recurring: await jobs().whereNotNull('every').orderBy('j.kind'),
    running: await once('processing').orderBy('j.started_at'),
    waiting: {
      jobs: await once('starting').orderBy(['j.due_at', 'j.id']).limit(WAITING_SHOWN),
      all: Number(count?.n ?? 0),
    },
    failed: await once('failed').orderBy('j.finished_at', 'desc').limit(FAILED_SHOWN),
  };
}

/** With what was sealed for it, if that is still there. */
export type Troubled = Pick<
  Job,
  'id' | 'subject' | 'status' | 'message' | 'attempts' | 'created_at' | 'sealed'
> & { firm: string | null };

/** The newest 50 of a kind that failed, or that wait to be tried again. */
export const troubled = (db: Knex, kind: string): Promise<Troubled[]> =>
  db('jobs as j')
    .leftJoin('firms as f', 'f.id', 'j.firm_id')
    .where({ 'j.kind': kind })
    .where((of) =>
      of
        .where('j.status', 'failed')
        .orWhere((waiting) =>
          waiting.whereIn('j.status', ['starting', 'processing']).where('j.attempts', '>', 1),
        )
        .orWhere((waiting) => waiting.where('j.status', 'starting').whereNotNull('j.code')),
    )
    .orderBy('j.id', 'desc')
    .limit(FAILED_SHOWN)
    .select('j.id', 'j.subject', 'j.status', 'j.message', 'j.attempts', 'j.created_at', 'j.sealed')
    .select('f.name as firm') as unknown as Promise<Troubled[]>;
