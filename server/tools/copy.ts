import type { BlobId } from '#storage/blobs.ts';
import { BlobCorrupt, BlobMissing } from '#storage/blobs.ts';
import type { ByteReader, ByteStore } from '#storage/bytes.ts';
import type { PassingCheck } from '#storage/checking.ts';
import { checkChunks, checkHeader, passingCheck } from '#storage/checking.ts';
import type { MasterKey } from '#storage/masterkey.ts';

const PIECE = 1024 * 1024;
const CONCURRENCY = 8;
/** A store writes the beginning of an object last. */
const HEAD = 64;

/** How objects are checked. */
export interface Check {
  master: MasterKey;
  /** Also decrypt every chunk of objects that the target already has. */
  readData: boolean;
  /**
   * Also decrypt every chunk of each new copy once it is written, and check that the key opens those which the target already has: they may have been left
   * there before the master key was replaced.
   */
  readBack?: boolean;
}

export interface Fault {
  id: BlobId;
  why: string;
  /** The target has an intact copy from before, which was left alone. */
  kept: boolean;
  /** The object is intact, and its new copy was not when it was read back. */
  ofCopy?: true;
}

export interface Copied {
  /** Sealed bytes now in the target, and how many of them are new. */
  bytes: number;
  fresh: number;
  /** Objects that are missing or damaged in the source; the others were copied. */
  faults: Fault[];
}

/**
 * Copies sealed objects byte for byte; an object that the target has with the same length is skipped, since
 * the contents of objects never change.
 * @param check every chunk of a new copy passes it; without it objects are copied unchecked, including damaged ones.
 * @throws the first error, after all workers have stopped.
 */
export async function copyObjects(
  from: ByteStore,
  to: ByteStore,
  ids: AsyncIterable<BlobId>,
  check?: Check,
): Promise<Copied> {
  const copied: Copied = { bytes: 0, fresh: 0, faults: [] };
  const source = ids[Symbol.asyncIterator]();
  let failure: { error: unknown } | undefined;
  const work = async (): Promise<void> => {
    while (!failure) {
      const next = await source.next();
      if (next.done || failure) return;
      await copyObject(from, to, next.value, copied, check);
    }
  };
  const runWorker = () =>
    work().catch((error: unknown) => {
      failure ??= { error };
    });
  // All workers stop before this returns: the caller then closes the database that yields the ids.
  await Promise.all(Array.from({ length: CONCURRENCY }, runWorker));
  if (failure) throw failure.error;
  return copied;
}

async function copyObject(
  from: ByteStore,
  to: ByteStore,
  id: BlobId,
  copied: Copied,
  check: Check | undefined,
): Promise<void> {
  const existingSize = await sizeIn(to, id);
  try {
    const reader = await from.open(id);
    try {
      const isExistingChecked = check && (check.readData || check.readBack);
      const same = existingSize === reader.size && !(isExistingChecked && (await findFault(to, id, check)));
      if (!same) await transfer(reader, to, id, check && (await checking(check, id, reader)));
      const lost = !same && check?.readBack && (await findFault(to, id, { ...check, readData: true }));
      if (lost) {
        // Or the next copying would skip it: of what is there, only the beginning is read.
        await to.delete(id);
        const why = `its copy was not right when it was read back (${lost.message})`;
        copied.faults.push({ id, why, kept: false, ofCopy: true });
        return;
      }
      copied.bytes += reader.size;
      if (!same) copied.fresh += reader.size;
    } finally {
      await reader.close();
    }
  } catch (fault) {
    if (!isFault(fault)) throw fault;
    const isReused = existingSize >= 0 && !(check && (await findFault(to, id, { ...check, readData: true })));
    copied.faults.push({ id, why: fault.message, kept: isReused });
  }
}

const checking = async ({ master }: Check, id: BlobId, reader: ByteReader): Promise<PassingCheck> =>
  passingCheck(id, await checkHeader(master, id, reader));

const isFault = (error: unknown): error is BlobMissing | BlobCorrupt =>
  error instanceof BlobMissing || error instanceof BlobCorrupt;

/** The damage of an object; null when none was found. */
async function findFault(
  store: ByteStore,
  id: BlobId,
  { master, readData }: Check,
): Promise<BlobMissing | BlobCorrupt | null> {
  try {
    const reader = await store.open(id);
    try {
      const header = await checkHeader(master, id, reader);
      if (readData) await checkChunks(id, reader, header);
    } finally {
      await reader.close();
    }
    return null;
  } catch (error) {
    if (isFault(error)) return error;
    throw error;
  }
}

/** Replaces an existing copy only once the new one is complete. */
async function transfer(
  reader: ByteReader,
  to: ByteStore,
  id: BlobId,
  pass: PassingCheck = () => {},
): Promise<void> {
  const head = Buffer.alloc(Math.min(HEAD, reader.size));
  await reader.read(head, 0);
  pass(head);
  const writer = to.create(id, head.length);
  try {
    let tail: Buffer[] = [];
    for (let offset = head.length; offset < reader.size;) {
      if (tail.length > 0) await writer.write(tail);
      const piece = Buffer.allocUnsafe(Math.min(PIECE, reader.size - offset));
      const read = await reader.read(piece, offset);
      if (read < piece.length) throw new BlobCorrupt(id, 'it became shorter while it was copied');
      pass(piece);
      tail = [piece];
      offset += read;
    }
    await writer.commit(head, tail);
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

async function sizeIn(store: ByteStore, id: BlobId): Promise<number> {
  if (!(await store.has(id))) return -1;
  const reader = await store.open(id);
  await reader.close();
  return reader.size;
}
