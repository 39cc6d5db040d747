import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { hasSnapshot, restoreSnapshot, dropSnapshot } from '../datadir/update-snapshot.ts';
import type { DeletionLock, TryLock } from '../datadir/deletion-lock.ts';
import { deletionLockOf } from '../datadir/deletion-lock.ts';
import { lockFile } from '../datadir/lock.ts';
import type { UpdateView } from '../updates/contract.ts';
import { UPDATE_FOLDER, isUnderWay, recordsOf, viewOf } from '../updates/record.ts';
import { mayRestoreSnapshot, resumeBeforeOpening, resumeWhenReady } from '../updates/resume.ts';
import { version } from './version.ts';

/** Held by a running update command, which then watches this server. */
export const UPDATE_LOCK = join(UPDATE_FOLDER, 'lock.sqlite');

/** How long a new version must run before its update counts as done when no update command watches it. */
const STEADY_MS = 60_000;

/**
 * Whether an update may still go back to its copy of the database. The rows of that copy name bytes that the new
 * version has deleted the files of, so these bytes have to stay until the update is over.
 */
export async function mayGoBack(dataDir: string): Promise<boolean> {
  if (!hasSnapshot(dataDir)) return false;
  const record = await recordsOf(dataDir).read();
  return record !== null && mayRestoreSnapshot(record);
}

/** The deletion lock of a vault, which nobody gets while an update may still go back. */
export function vaultDeletionLock(dataDir: string, tryLock?: TryLock): DeletionLock {
  const lock = deletionLockOf(dataDir, tryLock);
  return (work) => lock(async () => ((await mayGoBack(dataDir)) ? undefined : work()));
}

/** The update steps of a starting server: it completes or reverts an update that was interrupted. */
export function updatesOf(
  dataDir: string,
  log: Pick<Logger, 'warn'>,
  { steady = STEADY_MS }: { steady?: number } = {},
) {
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
    /** Call with the data folder locked. */
    beforeOpening: async () => say(await resumeBeforeOpening(start, snapshot)),
    /**
     * Waits first: an update to a version that crashes right away must not count as done, or it would never be
     * reverted. Asks again for as long as it is under way: the update command that watches this server may be killed
     * as well, and until the update is over nothing is deleted.
     */
    async whenReady() {
      for (;;) {
        const record = await records.read();
        if (!record || !isUnderWay(record)) return;
        await wait(steady, undefined, { ref: false });
        say(await resumeWhenReady(start, snapshot, watched));
      }
    },
    async view(): Promise<UpdateView | null> {
      const record = await records.read().catch(() => null);
      return record && viewOf(record);
    },
  };
}
