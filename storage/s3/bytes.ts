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

/** Asked for when an object is opened: a small one comes whole, of a large one the beginning. */
const OPENING = 160 + 4 * (256 * 1024 + 16);
/** What is remembered of objects opened before, so that the next range of one takes one request and not two. */
const BEGINNING = 160;
const REMEMBERED = 4096;
/** Milliseconds. Objects never change, but another process may delete one. */
const REMEMBERED_FOR = 60_000;

export type S3Bytes = ByteStore & Required<Pick<ByteStore, 'discardUnfinished'>>;

interface Remembered {
  size: number;
  head: Buffer;
  at: number;
}

/** A driver that keeps each object in a bucket of an S3 server, under `blobs/`. What is there is never written again. */
export function openS3Bytes(client: S3Client, { pageKeys }: { pageKeys?: number } = {}): S3Bytes {
  const known = new Map<string, Remembered>();

  function remember(id: string, size: number, head: Buffer): void {
    if (known.size >= REMEMBERED) known.delete(known.keys().next().value!);
    known.set(id, { size, head: Buffer.from(head), at: performance.now() });
  }
  function recall(id: string): Remembered | undefined {
    const found = known.get(id);
    if (!found || performance.now() - found.at < REMEMBERED_FOR) return found;
    known.delete(id);
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
      const { stream, size } = await askRange(client, of, 0, OPENING);
      const reader = createS3Reader(client, of, size);
      reader.begin(stream, 0, Math.min(size, OPENING));
      return {
        ...reader,
        async read(into, position) {
          const read = await reader.read(into, position);
          if (position === 0 && read === BEGINNING) remember(id, size, into.subarray(0, BEGINNING));
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
      known.delete(id);
      await client.ask({ method: 'DELETE', key: keyOf(id) }, { missing: true });
    },

    async *list() {
      for await (const { key, changedAt } of listKeys(client, FOLDER, pageKeys)) {
        const id = idOf(key);
        if (isBlobId(id) && key === keyOf(id)) yield { id, storedAt: changedAt };
      }
    },

    async discardUnfinished(before) {
      let gone = 0;
      for await (const { key, uploadId, begunAt } of listUnfinished(client, FOLDER)) {
        if (begunAt.getTime() >= before.getTime()) continue;
        await client.ask({ method: 'DELETE', key, query: { uploadId } }, { missing: true });
        gone += 1;
      }
      return gone;
    },
  };
}
