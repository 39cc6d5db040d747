import { missingBackupFolder } from '../config/warnings.ts';
import { createBackups } from '../backups/service.ts';
import type { BackupSettings } from '../backups/settings.ts';
import { openPlace } from '../backups/repository/open-place.ts';
import type { DataDirSettings } from '../datadir/settings.ts';
import { findPageKey } from '../datadir/page-key.ts';
import type { TryLock } from '../datadir/deletion-lock.ts';
import { tryExclusiveLock, withoutDeletions } from '../datadir/deletion-lock.ts';
import { openVault, trialDatabase } from './backups-vault.ts';
import type { Foundation } from './foundation.ts';
import type { Dependencies } from './dependencies.ts';

/** The data folder, and where its backups go. */
export interface BackupLocations extends DataDirSettings {
  /** Null when automatic backups are off. */
  settings: BackupSettings | null;
  /** Left out where no other process can serve the vault. */
  tryLock?: TryLock | undefined;
}

/** How long to wait for a sweep to end; it takes seconds. */
const SWEEP_TIMEOUT_MS = 60_000;

const holdOf =
  (dataDir: string, tryLock: TryLock | undefined) =>
  async ({ deletions }: { deletions: boolean }): Promise<(() => Promise<void>) | null> => {
    const releaseLock = await tryExclusiveLock(dataDir, 'backups.sqlite', tryLock);
    if (!releaseLock || !deletions) return releaseLock;
    const release = await withoutDeletions(dataDir, { patience: SWEEP_TIMEOUT_MS, tryLock });
    if (!release) {
      await releaseLock();
      return null;
    }
    return async () => {
      await release();
      await releaseLock();
    };
  };

export function composeBackups(
  { db, clock, log, backups }: Dependencies,
  { audit, auth, settings }: Foundation,
  admins: Parameters<typeof createBackups>[0]['admins'],
) {
  const folder = backups ?? null;
  const place = folder?.settings ?? null;
  return createBackups({
    db,
    clock,
    log,
    audit,
    admins,
    prove: auth.prove,
    settings,
    folder: folder && {
      dataDir: folder.dataDir,
      openVault: () => openVault(folder),
      hold: holdOf(folder.dataDir, folder.tryLock),
      trialDatabase: trialDatabase(() => findPageKey(folder)),
      source: folder,
    },
    place: place && {
      settings: place,
      open: () => openPlace(place),
      problem: () => missingBackupFolder({ backups: place }),
    },
  });
}
