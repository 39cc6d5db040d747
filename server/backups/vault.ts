import type { BlobStore } from '#storage/blobs.ts';
import type { ByteStore } from '#storage/bytes.ts';
import type { Source } from './repository/copy-blobs.ts';
import type { RepositoryKeys } from './repository/keys.ts';
import type { VaultDatabase } from './repository/make.ts';

/** The parts of a data folder that backups need. */
export interface Vault {
  id: string;
  /** The text of master.check. */
  check: string;
  keys: RepositoryKeys;
  bytes: ByteStore;
  blobs: BlobStore;
  checkSealed: Source['check'];
  database: VaultDatabase;
  /** A folder for temporary files. */
  scratch: string;
  /** Creates an empty store in a folder; its blobs open with the vault's key. */
  openStore(folder: string): Promise<{ bytes: ByteStore; blobs: BlobStore }>;
}
