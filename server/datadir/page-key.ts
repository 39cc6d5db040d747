import type { KeySource } from '#storage/keys.ts';
import type { S3Address } from '#storage/s3/address.ts';
import type { BytesSource } from '#storage/store.ts';
import { findMasterKey, readChecks } from '#storage/keys.ts';
import { pageKeyOf } from '../db/sqlite/page-encryption.ts';
import { unlocked } from './keys/unlock.ts';
import { vaultIdOf } from './vault-id.ts';

/** Where a data folder is and where its key is given, if not in the folder. */
export interface DataDirSettings {
  dataDir: string;
  /** 64 hex digits or base64. */
  masterKey: string | null;
  masterKeyFile: string | null;
  /** The file in which systemd gives the key to its service. */
  credential?: string | null;
  /** The bucket that keeps the bytes of files; left out: the folder does. */
  blobs?: S3Address | null;
  /** The PostgreSQL that keeps the database; left out: a file of the folder does. */
  databaseUrl?: string | null;
  /** Whether the vault opens as a drive. */
  webdav?: 'on' | 'plain' | 'off';
  /** Where backups go; null or left out: nowhere. */
  backups?: object | null;
}

export const keySourceOf = ({ dataDir, masterKey, masterKeyFile }: DataDirSettings): KeySource => ({
  dataDir,
  masterKey: masterKey ?? undefined,
  masterKeyFile: masterKeyFile ?? undefined,
});

/** Where a data folder's files are. */
export const bytesSourceOf = ({ dataDir, blobs }: DataDirSettings): BytesSource => ({
  dataDir,
  s3: blobs,
  vaultId: () => vaultIdOf(dataDir),
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
