import type { KeySource } from '#storage/keys.ts';
import { findMasterKey, readChecks } from '#storage/keys.ts';
import { pageKeyOf } from '../db/page-encryption.ts';
import { unlocked } from './keys/unlock.ts';

/** Where a data folder is and where its key is given, if not in the folder. */
export interface DataDirSettings {
  dataDir: string;
  /** 64 hex digits or base64. */
  masterKey: string | null;
  masterKeyFile: string | null;
  /** The file in which systemd gives the key to its service. */
  credential?: string | null;
}

export const keySourceOf = ({ dataDir, masterKey, masterKeyFile }: DataDirSettings): KeySource => ({
  dataDir,
  masterKey: masterKey ?? undefined,
  masterKeyFile: masterKeyFile ?? undefined,
});

/**
 * The key of the pages of a data folder's database; undefined where no master key is to be had, or not the folder's: then only a
 * plain database opens.
 * @throws {KeyRefused} for a key that is none.
 */
export async function findPageKey(settings: DataDirSettings): Promise<string | undefined> {
  const source = keySourceOf(await unlocked(settings));
  const master = await findMasterKey(source);
  if (!master) return undefined;
  const checks = await readChecks(settings.dataDir);
  return checks && checks.position(master) < 0 ? undefined : pageKeyOf(master.serverSecret);
}
