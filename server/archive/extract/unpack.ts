import { Readable } from 'node:stream';
import type { BlobStore, StoredBlob } from '#storage/blobs.ts';
import { contentOf, requireReadable, locate } from '../read/content.ts';
import type { Entry } from '../read/directory.ts';
import type { Source } from '../read/source.ts';

/** Entries up to this size, packed and unpacked, are read completely, so that several can be stored concurrently. */
const SMALL_BYTES = 1024 * 1024;
const CONCURRENCY = 6;

interface Unpacking {
  source: Source;
  blobs: Pick<BlobStore, 'put' | 'delete'>;
  password?: string | undefined;
  signal: AbortSignal;
  /** Called with the number of unpacked bytes as they are written. */
  progress: (bytes: number) => void;
  /** Called with the first bytes of each entry's content, once it is stored. */
  onHead: (index: number, head: Buffer) => void;
}

/**
 * Stores the content of each entry as a blob. On failure or cancellation all blobs are deleted before it rejects.
 * @returns the blobs in the order of the entries.
 * @throws {ArchiveRefused} if an entry does not match its declaration; the signal's reason; errors of the store.
 */
export async function unpack(entries: readonly Entry[], work: Unpacking): Promise<StoredBlob[]> {
  const { source, blobs, password, signal, progress } = work;
  for (const entry of entries) requireReadable(entry, password);
  const stored: StoredBlob[] = [];
  const running = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;

  async function* withProgress(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      signal.throwIfAborted();
      progress(piece.length);
      yield piece;
    }
  }

  async function store(index: number, pieces: AsyncIterable<Buffer>): Promise<void> {
    const content = withProgress(contentOf(entries[index]!, pieces, password));
    const { head, ...blob } = await blobs.put(Readable.from(content, { objectMode: false }));
    stored[index] = blob;
    work.onHead(index, head);
  }

  function storeConcurrently(index: number, bytes: Buffer): void {
    const task: Promise<void> = store(index, piecesOf(bytes))
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
        storeConcurrently(index, await source.read(from, end - from));
        if (running.size >= CONCURRENCY) await Promise.race(running);
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

/** Deletes blobs that no row refers to. The sweep deletes those that cannot be deleted now. */
export async function discard(
  blobs: Pick<BlobStore, 'delete'>,
  stored: readonly StoredBlob[],
): Promise<void> {
  const remaining = stored.values();
  const worker = async () => {
    // The array is sparse if entries failed.
    for (const blob of remaining) if (blob) await blobs.delete(blob.id).catch(() => {});
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  if (bytes.length > 0) yield bytes;
}
