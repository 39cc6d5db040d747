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
import { blobsPath, connectBucket, requireFolder } from './store.ts';

/**
 * Rewraps the data key of one blob from one master key to another without reading the content. If it is interrupted at any
 * moment, one of the two keys opens the blob, and a repetition completes it.
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
  /** The number of blobs that the new key opens; null in a bucket, whose blobs are not changed. */
  moved: number | null;
  /** Unchanged blobs whose header no key opens. */
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

/** Checks that the files can be rewrapped before anything is changed; `rewrapAll` then does it. */
async function findFiles({ dataDir, s3, vaultId }: BytesSource) {
  if (!s3) {
    await requireFolder(dataDir);
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

/** The new key: given, or created in a file beside the old one until it replaces that. */
async function nextKey(
  { dataDir, masterKey, masterKeyFile }: KeySource,
  replacement?: string,
): Promise<MasterKey> {
  if (replacement) {
    const master = parseMasterKey(replacement, 'The new master key');
    refuseWeak(master, 'The new master key');
    return master;
  }
  if (masterKey || masterKeyFile) {
    throw new KeyRefused(
      'The master key is given by a setting, so its replacement has to be given too. Nothing was changed.',
    );
  }
  const path = nextKeyPath(dataDir);
  const stored = await readIfThere(path);
  if (stored) return parseMasterKey(stored, path);
  const text = `${randomBytes(MASTER_KEY_BYTES).toString('hex')}\n`;
  await writeDurably(path, text);
  return parseMasterKey(text, path);
}

/**
 * Rewraps other secrets that depend on the key, such as those in a database, together with the blobs. It is called with `dry`
 * before anything is changed, to check that all can be rewrapped, and then to rewrap them, possibly again after an interrupted
 * run.
 */
export type Alongside = (from: MasterKey, to: MasterKey, dry: boolean) => Promise<void>;

/**
 * Replaces the master key of a data folder that no server uses meanwhile. Without `replacement` a new key is created and written
 * to `master.key`; with it, the admin sets the new key where the old one was configured, or `place` does for a key stored in
 * another form. After an interruption, run it again with the same arguments.
 * @throws {KeyRefused} if the current key is not the folder's; nothing was changed.
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
  // The new key is already in place; only the last step of an earlier run is missing.
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
  if (checks.keys === 1 && checks.position(to) === 0) {
    throw new KeyRefused(
      'The new master key is the present one. Make another with "openssl rand -hex 32". Nothing was changed.',
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
