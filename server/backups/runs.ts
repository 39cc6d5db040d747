import type { Knex } from 'knex';
import type { RunKind, RunStatus, RunView } from './contract.ts';

interface RunRow {
  id: number;
  kind: RunKind;
  place: string;
  status: RunStatus;
  started_at: string;
  finished_at: string | null;
  moment: string | null;
  files: number;
  bytes: number;
  fresh_bytes: number;
  tenth: number | null;
  mended: number;
  message: string;
  faults: string;
}

/** The outcome of a run. */
export interface Outcome {
  status: Exclude<RunStatus, 'running'>;
  message: string;
  moment?: string;
  files?: number;
  bytes?: number;
  fresh_bytes?: number;
  mended?: number;
  faults?: readonly string[];
}

/** Faults that are stored for a run. */
const FAULTS_KEPT = 50;
/** Statuses of runs that went to their end. */
export const COMPLETED: readonly RunStatus[] = ['done', 'faulty'];
/**
 * Runs that are stored of each kind, of the completed ones and of the others; the oldest are deleted. The others never push out the
 * completed ones: without those, a place that is away would count as a new one.
 */
const KEPT = 400;

async function deleteOld(trx: Knex.Transaction, runs: Knex.QueryBuilder): Promise<void> {
  const old = (await runs.orderBy('id', 'desc').offset(KEPT).limit(100).pluck('id')) as number[];
  if (old.length > 0) await trx('backup_runs').whereIn('id', old).delete();
}

export async function beginRun(
  trx: Knex.Transaction,
  run: { kind: RunKind; place: string; now: Date; tenth?: number },
): Promise<number> {
  const { kind, place, now, tenth = null } = run;
  // Only one run is active at a time, so a run that still counts as running was killed.
  await trx('backup_runs').where({ status: 'running' }).update({
    status: 'failed',
    finished_at: now.toISOString(),
    message: 'It was cut off: the server stopped in the middle. The next one goes on from there.',
  });
  const [row] = (await trx('backup_runs')
    .insert({ kind, place, tenth, status: 'running', started_at: now.toISOString() })
    .returning('id')) as { id: number }[];
  await deleteOld(trx, trx('backup_runs').where({ kind }).whereIn('status', COMPLETED));
  await deleteOld(trx, trx('backup_runs').where({ kind }).whereNotIn('status', COMPLETED));
  return row!.id;
}

export async function endRun(trx: Knex.Transaction, id: number, now: Date, outcome: Outcome): Promise<void> {
  const { faults = [], ...rest } = outcome;
  await trx('backup_runs')
    .where({ id })
    .update({
      ...rest,
      faults: JSON.stringify(faults.slice(0, FAULTS_KEPT)),
      finished_at: now.toISOString(),
    });
}

function toView({ faults, ...row }: RunRow): RunView {
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    started_at: row.started_at,
    finished_at: row.finished_at,
    moment: row.moment,
    files: row.files,
    bytes: row.bytes,
    fresh_bytes: row.fresh_bytes,
    tenth: row.tenth,
    mended: row.mended,
    message: row.message,
    faults: JSON.parse(faults) as string[],
  };
}

/** The newest runs of a kind in a place, with any status or one of these. */
export async function runsOf(
  db: Knex,
  place: string,
  kind: RunKind,
  limit: number,
  statuses: readonly RunStatus[] | null = null,
): Promise<RunView[]> {
  const rows = (await db('backup_runs')
    .where({ place, kind })
    .where((of) => void (statuses && of.whereIn('status', statuses)))
    .orderBy('id', 'desc')
    .limit(limit)) as RunRow[];
  return rows.map(toView);
}

/**
 * The newest run of a kind that was completed. Runs dated in the future were recorded before the clock was set back, and are ignored.
 */
async function lastCompleted(
  db: Knex,
  place: string,
  kind: RunKind,
  now: Date,
): Promise<Pick<RunRow, 'started_at' | 'finished_at' | 'moment'> | undefined> {
  return db('backup_runs')
    .where({ place, kind })
    .whereIn('status', COMPLETED)
    .where('started_at', '<=', now.toISOString())
    .orderBy('started_at', 'desc')
    .first('started_at', 'finished_at', 'moment');
}

/** The start of that run; null if there is none. */
export async function lastGood(db: Knex, place: string, kind: RunKind, now: Date): Promise<Date | null> {
  const run = await lastCompleted(db, place, kind, now);
  return run ? new Date(run.started_at) : null;
}

/** When the last completed backup ended; null if there is none. */
export async function lastBackupEnd(db: Knex, place: string, now: Date): Promise<Date | null> {
  const end = (await lastCompleted(db, place, 'backup', now))?.finished_at;
  return end ? new Date(end) : null;
}

/** The name of the snapshot that the last completed backup made; null if there is none. */
export async function lastBackupMoment(db: Knex, place: string, now: Date): Promise<string | null> {
  return (await lastCompleted(db, place, 'backup', now))?.moment ?? null;
}

/** The last two attempts of a kind that no stop of the server has ended, the latest first. */
export async function lastTries(
  db: Knex,
  place: string,
  kind: RunKind,
  now: Date,
): Promise<{ at: Date; status: RunStatus }[]> {
  const rows = (await db('backup_runs')
    .where({ place, kind })
    .whereNot({ status: 'interrupted' })
    .where('started_at', '<=', now.toISOString())
    .orderBy('started_at', 'desc')
    .limit(2)
    .select('started_at', 'status')) as { started_at: string; status: RunStatus }[];
  return rows.map(({ started_at, status }) => ({ at: new Date(started_at), status }));
}

/** The tenth to verify next: the one after the last that was completed. */
export async function nextTenth(db: Knex, place: string, nights: number): Promise<number> {
  const row = (await db('backup_runs')
    .where({ place, kind: 'proof' })
    .whereIn('status', COMPLETED)
    .whereNotNull('tenth')
    .orderBy('id', 'desc')
    .first('tenth')) as { tenth: number } | undefined;
  return row ? (row.tenth + 1) % nights : 0;
}
