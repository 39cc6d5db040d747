import { createBackups } from '../backups/service.ts';
import type { BackupSettings } from '../backups/settings.ts';
import { openPlace } from '../backups/repository/open-place.ts';
import type { DataDirSettings } from '../datadir/page-key.ts';
import { findPageKey } from '../datadir/page-key.ts';
import type { Turn } from '../datadir/deletion-lock.ts';
import { holdAlone, withoutDeletions } from '../datadir/deletion-lock.ts';
import { openVault, trialDatabase } from './backups-vault.ts';
import type { Foundation } from './foundation.ts';
import type { Parts } from './parts.ts';

/** The data folder as backups need it, and where they go. */
export interface BackupParts extends DataDirSettings {
  /** Null where none are made by themselves. */
  settings: BackupSettings | null;
  /** Left out where nobody else can serve the vault. */
  turn?: Turn | undefined;
}

/** A sweep is over in seconds. */
const PATIENCE = 60_000;

const holdOf =
  (dataDir: string, turn: Turn | undefined) =>
  async ({ deletions }: { deletions: boolean }): Promise<(() => Promise<void>) | null> => {
    const alone = await holdAlone(dataDir, 'backups.sqlite', turn);
    if (!alone || !deletions) return alone;
    const release = await withoutDeletions(dataDir, { patience: PATIENCE, turn });
    if (!release) {
      await alone();
      return null;
    }
    return async () => {
      await release();
      await alone();
    };
  };

export function composeBackups(
  { db, clock, log, backups }: Parts,
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
      hold: holdOf(folder.dataDir, folder.turn),
      trialDatabase: trialDatabase(() => findPageKey(folder)),
      source: folder,
    },
    place: place && { settings: place, open: () => openPlace(place) },
  });
}
