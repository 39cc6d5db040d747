import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { writeDurably } from '../durable.ts';
import { KeyRefused, readIfThere } from '../keys.ts';
import type { MasterKey } from '../masterkey.ts';
import type { S3Client } from './client.ts';
import { listKeys } from './listing.ts';
import type { Ring, SealedRing } from './ring.ts';
import { newRingKey, openRing, ringOf, sealRing } from './ring.ts';

/** The object that names the vault of the bucket and contains the keys of its objects. */
export const VAULT_OBJECT = 'almirah.json';
/** Its copy in the data folder, which marks a vault with its files in a bucket. */
export const VAULT_COPY = 'blobs.s3.json';

interface VaultObject {
  almirah: 1;
  /** The id of the bucket's contents, generated once. 32 hex digits. */
  store: string;
  /** The id of the vault, as in the data folder. 32 hex digits. */
  vault: string;
  /** The same keys, sealed with each valid master key: two while the master key is being replaced. */
  rings: SealedRing[];
}

export const copyPath = (dataDir: string): string => join(dataDir, VAULT_COPY);

function parse(text: string, from: string): VaultObject {
  try {
    const read = JSON.parse(text) as VaultObject;
    const sound =
      read.almirah === 1 &&
      /^[0-9a-f]{32}$/.test(read.store) &&
      /^[0-9a-f]{32}$/.test(read.vault) &&
      read.rings.every(({ keys }) => keys.length > 0 && keys.every((key) => /^[0-9a-f]{120}$/.test(key)));
    if (sound) return read;
  } catch {
    // Said below.
  }
  throw new KeyRefused(
    `${from} is damaged, or of a newer version of Almirah. Put back its copy, DATA_DIR/${VAULT_COPY}. Nothing was changed.`,
  );
}

/** Null where there is none. */
export async function readVaultObject(client: S3Client): Promise<VaultObject | null> {
  const { status, body } = await client.ask({ method: 'GET', key: VAULT_OBJECT }, { missing: true });
  return status === 404 ? null : parse(body.toString(), `${client.where.address}/${VAULT_OBJECT}`);
}

interface Copy extends VaultObject {
  address: string;
}

/** The bucket that the data folder names for its files; null if they are in the folder. */
export async function readCopy(dataDir: string): Promise<Copy | null> {
  const text = await readIfThere(copyPath(dataDir));
  return text ? (parse(text.toString(), copyPath(dataDir)) as Copy) : null;
}

/** Writes the object in the bucket first, then its copy in the folder. */
async function writeVaultObject(
  { client, dataDir, moving }: BucketVault,
  object: VaultObject,
): Promise<void> {
  const body = [Buffer.from(`${JSON.stringify(object, null, 1)}\n`)];
  await client.ask({ method: 'PUT', key: VAULT_OBJECT, body });
  if (!moving) await writeCopy(client, dataDir, object);
}
export const writeCopy = (client: S3Client, dataDir: string, object: VaultObject): Promise<void> =>
  writeDurably(
    copyPath(dataDir),
    `${JSON.stringify({ address: client.where.address, ...object }, null, 1)}\n`,
  );

interface BucketVault {
  client: S3Client;
  dataDir: string;
  /** Files are being moved into the bucket; the folder does not name it yet. */
  moving?: boolean;
  /** The id of the data folder's vault, as 32 hex digits. */
  vault: string;
}

async function isEmpty(client: S3Client): Promise<boolean> {
  for await (const { key } of listKeys(client, 'blobs/', 1)) return key === '';
  return true;
}

/** Claims an empty bucket for this vault. @throws {KeyRefused} if it is not empty. */
async function foundVaultObject(where: BucketVault, master: MasterKey): Promise<VaultObject> {
  const { client, vault } = where;
  const { address } = client.where;
  if (!(await isEmpty(client))) {
    throw new KeyRefused(
      `${address} holds stored files but no ${VAULT_OBJECT}, without which none of them opens. Put it back from DATA_DIR/${VAULT_COPY}, ` +
        'or give another folder of the bucket. Nothing was changed.',
    );
  }
  const store = randomBytes(16).toString('hex');
  const object: VaultObject = { almirah: 1, store, vault, rings: [sealRing(master, store, [newRingKey()])] };
  await writeVaultObject(where, object);
  const there = await readVaultObject(client);
  if (there?.store === store) return object;
  throw new KeyRefused(
    `Another vault took ${address} at the same moment. Give each a folder of its own in the bucket.`,
  );
}

/** The keys of the bucket. @throws {KeyRefused} if it belongs to another vault or to another master key. */
function ringIn(object: VaultObject, { client, vault }: BucketVault, master: MasterKey): Buffer[] {
  const { address } = client.where;
  const id = master.keyId.toString('hex');
  const ours = object.rings.find((ring) => ring.master === id);
  const keys = ours && openRing(master, object.store, ours);
  if (!keys) {
    throw new KeyRefused(
      `${address} belongs to a vault with another master key. Give this vault a bucket, or a folder in it, of its own. Nothing was changed.`,
    );
  }
  if (object.vault === vault) return keys;
  throw new KeyRefused(
    `${address} belongs to another data folder than this one (it may be a copy of that, or brought back from a backup). Two vaults must not ` +
      'share files: give this one a folder of its own in the bucket. Nothing was changed.',
  );
}

/**
 * Opens the vault in a bucket, or creates it in an empty one.
 * @param requireNoFiles throws if the files are in the data folder, which does not name the bucket: a move was not completed.
 */
export async function openBucketVault(
  where: BucketVault,
  master: MasterKey,
  requireNoFiles: () => Promise<void>,
): Promise<Ring> {
  const { client, dataDir, moving } = where;
  const [there, copy] = await Promise.all([readVaultObject(client), moving ? null : readCopy(dataDir)]);
  if (copy && copy.store !== there?.store) {
    throw new KeyRefused(
      `The files of ${dataDir} are in ${copy.address}, and ${client.where.address} does not hold them. Set BLOBS as it was before. Nothing was changed.`,
    );
  }
  if (!copy) await requireNoFiles();
  if (there) {
    const keys = ringIn(there, where, master);
    if (there.rings.length > 1) {
      // The replacement of the key was interrupted before this last step.
      const only = { ...there, rings: [sealRing(master, there.store, keys)] };
      await writeVaultObject(where, only);
    } else if (!moving && (!copy || JSON.stringify(copy.rings) !== JSON.stringify(there.rings)))
      await writeCopy(client, dataDir, there);
    return ringOf(keys);
  }
  return ringOf(ringIn(await foundVaultObject(where, master), where, master));
}

/**
 * Lets a new master key open the bucket beside the old one, and adds a ring key for new objects. Running it again changes nothing. The
 * next start removes what was sealed with the old master key.
 */
export async function addMasterKey(where: BucketVault, from: MasterKey, to: MasterKey): Promise<void> {
  const there = await readVaultObject(where.client);
  if (!there)
    throw new KeyRefused(`${where.client.where.address} has no ${VAULT_OBJECT}. Nothing was changed.`);
  if (there.rings.some(({ master }) => master === to.keyId.toString('hex'))) return;
  const keys = [...ringIn(there, where, from), newRingKey()];
  const rings = [to, from].map((master) => sealRing(master, there.store, keys));
  await writeVaultObject(where, { ...there, rings });
}
