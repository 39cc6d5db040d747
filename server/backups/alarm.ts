import type { Knex } from 'knex';
import { momentInWords } from '#server/text/day-in-india.ts';
import type { BackupAlarm, RunView } from './contract.ts';
import { COMPLETED, lastGood, runsOf } from './runs.ts';

const HOUR = 60 * 60_000;
/** A day, and two hours for the nightly backup to be made. */
const LATE = 26 * HOUR;

/** The newest run whose faults still count. */
async function faultyOf(db: Knex, place: string): Promise<RunView | undefined> {
  for (const kind of ['trial', 'backup'] as const) {
    const [completed] = await runsOf(db, place, kind, 1, COMPLETED);
    if (completed?.status === 'faulty') return completed;
  }
  // A proof verifies a tenth, so its faults count until the same tenth is verified again.
  const newerTenths = new Set<number | null>();
  for (const run of await runsOf(db, place, 'proof', 30, COMPLETED)) {
    if (newerTenths.has(run.tenth)) continue;
    if (run.status === 'faulty') return run;
    if (run.tenth === null) return undefined;
    newerTenths.add(run.tenth);
  }
  return undefined;
}

/** Kinds of checks, and milliseconds for which they may fail, such as while the place is away, before somebody has to know. */
const CHECKS = [
  ['proof', 3 * 24 * HOUR],
  ['trial', 2 * 24 * HOUR],
] as const;

/** The check that has failed at every try for too long; undefined if there is none. */
async function neverEnding(db: Knex, place: string, now: Date): Promise<RunView | undefined> {
  for (const [kind, patience] of CHECKS) {
    const runs = await runsOf(db, place, kind, 200);
    const ended = runs.findIndex(({ status }) => COMPLETED.includes(status));
    const tries = (ended === -1 ? runs : runs.slice(0, ended)).filter(({ status }) => status === 'failed');
    const first = tries.at(-1);
    if (first && now.getTime() - Date.parse(first.started_at) >= patience) return tries[0];
  }
  return undefined;
}

/** About a try after the last good backup; '' for a good one. */
function tryInWords({ status, started_at, message }: RunView): string {
  if (status === 'running')
    return ` One that began on ${momentInWords(new Date(started_at))} has not ended yet.`;
  return status === 'failed' || status === 'interrupted' ? ` The last try says: ${message}` : '';
}

/** The alarm about the backups in a place: the last one is 26 hours old, something is damaged, or nothing can be checked. Null if all is well. */
export async function alarmOf(db: Knex, place: string, now: Date): Promise<BackupAlarm | null> {
  const good = await lastGood(db, place, 'backup', now);
  const [last] = await runsOf(db, place, 'backup', 1);
  const first = (await db('backup_runs')
    .where({ place, kind: 'backup' })
    .orderBy('id')
    .first('started_at')) as { started_at: string } | undefined;
  const since = good ?? (first ? new Date(first.started_at) : now);
  if (now.getTime() - since.getTime() >= LATE) {
    const why = last ? tryInWords(last) : '';
    return {
      code: 'late',
      message: good
        ? `The last backup is of ${momentInWords(good)}.${why}`
        : `No backup has been made yet, although ${place} is set.${why}`,
    };
  }
  const faulty = await faultyOf(db, place);
  if (!faulty) {
    const unchecked = await neverEnding(db, place, now);
    return unchecked ? { code: 'unchecked', message: unchecked.message } : null;
  }
  const more = faulty.faults.length > 1 ? ` and ${faulty.faults.length - 1} more` : '';
  return { code: 'damaged', message: `${faulty.faults[0] ?? faulty.message}${more}` };
}
