import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type {
  BlobId,
  BlobPart,
  BlobStore,
  ByteRange,
  PutBlob,
  PutOptions,
  StoredBlob,
  Sums,
} from './blobs.ts';
import type { ByteReader, ByteStore } from './bytes.ts';
import { bodyBytes, checkHeader } from './checking.ts';
import { CHUNK_BYTES } from './chunks.ts';
import { BlobCorrupt } from './blobs.ts';
import type { Header } from './header.ts';
import { sealHeader } from './header.ts';
import type { MasterKey } from './masterkey.ts';
import { decodeParts, encodeParts, inPart, openParts } from './joined-blob.ts';
import { openPlain } from './plain.ts';
import { createContentWriter } from './putting.ts';

interface SealedOptions {
  /** Plain bytes per chunk of new blobs; existing blobs may have another size. */
  chunkBytes?: number;
}

/** A BlobStore on any driver, in the format of FORMAT.md. */
export function createSealedBlobs(
  bytes: ByteStore,
  master: MasterKey,
  { chunkBytes = CHUNK_BYTES }: SealedOptions = {},
): BlobStore {
  const { write, runningSums } = createContentWriter(bytes, chunkBytes);

  function created() {
    const random = randomBytes(16 + 32 + 12);
    const id = random.toString('hex', 0, 16);
    return { id, dataKey: random.subarray(16, 48), nonce: random.subarray(48), chunkBytes };
  }

  async function put(source: AsyncIterable<Buffer | string>, options: PutOptions = {}): Promise<PutBlob> {
    const { id, ...secrets } = created();
    const head = (size: number): Buffer => sealHeader(master, { id, size, ...secrets });
    return { id, ...(await write({ id, dataKey: secrets.dataKey, source, head, ...options })) };
  }

  async function join(parts: readonly BlobPart[], { sha256, crc32 }: Sums): Promise<StoredBlob> {
    if (parts.length === 0) throw new RangeError('a joined blob has at least one part');
    const { id, ...secrets } = created();
    const size = parts.reduce((sum, part) => sum + part.size, 0);
    const head = (): Buffer => sealHeader(master, { id, size, parts: parts.length, ...secrets });
    const source = Readable.from([encodeParts(parts)]);
    await write({ id, dataKey: secrets.dataKey, source, head });
    return { id, size, sha256, crc32 };
  }

  async function opened(id: BlobId): Promise<{ reader: ByteReader; header: Header }> {
    const reader = await bytes.open(id);
    try {
      return { reader, header: await checkHeader(master, id, reader) };
    } catch (error) {
      await reader.close();
      throw error;
    }
  }

  async function openedPart({ id, size }: BlobPart): Promise<{ reader: ByteReader; header: Header }> {
    const { reader, header } = await opened(id);
    if (header.size === size && header.parts === 0) return { reader, header };
    await reader.close();
    throw new BlobCorrupt(id, 'it is not the part that is listed');
  }

  async function openPart(part: BlobPart, range: ByteRange): Promise<Readable> {
    const { reader, header } = await openedPart(part);
    return openPlain(part.id, reader, header, range);
  }

  return {
    put,
    runningSums,
    join,
    async get(id, range?: ByteRange) {
      const { reader, header } = await opened(id);
      if (header.parts === 0) return openPlain(id, reader, header, range);
      const list = await openPlain(id, reader, { ...header, size: bodyBytes(header) });
      return openParts(id, await decodeParts(list), openPart, range);
    },
    async size(id) {
      const { reader, header } = await opened(id);
      if (header.parts > 0) {
        const parts = await decodeParts(await openPlain(id, reader, { ...header, size: bodyBytes(header) }));
        for (const [n, part] of parts.entries()) {
          const { reader: partReader } = await openedPart(part).catch((error: unknown) => {
            throw inPart(id, n, parts.length, error);
          });
          await partReader.close();
        }
      } else await reader.close();
      return header.size;
    },
    has: (id) => bytes.has(id),
    delete: (id) => bytes.delete(id),
    list: () => bytes.list(),
    ...(bytes.discardUnfinished && { discardUnfinished: (before) => bytes.discardUnfinished!(before) }),
  };
}
