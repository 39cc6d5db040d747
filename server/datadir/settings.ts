import type { KeySource } from '#storage/keys.ts';
import type { S3Address } from '#storage/s3/address.ts';
import type { BytesSource } from '#storage/store.ts';
import { vaultIdOf } from './vault-id.ts';

/** Where a data folder is, and where its key, database and files are if not in it. */
export interface DataDirSettings {
  dataDir: string;
  /** 64 hex digits or base64. */
  masterKey: string | null;
  masterKeyFile: string | null;
  /** The file in which systemd passes the key to the service, as a credential. */
  credential?: string | null;
  /** The bucket with the files; left out if they are in the folder. */
  blobs?: S3Address | null;
  /** The address of the PostgreSQL database; left out if it is a file in the folder. */
  databaseUrl?: string | null;
  /** Whether the vault is served as a network drive (WebDAV). */
  webdav?: 'on' | 'plain' | 'off';
  /** The log file, which may be in the folder before the vault is. */
  logFile?: string | null;
  /** Where backups are written; null or left out for none. */
  backups?: object | null;
}

export const keySourceOf = ({ dataDir, masterKey, masterKeyFile }: DataDirSettings): KeySource => ({
  dataDir,
  masterKey: masterKey ?? undefined,
  masterKeyFile: masterKeyFile ?? undefined,
});

/** Where the stored files of a data folder are. */
export const bytesSourceOf = ({ dataDir, blobs }: DataDirSettings): BytesSource => ({
  dataDir,
  s3: blobs,
  vaultId: () => vaultIdOf(dataDir),
});
