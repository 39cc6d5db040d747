import { createHash } from 'node:crypto';
import { BlobCorrupt, BlobMissing } from '#storage/blobs.ts';
import type { ByteStore } from '#storage/bytes.ts';
import { BlobList } from './blob-list.ts';
import { blobKey, unfinishedKey } from './layout.ts';
import type { RepositoryKeys } from './keys.ts';
import type { Place } from './place.ts';

const PIECE = 1024 * 1024;
const AT_ONCE = 8;
/** The interval in ms at which the list of copied blobs is saved. A run that is killed repeats at most that much work. */
const SAVE_EVERY = 20_000;

export interface Source {
  /** The sealed files. */
  bytes: ByteStore;
  /** Verifies a blob. Rejects with BlobMissing or BlobCorrupt. */
  check(id: string): Promise<unknown>;
}

export interface LeftOut {
  id: string;
  why: string;
}

interface CopiedBlobs {
  list: BlobList;
  fresh: { count: number; bytes: number };
  leftOut: LeftOut[];
}

/**
 * Opens a sealed file as a stream. `sum` gives its hash once all chunks were read. `close` must be called.
 * @param buffer for every chunk in turn: a new one for each would burden the garbage collector.
 */
export async function openSealed(source: ByteStore, id: string, buffer: Buffer = Buffer.allocUnsafe(PIECE)) {
  const reader = await source.open(id);
  const hash = createHash('sha256');
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let offset = 0; offset < reader.size;) {
      const piece = buffer.subarray(0, reader.size - offset);
      const read = await reader.read(piece, offset);
      if (read < piece.length) throw new BlobCorrupt(id, 'it became shorter while it was copied');
      hash.update(piece);
      yield piece;
      offset += read;
    }
  }
  return {
    bytes: reader.size,
    chunks: chunks(),
    sum: () => hash.digest('hex'),
    close: () => reader.close(),
  };
}

/**
 * Copies the blobs that the place does not have yet. Blobs that are missing or damaged in the source are left out, unless the place has a
 * good copy.
 * @param ids sorted, without duplicates.
 * @param existing the ids of blobs in the place.
 * @param earlier blob lists that describe existing copies, the newest first.
 */
export async function copyBlobs(
  {
    place,
    keys,
    source,
    signal,
  }: { place: Place; keys: RepositoryKeys; source: Source; signal: AbortSignal },
  ids: readonly string[],
  existing: ReadonlySet<string>,
  earlier: readonly BlobList[],
): Promise<CopiedBlobs> {
  const copied: CopiedBlobs = { list: BlobList.of([]), fresh: { count: 0, bytes: 0 }, leftOut: [] };
  let savedAt = performance.now();
  let saving: Promise<void> = Promise.resolve();
  const lookups = earlier.map((list) => list.inOrder());
  const records = ids.map((id) => (existing.has(id) ? firstOf(lookups, id) : undefined));
  const missing = records.flatMap((record, index) => (record ? [] : [index]));
  let next = 0;

  const copiedSoFar = (): BlobList => BlobList.join(records.filter((record) => record !== undefined));
  function saveIfDue(): void {
    if (performance.now() - savedAt < SAVE_EVERY) return;
    savedAt = performance.now();
    saving = save(saving, copiedSoFar());
    saving.catch(() => {});
  }
  /** Saves the list of blobs that are durably copied. */
  async function save(previous: Promise<void>, { data }: BlobList): Promise<void> {
    await previous;
    await place.settle();
    await place.write(unfinishedKey(keys.id), data);
    await place.settle();
  }

  async function copy(index: number, buffer: Buffer): Promise<void> {
    const id = ids[index]!;
    try {
      await source.check(id);
      const sealed = await openSealed(source.bytes, id, buffer);
      await place.write(blobKey(keys.id, id), sealed).finally(sealed.close);
      records[index] = BlobList.record({ id, bytes: sealed.bytes, sha256: sealed.sum() });
      copied.fresh.count += 1;
      copied.fresh.bytes += sealed.bytes;
      saveIfDue();
    } catch (error) {
      if (!(error instanceof BlobMissing || error instanceof BlobCorrupt)) throw error;
      copied.leftOut.push({ id, why: error.message });
    }
  }
  async function work(): Promise<void> {
    const buffer = Buffer.allocUnsafe(PIECE);
    while (next < missing.length) {
      signal.throwIfAborted();
      next += 1;
      await copy(missing[next - 1]!, buffer);
    }
  }

  const workers = await Promise.allSettled(Array.from({ length: Math.min(AT_ONCE, missing.length) }, work));
  const failed = workers.find((result) => result.status === 'rejected');
  if (failed) {
    next = missing.length;
    // Lets the next run continue from here. If the place is gone or full, saving the list fails too.
    if (copied.fresh.count > 0) await save(saving, copiedSoFar()).catch(() => {});
    throw failed.reason;
  }
  await saving;
  copied.list = copiedSoFar();
  return copied;
}

function firstOf(lists: readonly ((id: string) => Buffer | undefined)[], id: string): Buffer | undefined {
  // Every cursor has to be advanced, since each continues from the id before.
  return lists.map((find) => find(id)).find((record) => record !== undefined);
}
