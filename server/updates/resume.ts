import type { Records, UpdateRecord } from './record.ts';
import { isUnderWay } from './record.ts';

/** The copy of the database that was made before the new version was tried. */
export interface UpdateSnapshot {
  hasSnapshot(): boolean;
  restoreSnapshot(how: { keep: boolean }): Promise<void>;
  dropSnapshot(): Promise<void>;
}

interface Start {
  records: Records;
  /** Of the program that starts. */
  version: string;
  now(): Date;
}

const CUT = (to: string) =>
  `The update was cut short, as by a power failure, before ${to} was in use. Run it again.`;

/** Ends an update on the side of the version of before. */
export async function endBack(
  records: Records,
  record: UpdateRecord,
  snapshot: UpdateSnapshot,
  now: Date,
): Promise<void> {
  const { step, database, to, why } = record;
  const untouched = step === 'trying' || step === 'switching';
  // Nobody can have worked with what was only tried.
  if (snapshot.hasSnapshot() && (untouched || (step === 'returning' && database)))
    await snapshot.restoreSnapshot({ keep: !untouched });
  const ended = { ended_at: now.toISOString(), why: why ?? CUT(to) };
  await records.write({ ...record, step: 'back', ...ended });
  await snapshot.dropSnapshot();
}

export async function endDone(
  records: Records,
  record: UpdateRecord,
  snapshot: UpdateSnapshot,
  now: Date,
): Promise<void> {
  await records.write({ ...record, step: 'done', ended_at: now.toISOString(), why: null });
  await snapshot.dropSnapshot();
}

/**
 * Before the database is opened: when an update was cut short and the version of before starts again, it gets its database back.
 * @returns a sentence for the log; null when there was nothing to do.
 */
export async function resumeBeforeOpening(
  { records, version, now }: Start,
  snapshot: UpdateSnapshot,
): Promise<string | null> {
  const record = await records.read();
  if (!record || !isUnderWay(record) || version !== record.from || record.step === 'watching') return null;
  await endBack(records, record, snapshot, now());
  return `The update to ${record.to} was cut short; ${record.from} goes on where it was.`;
}

/**
 * Once the server is ready: an update that was cut short after the new version was in use, is done.
 * @param watched whether somebody waits for that already.
 */
export async function resumeWhenReady(
  { records, version, now }: Start,
  snapshot: UpdateSnapshot,
  watched: () => Promise<boolean>,
): Promise<string | null> {
  const record = await records.read();
  if (!record || !isUnderWay(record) || version !== record.to || record.step === 'trying') return null;
  if (await watched()) return null;
  await endDone(records, record, snapshot, now());
  return `The update to ${record.to}, which was cut short, is done.`;
}
