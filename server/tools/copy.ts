import type { BlobId } from '#storage/blobs.ts';
import type { ByteStore } from '#storage/bytes.ts';

const PIECE = 1024 * 1024;
const AT_ONCE = 8;
/** A store takes an object's beginning last. */
const HEAD = 64;

export interface Copied {
  count: number;
  bytes: number;
  /** Were there already. */
  reused: number;
  missing: BlobId[];
}

/** Copies sealed objects as they are; one that is there already with the same length is left, as they never change. */
export async function copyObjects(
  from: ByteStore,
  to: ByteStore,
  ids: AsyncIterable<BlobId>,
): Promise<Copied> {
  const copied: Copied = { count: 0, bytes: 0, reused: 0, missing: [] };
  const source = ids[Symbol.asyncIterator]();
  const work = async (): Promise<void> => {
    for (;;) {
      const next = await source.next();
      if (next.done) return;
      if (await from.has(next.value)) await copyObject(from, to, next.value, copied);
      else copied.missing.push(next.value);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return copied;
}

async function copyObject(from: ByteStore, to: ByteStore, id: BlobId, copied: Copied): Promise<void> {
  const reader = await from.open(id);
  try {
    copied.count += 1;
    copied.bytes += reader.size;
    if ((await sizeIn(to, id)) === reader.size) {
      copied.reused += 1;
      return;
    }
    const head = Buffer.alloc(Math.min(HEAD, reader.size));
    await reader.read(head, 0);
    const writer = to.create(id, head.length);
    try {
      let tail: Buffer[] = [];
      for (let at = head.length; at < reader.size;) {
        if (tail.length > 0) await writer.write(tail);
        const piece = Buffer.allocUnsafe(Math.min(PIECE, reader.size - at));
        const read = await reader.read(piece, at);
        if (read < piece.length) throw new Error(`${id} became shorter while it was copied.`);
        tail = [piece];
        at += read;
      }
      await writer.commit(head, tail);
    } catch (error) {
      await writer.abort();
      throw error;
    }
  } finally {
    await reader.close();
  }
}

async function sizeIn(store: ByteStore, id: BlobId): Promise<number> {
  if (!(await store.has(id))) return -1;
  const reader = await store.open(id);
  await reader.close();
  return reader.size;
}
