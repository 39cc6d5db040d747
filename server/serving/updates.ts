import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { hasSnapshot, restoreSnapshot, dropSnapshot } from '../datadir/update-snapshot.ts';
import { lockFile } from '../datadir/lock.ts';
import type { UpdateView } from '../updates/contract.ts';
import { UPDATE_FOLDER, isUnderWay, recordsOf, viewOf } from '../updates/record.ts';
import { resumeBeforeOpening, resumeWhenReady } from '../updates/resume.ts';
import { version } from './version.ts';

/** Whoever updates holds it, and so watches this server. */
export const UPDATE_LOCK = join(UPDATE_FOLDER, 'lock.sqlite');

/** How long a version has to run, in ms, before its update counts as done without anybody who watched it. */
const STEADY = 60_000;

/** What a server that starts has to do with an update: one that was cut short is ended. */
export function updatesOf(dataDir: string, log: Pick<Logger, 'warn'>) {
  const records = recordsOf(dataDir);
  const start = { records, version, now: () => new Date() };
  const snapshot = {
    hasSnapshot: () => hasSnapshot(dataDir),
    restoreSnapshot: (how: { keep: boolean }) => restoreSnapshot(dataDir, how),
    dropSnapshot: () => dropSnapshot(dataDir),
  };

  async function watched(): Promise<boolean> {
    const release = await lockFile(join(dataDir, UPDATE_LOCK));
    await release?.();
    return release === null;
  }
  const say = (line: string | null) => void (line && log.warn(line));

  return {
    /** With the data folder locked. */
    beforeOpening: async () => say(await resumeBeforeOpening(start, snapshot)),
    /** Takes its time: what falls over at once must not have counted as done, or nobody would go back from it. */
    async whenReady() {
      const record = await records.read();
      if (!record || !isUnderWay(record)) return;
      await wait(STEADY, undefined, { ref: false });
      say(await resumeWhenReady(start, snapshot, watched));
    },
    async view(): Promise<UpdateView | null> {
      const record = await records.read().catch(() => null);
      return record && viewOf(record);
    },
  };
}
