import type { Records, UpdateRecord } from './record.ts';
import { isUnderWay } from './record.ts';

/** The copy of the database that was made before the trial of the new version. */
export interface UpdateSnapshot {
  hasSnapshot(): boolean;
  restoreSnapshot(how: { keep: boolean }): Promise<void>;
  dropSnapshot(): Promise<void>;
}

interface Start {
  records: Records;
  /** Version of the program that starts. */
  version: string;
  now(): Date;
}

const CUT = (to: string) =>
  `The update was cut short, as by a power failure, before ${to} was in use. Run it again.`;

/** Nobody can have used a version that only ran in a trial. */
const isUntouched = ({ step }: UpdateRecord): boolean => step === 'trying' || step === 'switching';

/** Whether an update that is under way may still put its copy of the database back. */
export const mayRestoreSnapshot = (record: UpdateRecord): boolean =>
  isUnderWay(record) && (isUntouched(record) || record.database);

/** Ends an update with the previous version in use. */
export async function finishReverted(
  records: Records,
  record: UpdateRecord,
  snapshot: UpdateSnapshot,
  now: Date,
): Promise<void> {
  const { step, database, to, why } = record;
  const untouched = isUntouched(record);
  if (snapshot.hasSnapshot() && (untouched || (step === 'returning' && database)))
    await snapshot.restoreSnapshot({ keep: !untouched });
  const ended = { ended_at: now.toISOString(), why: why ?? CUT(to) };
  await records.write({ ...record, step: 'back', ...ended });
  await snapshot.dropSnapshot();
}

export async function finishDone(
  records: Records,
  record: UpdateRecord,
  snapshot: UpdateSnapshot,
  now: Date,
): Promise<void> {
  await records.write({ ...record, step: 'done', ended_at: now.toISOString(), why: null });
  await snapshot.dropSnapshot();
}

/**
 * Runs before the database is opened: when an update was interrupted and the previous version starts again, its
 * database is restored.
 * @returns a message for the log; null when there was nothing to do.
 */
export async function resumeBeforeOpening(
  { records, version, now }: Start,
  snapshot: UpdateSnapshot,
): Promise<string | null> {
  const record = await records.read();
  if (!record || !isUnderWay(record) || version !== record.from || record.step === 'watching') return null;
  await finishReverted(records, record, snapshot, now());
  return `The update to ${record.to} was cut short; ${record.from} goes on where it was.`;
}

/**
 * Runs once the server is ready: an update that was interrupted after the switch to the new version counts as
 * done, and one in whose place an admin started another version, such as the one of before, is over as well.
 * @param watched whether an update command is still watching.
 */
export async function resumeWhenReady(
  { records, version, now }: Start,
  snapshot: UpdateSnapshot,
  watched: () => Promise<boolean>,
): Promise<string | null> {
  const record = await records.read();
  if (!record || !isUnderWay(record) || (version === record.to && record.step === 'trying')) return null;
  if (await watched()) return null;
  if (version !== record.to) {
    const why = `${version} was started in its place.`;
    await records.write({ ...record, step: 'back', ended_at: now().toISOString(), why });
    await snapshot.dropSnapshot();
    return `The update to ${record.to}, which was cut short, is over: ${why}`;
  }
  await finishDone(records, record, snapshot, now());
  return `The update to ${record.to}, which was cut short, is done.`;
}
