import { randomBytes } from 'node:crypto';
import type { BlobId, BlobStore, ByteRange, StoredBlob } from './blobs.ts';
import type { ByteReader, ByteStore } from './bytes.ts';
import { CHUNK_BYTES, sealedBytes } from './chunks.ts';
import { BlobCorrupt } from './blobs.ts';
import type { Header } from './header.ts';
import { HEADER_BYTES, openHeader, sealHeader } from './header.ts';
import type { MasterKey } from './masterkey.ts';
import { openPlain } from './plain.ts';
import { createContentWriter } from './putting.ts';

export interface SealedOptions {
  /** Plain bytes per chunk of new blobs; others are read whatever theirs is. */
  chunkBytes?: number;
}

/** A BlobStore over any driver, in the format that FORMAT.md describes. */
export function createSealedBlobs(
  bytes: ByteStore,
  master: MasterKey,
  { chunkBytes = CHUNK_BYTES }: SealedOptions = {},
): BlobStore {
  const write = createContentWriter(bytes, chunkBytes);

  async function put(source: AsyncIterable<Buffer | string>): Promise<StoredBlob> {
    const random = randomBytes(16 + 32 + 12);
    const id = random.toString('hex', 0, 16);
    const dataKey = random.subarray(16, 48);
    const nonce = random.subarray(48);
    const head = (size: number): Buffer => sealHeader(master, { id, size, chunkBytes, dataKey, nonce });
    return { id, ...(await write({ id, dataKey, source, head })) };
  }

  async function opened(id: BlobId): Promise<{ reader: ByteReader; header: Header }> {
    const reader = await bytes.open(id);
    try {
      const head = Buffer.allocUnsafe(HEADER_BYTES);
      const read = await reader.read(head, 0);
      const header = openHeader(master, id, head.subarray(0, read));
      if (typeof header === 'string') throw new BlobCorrupt(id, header);
      // Nothing authenticates a slot that is not used, and a store opens only while no key is being replaced.
      if (!header.otherEmpty) throw new BlobCorrupt(id, 'its unused slot is not empty');
      const { size, chunkBytes } = header;
      const missing = HEADER_BYTES + sealedBytes(size, chunkBytes) - reader.size;
      if (missing > 0) throw new BlobCorrupt(id, `its last ${missing} bytes are missing`);
      if (missing < 0) throw new BlobCorrupt(id, `${-missing} bytes too many follow its end`);
      return { reader, header };
    } catch (error) {
      await reader.close();
      throw error;
    }
  }

  return {
    put,
    async get(id, range?: ByteRange) {
      const { reader, header } = await opened(id);
      return openPlain(id, reader, header, range);
    },
    async size(id) {
      const { reader, header } = await opened(id);
      await reader.close();
      return header.size;
    },
    has: (id) => bytes.has(id),
    delete: (id) => bytes.delete(id),
    list: () => bytes.list(),
  };
}
