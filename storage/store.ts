import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobStore } from './blobs.ts';
import type { ByteStore } from './bytes.ts';
import { openDiskBytes } from './disk.ts';
import { flushFolder } from './durable.ts';
import type { KeySource } from './keys.ts';
import { KeyRefused, loadMasterKey } from './keys.ts';
import type { MasterKey } from './masterkey.ts';
import type { S3Address } from './s3/address.ts';
import { createSealedBlobs } from './sealed.ts';

/** The location of a data folder's files: the folder, or a bucket. */
export interface BytesSource {
  dataDir: string;
  /** The bucket; without it, the folder. */
  s3?: S3Address | null | undefined;
  /** The id of the vault, 32 hex digits; required for a bucket, which belongs to one vault. */
  vaultId?: (() => Promise<string>) | undefined;
}

interface BlobStoreOptions extends KeySource, BytesSource {
  /** False for a tool that runs beside a serving process: keeps that process's incomplete uploads. */
  clean?: boolean;
}

export interface Bucket {
  /** s3://bucket/folder. */
  address: string;
  /** Checks that the bucket still belongs to this vault. @throws {S3Away} {S3Refused} {KeyRefused} */
  answers(): Promise<void>;
}

interface OpenedBlobStore {
  blobs: BlobStore;
  /** 32 bytes derived from the master key, for signing cookies and links. */
  secret: Buffer;
  /** The path of a newly created master key: ask the admin to keep a copy elsewhere. */
  keyMadeAt?: string;
  /** Whether the folder's key could be guessed: ask the admin to replace it. */
  weakKey: boolean;
  /** The bucket, if the files are not in the folder. */
  bucket: Bucket | null;
}

export const blobsPath = (dataDir: string): string => join(dataDir, 'blobs');

/** Whether any sealed file exists in the folder. Creates and changes nothing. */
export async function holdsBlobs(dataDir: string): Promise<boolean> {
  const root = blobsPath(dataDir);
  const folders = await readdir(root).catch((error: NodeJS.ErrnoException) => {
    // Any error but ENOENT may hide blobs, and no new key may be created beside them.
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  for (const folder of folders) {
    if (/^[0-9a-f]{2}$/.test(folder) && (await readdir(join(root, folder))).length > 0) return true;
  }
  return false;
}

/**
 * Whether a bucket holds files of which it is not certain that this key opens them for this vault; the connection is closed by then.
 * An additional folder of a vault stores no other check of its key.
 */
async function holdsOthers(s3: S3Address, vault: string | undefined, master?: MasterKey): Promise<boolean> {
  const [{ createS3Client }, { readVaultObject }] = await Promise.all([
    import('./s3/client.ts'),
    import('./s3/vault-object.ts'),
  ]);
  const client = createS3Client(s3);
  const there = await readVaultObject(client).finally(() => client.close());
  const id = master?.keyId.toString('hex');
  return there !== null && !(there.vault === vault && there.rings.some((ring) => ring.master === id));
}

/** @param forMs how long requests to a busy or unavailable server are retried. */
export async function openBucket(s3: S3Address, forMs = 1000): Promise<Bucket> {
  const [{ createS3Client }, { readVaultObject, VAULT_OBJECT }] = await Promise.all([
    import('./s3/client.ts'),
    import('./s3/vault-object.ts'),
  ]);
  const client = createS3Client(s3, { forMs, stallMs: 5000 });
  const { address } = s3;
  return {
    address,
    async answers() {
      if (await readVaultObject(client)) return;
      throw new KeyRefused(`${address} has no ${VAULT_OBJECT}: the files of this vault are not there.`);
    },
  };
}

/** A connection to the bucket, with what it belongs to. */
export async function connectBucket({ dataDir, s3, vaultId }: BytesSource & { s3: S3Address }) {
  const { createS3Client } = await import('./s3/client.ts');
  if (!vaultId) throw new TypeError('a bucket belongs to a vault, so its id is needed');
  return { client: createS3Client(s3), dataDir, vault: await vaultId() };
}

/** @throws {KeyRefused} if the files of the data folder are in a bucket. */
export async function requireFolder(dataDir: string): Promise<void> {
  const { readCopy } = await import('./s3/vault-object.ts');
  const copy = await readCopy(dataDir);
  if (!copy) return;
  throw new KeyRefused(
    `The files of ${dataDir} are in ${copy.address}. Set BLOBS to it, with its endpoint and region. Nothing was changed.`,
  );
}

/**
 * The sealed files of a data folder, as they are sealed on a disk, wherever they lie.
 * @param moving they are to be brought there, and the folder says that they are elsewhere, until `switchTo`.
 * @throws {KeyRefused} when the bucket is another vault's, or the files are elsewhere; then nothing was touched.
 * @throws {S3Refused} {S3Away}
 */
export async function openVaultBytes(
  { dataDir, s3, vaultId }: BytesSource,
  master: MasterKey,
  clean: boolean,
  moving = false,
): Promise<ByteStore> {
  if (!s3) {
    if (!moving) await requireFolder(dataDir);
    return openDiskBytes({ root: blobsPath(dataDir), clean });
  }
  const [{ openS3Bytes }, { rewrapped }, { openBucketVault }] = await Promise.all([
    import('./s3/bytes.ts'),
    import('./s3/rewrapped.ts'),
    import('./s3/vault-object.ts'),
  ]);
  const where = { ...(await connectBucket({ dataDir, s3, vaultId })), moving };
  const ring = await openBucketVault(where, master, async () => {
    if (moving || !(await holdsBlobs(dataDir))) return;
    throw new KeyRefused(
      `BLOBS is set to ${s3.address}, but the files of ${dataDir} are in the folder. Stop the server, leave BLOBS out and run ` +
        '"npm run admin -- move --to-blobs" with that address, which brings them there. Nothing was changed.',
    );
  });
  return rewrapped(openS3Bytes(where.client), ring, master);
}

/** From now on the files of the data folder are in the bucket, or in the folder; every one of them has to be there. */
export async function switchTo({ dataDir, s3, vaultId }: BytesSource): Promise<void> {
  const { copyPath, readVaultObject, writeCopy } = await import('./s3/vault-object.ts');
  if (!s3) {
    await rm(copyPath(dataDir), { force: true });
    return flushFolder(dataDir);
  }
  const { client } = await connectBucket({ dataDir, s3, vaultId });
  const object = await readVaultObject(client).finally(() => client.close());
  if (!object) throw new KeyRefused(`${s3.address} does not hold the files of ${dataDir}.`);
  await writeCopy(client, dataDir, object);
}

/**
 * Opens the sealed blobs of `dataDir`, as FORMAT.md describes, in the folder or in a bucket: the only place that knows in which. On a
 * fresh folder makes what is needed. One serving process a folder: what others left half-written there is removed.
 * @throws {KeyRefused} before anything is touched, when the master key is missing, short or wrong, or the bucket another vault's.
 * @throws {S3Refused} {S3Away} when the bucket cannot be used, in words of what to do.
 */
export async function openBlobStore({
  clean = true,
  s3,
  vaultId,
  ...source
}: BlobStoreOptions): Promise<OpenedBlobStore> {
  const { dataDir } = source;
  const holds = async (found?: MasterKey): Promise<boolean> => {
    if (s3 && (await holdsOthers(s3, await vaultId?.(), found)))
      throw new KeyRefused(
        `${s3.address} holds the files of another vault than that of ${dataDir}, its master key and its database. Set BLOBS, MASTER_KEY_FILE and ` +
          'DATABASE_URL to those that go together; a new vault takes another folder of the bucket. Nothing was changed.',
      );
    return holdsBlobs(dataDir);
  };
  const { master, madeAt } = await loadMasterKey(source, holds);
  const blobs = createSealedBlobs(await openVaultBytes({ dataDir, s3, vaultId }, master, clean), master);
  const { serverSecret: secret, weak: weakKey } = master;
  const bucket = s3 ? await openBucket(s3) : null;
  return { blobs, secret, weakKey, bucket, ...(madeAt !== undefined && { keyMadeAt: madeAt }) };
}
