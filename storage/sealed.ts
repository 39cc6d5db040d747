import { createHash, randomBytes } from 'node:crypto';
import type { BlobId, BlobStore, ByteRange, StoredBlob } from './blobs.ts';
import type { ByteReader, ByteStore, ByteWriter } from './bytes.ts';
import { CHUNK_BYTES, sealChunk, sealedBytes } from './chunks.ts';
import { BlobCorrupt } from './blobs.ts';
import type { Header } from './header.ts';
import { HEADER_BYTES, openHeader, sealHeader } from './header.ts';
import type { MasterKey } from './masterkey.ts';
import { openPlain } from './plain.ts';

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
  // A chunk is gathered here and sealed into fresh memory at once, so buffers go round.
  const spare: Buffer[] = [];

  async function put(source: AsyncIterable<Buffer | string>): Promise<StoredBlob> {
    const random = randomBytes(16 + 32 + 12);
    const id = random.toString('hex', 0, 16);
    const dataKey = random.subarray(16, 48);
    const hash = createHash('sha256');
    const gathered = spare.pop() ?? Buffer.allocUnsafeSlow(chunkBytes);
    let filled = 0;
    let index = 0;
    let writer: ByteWriter | undefined;

    const seal = (last: boolean): Promise<void> | undefined => {
      const plain = gathered.subarray(0, filled);
      hash.update(plain);
      writer ??= bytes.create(id, HEADER_BYTES);
      const wait = writer.write(sealChunk(dataKey, index, last, plain));
      if (last) return wait;
      index += 1;
      filled = 0;
      return wait;
    };

    try {
      for await (const piece of source) {
        const given = typeof piece === 'string' ? Buffer.from(piece) : piece;
        let taken = 0;
        while (taken < given.length) {
          // A full chunk is sealed only when more comes: until then it may be the last.
          if (filled === chunkBytes) await seal(false);
          const copied = given.copy(gathered, filled, taken);
          filled += copied;
          taken += copied;
        }
      }
      await seal(true);
      const size = index * chunkBytes + filled;
      await writer!.commit(sealHeader(master, { id, size, chunkBytes, dataKey, nonce: random.subarray(48) }));
      return { id, size, sha256: hash.digest('hex') };
    } catch (error) {
      await writer?.abort();
      throw error;
    } finally {
      if (spare.length < 4) spare.push(gathered);
    }
  }

  /** Opens the blob and hands it to `use`, which closes it; closes it itself when anything fails before. */
  async function opened(id: BlobId): Promise<{ reader: ByteReader; header: Header }> {
    const reader = await bytes.open(id);
    try {
      const head = Buffer.allocUnsafe(HEADER_BYTES);
      const read = await reader.read(head, 0);
      const header = openHeader(master, id, head.subarray(0, read));
      if (typeof header === 'string') throw new BlobCorrupt(id, header);
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
