import { Readable } from 'node:stream';
import type { BlobStore, StoredBlob } from '#storage/blobs.ts';
import { contentOf, demandReadable, locate } from '../read/content.ts';
import type { Entry } from '../read/directory.ts';
import type { Source } from '../read/source.ts';

/** An entry up to this size, packed and plain, is read whole, so that several can be on their way to the disk. */
const SMALL_BYTES = 1024 * 1024;
const AT_ONCE = 6;

export interface Unpacking {
  source: Source;
  blobs: Pick<BlobStore, 'put' | 'delete'>;
  password?: string | undefined;
  signal: AbortSignal;
  /** Told the plain bytes as they are written. */
  progress: (bytes: number) => void;
  /** Told how the content of each entry begins: its first bytes, as a store tells them. */
  begins: (index: number, head: Buffer) => void;
}

/**
 * Writes the content of each entry into a blob of its own; the answer has them in the order asked for. Whatever fails,
 * cancelling included, every blob it wrote is deleted before it rejects.
 * @throws {ArchiveRefused} when an entry is not what it says; the signal's reason; what the store throws.
 */
export async function unpack(entries: readonly Entry[], work: Unpacking): Promise<StoredBlob[]> {
  const { source, blobs, password, signal, progress } = work;
  for (const entry of entries) demandReadable(entry, password);
  const stored: StoredBlob[] = [];
  const running = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;

  async function* counted(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      signal.throwIfAborted();
      progress(piece.length);
      yield piece;
    }
  }

  async function store(index: number, pieces: AsyncIterable<Buffer>): Promise<void> {
    const content = counted(contentOf(entries[index]!, pieces, password));
    const { head, ...blob } = await blobs.put(Readable.from(content, { objectMode: false }));
    stored[index] = blob;
    work.begins(index, head);
  }

  function start(index: number, bytes: Buffer): void {
    const task: Promise<void> = store(index, only(bytes))
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => running.delete(task));
    running.add(task);
  }

  try {
    for (const [index, entry] of entries.entries()) {
      signal.throwIfAborted();
      const { start: from, end } = await locate(source, entry);
      if (Math.max(entry.compressedSize, entry.size) > SMALL_BYTES)
        await store(index, source.bytes(from, end));
      else {
        start(index, await source.read(from, end - from));
        if (running.size >= AT_ONCE) await Promise.race(running);
      }
      if (failure) break;
    }
  } catch (error) {
    failure ??= { error };
  }
  await Promise.all(running);
  if (!failure) return stored;
  await discard(blobs, stored);
  throw failure.error;
}

/** Deletes blobs that no row will name; what cannot be deleted is left to the sweep. */
export async function discard(
  blobs: Pick<BlobStore, 'delete'>,
  stored: readonly StoredBlob[],
): Promise<void> {
  const left = stored.values();
  const worker = async () => {
    // Places of entries that failed are empty.
    for (const blob of left) if (blob) await blobs.delete(blob.id).catch(() => {});
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function* only(bytes: Buffer): AsyncGenerator<Buffer> {
  if (bytes.length > 0) yield bytes;
}
