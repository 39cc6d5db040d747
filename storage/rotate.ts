import { randomBytes } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { BlobCorrupt } from './blobs.ts';
import type { RewritableBytes } from './bytes.ts';
import { openDiskBytes } from './disk.ts';
import { flushFolder, writeDurably } from './durable.ts';
import { HEADER_BYTES, openHeader, SLOT_BYTES, slotOffset, wrap } from './header.ts';
import type { KeySource } from './keys.ts';
import {
  findMasterKey,
  keyPath,
  KeyRefused,
  nextKeyPath,
  parseMasterKey,
  readChecks,
  readIfThere,
  refuseWeak,
  writeChecks,
} from './keys.ts';
import type { MasterKey } from './masterkey.ts';
import { MASTER_KEY_BYTES } from './masterkey.ts';
import type { BytesSource } from './store.ts';
import { blobsPath, connectBucket, demandFolder } from './store.ts';

/**
 * Moves one blob from one master key to another; its content is not read. Whatever moment it is cut
 * off at, one of the two keys opens the blob, and doing it again completes it.
 */
export async function rewrap(
  bytes: RewritableBytes,
  id: string,
  from: MasterKey,
  to: MasterKey,
): Promise<void> {
  const head = Buffer.alloc(HEADER_BYTES);
  const reader = await bytes.open(id);
  const read = await reader.read(head, 0).finally(() => reader.close());
  const now = openHeader(to, id, head.subarray(0, read));
  if (typeof now !== 'string') {
    if (!now.otherEmpty)
      await bytes.overwrite(id, slotOffset(now.slot === 0 ? 1 : 0), Buffer.alloc(SLOT_BYTES));
    return;
  }
  const before = openHeader(from, id, head.subarray(0, read));
  if (typeof before === 'string') throw new BlobCorrupt(id, before);
  const slot = wrap(to, head, id, before.dataKey, randomBytes(12));
  await bytes.overwrite(id, slotOffset(before.slot === 0 ? 1 : 0), slot);
  await bytes.overwrite(id, slotOffset(before.slot), Buffer.alloc(SLOT_BYTES));
}

export interface Replaced {
  /** Blobs that the new key opens; null in a bucket, where none of them is touched. */
  moved: number | null;
  /** Left as they are: no key opens their header. */
  damaged: BlobCorrupt[];
}

async function rewrapFolder(dataDir: string, from: MasterKey, to: MasterKey): Promise<Replaced> {
  const bytes = await openDiskBytes({ root: blobsPath(dataDir) });
  const result = { moved: 0, damaged: [] as BlobCorrupt[] };
  for await (const { id } of bytes.list()) {
    try {
      await rewrap(bytes, id, from, to);
      result.moved += 1;
    } catch (error) {
      if (!(error instanceof BlobCorrupt)) throw error;
      result.damaged.push(error);
    }
  }
  return result;
}

/** Makes sure that the files can be moved to another key before anything else is; then `rewrapAll` does it. */
async function findFiles({ dataDir, s3, vaultId }: BytesSource) {
  if (!s3) {
    await demandFolder(dataDir);
    return { rewrapAll: (from: MasterKey, to: MasterKey) => rewrapFolder(dataDir, from, to), close() {} };
  }
  const { addMasterKey, readVaultObject } = await import('./s3/vault-object.ts');
  const where = await connectBucket({ dataDir, s3, vaultId });
  await readVaultObject(where.client);
  return {
    async rewrapAll(from: MasterKey, to: MasterKey): Promise<Replaced> {
      await addMasterKey(where, from, to);
      return { moved: null, damaged: [] };
    },
    close: () => where.client.close(),
  };
}

/** The new key: given, or kept in a file beside the old one until it takes its place. */
async function nextKey(
  { dataDir, masterKey, masterKeyFile }: KeySource,
  replacement?: string,
): Promise<MasterKey> {
  if (replacement) {
    const given = parseMasterKey(replacement, 'The new master key');
    refuseWeak(given, 'The new master key');
    return given;
  }
  if (masterKey || masterKeyFile) {
    throw new KeyRefused(
      'The master key is given by a setting, so its replacement has to be given too. Nothing was changed.',
    );
  }
  const path = nextKeyPath(dataDir);
  const kept = await readIfThere(path);
  if (kept) return parseMasterKey(kept, path);
  const text = `${randomBytes(MASTER_KEY_BYTES).toString('hex')}\n`;
  await writeDurably(path, text);
  return parseMasterKey(text, path);
}

/**
 * What else hangs on the key, such as secrets in a database: moved with the blobs, so that neither is left without the
 * other. Called with `dry` before anything is touched, where it only makes sure that all can be moved, and then to move
 * it, perhaps again after a run that was cut off.
 */
export type Alongside = (from: MasterKey, to: MasterKey, dry: boolean) => Promise<void>;

/**
 * Replaces the master key of a data folder that nobody serves meanwhile. Without `replacement` a new
 * key is made and put into `master.key`; with it, the admin sets the new key where the old one was
 * given, or `place` does, where a key is kept in another form. Interrupted, it is run again with the same arguments.
 * @throws {KeyRefused} when the key found is not the folder's; then nothing was touched.
 */
export async function replaceMasterKey(
  source: KeySource & BytesSource,
  replacement?: string,
  alongside: Alongside = async () => {},
  place?: () => Promise<void>,
): Promise<Replaced> {
  const { dataDir } = source;
  const from = await findMasterKey(source);
  const checks = await readChecks(dataDir);
  const position = from && checks ? checks.position(from) : -1;
  if (!from || !checks || position < 0) {
    throw new KeyRefused(`The master key given is not the one of ${dataDir}. Nothing was changed.`);
  }
  // The new key is in its place already; only the last line of an earlier run is missing.
  const settled = checks.keys > 1 && position === 0;
  if (settled && !place && (source.masterKey || source.masterKeyFile)) {
    throw new KeyRefused(
      `${dataDir} is being moved to this key already. Give the old key as before, and this one as its replacement. Nothing was changed.`,
    );
  }
  const to = settled ? from : await nextKey(source, replacement);
  if (checks.keys > 1 && checks.position(to) !== 0) {
    throw new KeyRefused(
      `${dataDir} is being moved to another key than this one. Give that one. Nothing was changed.`,
    );
  }
  const files = await findFiles(source);
  await alongside(from, to, true);
  if (checks.keys === 1) await writeChecks(dataDir, to, from);
  await alongside(from, to, false);
  const result = await files.rewrapAll(from, to);
  files.close();
  if (place) {
    if (!settled) await place();
  } else if (!replacement && !settled) {
    await rename(nextKeyPath(dataDir), keyPath(dataDir));
    await flushFolder(dataDir);
  }
  await writeChecks(dataDir, to);
  return result;
}
