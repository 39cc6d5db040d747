import type { BlobStore } from '#storage/blobs.ts';
import type { ByteStore } from '#storage/bytes.ts';
import type { RepositoryKeys } from './repository/keys.ts';
import type { VaultDatabase } from './repository/make.ts';

/** What backups need to know of the data folder. */
export interface Vault {
  id: string;
  /** The text of master.check. */
  check: string;
  keys: RepositoryKeys;
  bytes: ByteStore;
  blobs: BlobStore;
  database: VaultDatabase;
  /** For what lies there only while the work goes on. */
  scratch: string;
  /** An empty store in a folder, and what reads it with the vault's key. */
  openStore(folder: string): Promise<{ bytes: ByteStore; blobs: BlobStore }>;
}
