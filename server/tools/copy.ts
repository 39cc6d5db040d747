import type { BlobId } from '#storage/blobs.ts';
import { BlobCorrupt, BlobMissing } from '#storage/blobs.ts';
import type { ByteReader, ByteStore } from '#storage/bytes.ts';
import { checkChunks, checkHeader } from '#storage/checking.ts';
import type { MasterKey } from '#storage/masterkey.ts';

const PIECE = 1024 * 1024;
const AT_ONCE = 8;
/** A store takes an object's beginning last. */
const HEAD = 64;

/** How the seals of objects are looked at. */
export interface Check {
  master: MasterKey;
  /** Every chunk is opened too, also of the objects that are there already. */
  readData: boolean;
  /** Every chunk of what was copied is opened in its new place. */
  readBack?: boolean;
}

export interface Fault {
  id: BlobId;
  why: string;
  /** The target has a good copy from before, which was left as it is. */
  kept: boolean;
}

export interface Copied {
  /** Sealed bytes that are there now, and those of them that were not there before. */
  bytes: number;
  fresh: number;
  /** Missing or damaged where they should come from; the others are copied. */
  faults: Fault[];
}

/**
 * Copies sealed objects as they are; one that is there already with the same length is left, as they never change.
 * @param check without it objects are copied unseen, damaged ones too.
 * @throws what the first failure was, once nothing asks for objects or writes any more.
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
  const noted = () =>
    work().catch((error: unknown) => {
      failure ??= { error };
    });
  // All of them end before this does: the caller closes the database that the ids come from.
  await Promise.all(Array.from({ length: AT_ONCE }, noted));
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
  const there = await sizeIn(to, id);
  try {
    const reader = await from.open(id);
    try {
      const same = there === reader.size && !(check?.readData && (await faultIn(to, id, check)));
      const fault = same || !check ? null : await faultIn(from, id, check);
      if (fault) throw fault;
      if (!same) await transfer(reader, to, id);
      const lost = !same && check?.readBack && (await faultIn(to, id, { ...check, readData: true }));
      if (lost) throw lost;
      copied.bytes += reader.size;
      if (!same) copied.fresh += reader.size;
    } finally {
      await reader.close();
    }
  } catch (fault) {
    if (!isFault(fault)) throw fault;
    const kept = there >= 0 && !(check && (await faultIn(to, id, check)));
    copied.faults.push({ id, why: fault.message, kept });
  }
}

const isFault = (error: unknown): error is BlobMissing | BlobCorrupt =>
  error instanceof BlobMissing || error instanceof BlobCorrupt;

/** What is wrong with an object that is there; null when nothing was found. */
async function faultIn(
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

/** The copy takes the place of one that is there once it is whole. */
async function transfer(reader: ByteReader, to: ByteStore, id: BlobId): Promise<void> {
  const head = Buffer.alloc(Math.min(HEAD, reader.size));
  await reader.read(head, 0);
  const writer = to.create(id, head.length);
  try {
    let tail: Buffer[] = [];
    for (let at = head.length; at < reader.size;) {
      if (tail.length > 0) await writer.write(tail);
      const piece = Buffer.allocUnsafe(Math.min(PIECE, reader.size - at));
      const read = await reader.read(piece, at);
      if (read < piece.length) throw new BlobCorrupt(id, 'it became shorter while it was copied');
      tail = [piece];
      at += read;
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
