import { BlobMissing } from '../blobs.ts';
import type { ByteReader, ByteStore } from '../bytes.ts';
import { isBlobId } from '../bytes.ts';
import type { S3Client } from './client.ts';
import { listKeys, listUnfinished } from './listing.ts';
import { askRange, createS3Reader } from './reader.ts';
import { createS3Writer } from './writer.ts';

const FOLDER = 'blobs/';
const keyOf = (id: string): string => `${FOLDER}${id.slice(0, 2)}/${id.slice(2)}`;
const idOf = (key: string): string => key.slice(FOLDER.length).replace('/', '');

/** Number of bytes of an object's header, which is cached, so that the next range takes one request instead of two. */
const HEADER_BYTES = 160;
/** Number of bytes requested when an object is opened: all of a small object, the beginning of a large one. */
const FIRST_RANGE_BYTES = HEADER_BYTES + 4 * (256 * 1024 + 16);
const MAX_CACHED_HEADERS = 4096;
/** Lifetime of a cached header in ms. Objects never change, but another process may delete one. */
const CACHE_MS = 60_000;

export type S3Bytes = ByteStore & Required<Pick<ByteStore, 'discardUnfinished'>>;

interface CachedHeader {
  size: number;
  head: Buffer;
  time: number;
}

/** The storage driver that keeps each object in an S3 bucket, under `blobs/`. An existing object is never overwritten. */
export function openS3Bytes(client: S3Client, { pageKeys }: { pageKeys?: number } = {}): S3Bytes {
  const headers = new Map<string, CachedHeader>();

  function remember(id: string, size: number, head: Buffer): void {
    if (headers.size >= MAX_CACHED_HEADERS) headers.delete(headers.keys().next().value!);
    headers.set(id, { size, head: Buffer.from(head), time: performance.now() });
  }
  function recall(id: string): CachedHeader | undefined {
    const found = headers.get(id);
    if (!found || performance.now() - found.time < CACHE_MS) return found;
    headers.delete(id);
    return undefined;
  }

  return {
    create(id, headBytes) {
      if (!isBlobId(id)) throw new RangeError('not a blob id');
      return createS3Writer(client, keyOf(id), headBytes);
    },

    async open(id): Promise<ByteReader> {
      if (!isBlobId(id)) throw new BlobMissing(id);
      const of = { id, key: keyOf(id) };
      const before = recall(id);
      if (before) {
        const { size, head } = before;
        const reader = createS3Reader(client, of, size);
        return {
          ...reader,
          read: async (into, position) =>
            position + into.length <= head.length
              ? head.copy(into, 0, position)
              : reader.read(into, position),
        };
      }
      const { stream, size } = await askRange(client, of, 0, FIRST_RANGE_BYTES);
      const reader = createS3Reader(client, of, size);
      reader.begin(stream, 0, Math.min(size, FIRST_RANGE_BYTES));
      return {
        ...reader,
        async read(into, position) {
          const read = await reader.read(into, position);
          if (position === 0 && read === HEADER_BYTES) remember(id, size, into.subarray(0, HEADER_BYTES));
          return read;
        },
      };
    },

    async has(id) {
      if (!isBlobId(id)) return false;
      return (await client.ask({ method: 'HEAD', key: keyOf(id) }, { missing: true })).status === 200;
    },

    async delete(id) {
      if (!isBlobId(id)) return;
      headers.delete(id);
      await client.ask({ method: 'DELETE', key: keyOf(id) }, { missing: true });
    },

    async *list() {
      for await (const { key, changedAt } of listKeys(client, FOLDER, pageKeys)) {
        const id = idOf(key);
        if (isBlobId(id) && key === keyOf(id)) yield { id, storedAt: changedAt };
      }
    },

    async discardUnfinished(before) {
      let aborted = 0;
      for await (const { key, uploadId, begunAt } of listUnfinished(client, FOLDER)) {
        if (begunAt.getTime() >= before.getTime()) continue;
        await client.ask({ method: 'DELETE', key, query: { uploadId } }, { missing: true });
        aborted += 1;
      }
      return aborted;
    },
  };
}
