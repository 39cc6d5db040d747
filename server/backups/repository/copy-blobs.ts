import { createHash } from 'node:crypto';
import { BlobCorrupt, BlobMissing } from '#storage/blobs.ts';
import type { ByteReader, ByteStore } from '#storage/bytes.ts';
import type { PassingCheck } from '#storage/checking.ts';
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
  /** Verifies the header of an opened file, and prepares the check of its bytes. Both throw BlobCorrupt. */
  check(id: string, reader: ByteReader): Promise<PassingCheck>;
}

export interface LeftOut {
  id: string;
  why: string;
}

interface CopiedBlobs {
  list: BlobList;
  fresh: { count: number; bytes: number };
  leftOut: LeftOut[];
  /** Blobs of which only the place still has a copy. */
  lost: string[];
}

/**
 * Opens a sealed file as a stream. `sum` gives its hash once all chunks were read. `close` must be called.
 * @param options.buffer for every chunk in turn: a new one for each would burden the garbage collector.
 * @param options.check what the bytes have to pass.
 */
export async function openSealed(
  source: ByteStore,
  id: string,
  { buffer = Buffer.allocUnsafe(PIECE), check }: { buffer?: Buffer; check?: Source['check'] } = {},
) {
  const reader = await source.open(id);
  const pass = await check?.(id, reader).catch(async (error: unknown) => {
    await reader.close();
    throw error;
  });
  const hash = createHash('sha256');
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let offset = 0; offset < reader.size;) {
      const piece = buffer.subarray(0, reader.size - offset);
      const read = await reader.read(piece, offset);
      if (read < piece.length) throw new BlobCorrupt(id, 'it became shorter while it was copied');
      hash.update(piece);
      pass?.(piece);
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
  const copied: CopiedBlobs = { list: BlobList.of([]), fresh: { count: 0, bytes: 0 }, leftOut: [], lost: [] };
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
      const sealed = await openSealed(source.bytes, id, { buffer, check: source.check });
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
  if (missing.length < ids.length) {
    const there = new Set<string>();
    for await (const { id } of source.bytes.list()) there.add(id);
    signal.throwIfAborted();
    copied.lost = ids.filter((id, index) => records[index] && !there.has(id));
  }
  copied.list = copiedSoFar();
  return copied;
}

function firstOf(lists: readonly ((id: string) => Buffer | undefined)[], id: string): Buffer | undefined {
  // Every cursor has to be advanced, since each continues from the id before.
  return lists.map((find) => find(id)).find((record) => record !== undefined);
}
