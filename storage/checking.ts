import { createSecretKey } from 'node:crypto';
import type { BlobId } from './blobs.ts';
import { BlobCorrupt } from './blobs.ts';
import type { ByteReader } from './bytes.ts';
import { chunkCheck, chunkCount, sealedBytes } from './chunks.ts';
import type { Header } from './header.ts';
import { HEADER_BYTES, openHeader } from './header.ts';
import type { MasterKey } from './masterkey.ts';
import { PART_BYTES } from './joined-blob.ts';
import { openPlain } from './plain.ts';

/** The plain size of the data after a header: the content, or the list of its parts. */
export const bodyBytes = ({ size, parts }: Header): number => (parts > 0 ? parts * PART_BYTES : size);

/**
 * Opens the header of a sealed file with the key and checks the file's length.
 * @throws {BlobCorrupt} `reader` stays open.
 */
export async function checkHeader(master: MasterKey, id: BlobId, reader: ByteReader): Promise<Header> {
  const head = Buffer.allocUnsafe(HEADER_BYTES);
  const read = await reader.read(head, 0);
  const header = openHeader(master, id, head.subarray(0, read));
  if (typeof header === 'string') throw new BlobCorrupt(id, header);
  // An unused slot is not authenticated, so it must be empty; a store opens only while no key is being replaced.
  if (!header.otherEmpty) throw new BlobCorrupt(id, 'its unused slot is not empty');
  const missing = HEADER_BYTES + sealedBytes(bodyBytes(header), header.chunkBytes) - reader.size;
  if (missing > 0) throw new BlobCorrupt(id, `its last ${missing} bytes are missing`);
  if (missing < 0) throw new BlobCorrupt(id, `${-missing} bytes too many follow its end`);
  return header;
}

export type PassingCheck = (bytes: Buffer) => void;

/**
 * Verifies the chunks of one sealed file as its bytes pass by, so that a copy of it takes no second read.
 * @param header of the file, whose length was checked with it.
 * @returns takes the file's bytes in their order, from its first. It throws BlobCorrupt.
 */
export function passingCheck(id: BlobId, header: Header): PassingCheck {
  const { chunkBytes } = header;
  const body = bodyBytes(header);
  const key = createSecretKey(header.dataKey);
  const count = chunkCount(body, chunkBytes);
  const check = (index: number) =>
    chunkCheck(key, index, index === count - 1, Math.min(chunkBytes, body - index * chunkBytes));
  let headerLeft = HEADER_BYTES;
  let index = 0;
  let chunk = check(index);
  return (bytes) => {
    let at = Math.min(headerLeft, bytes.length);
    headerLeft -= at;
    while (at < bytes.length) {
      at += chunk.take(bytes.subarray(at));
      if (!chunk.isWhole()) continue;
      if (!chunk.isSound()) throw new BlobCorrupt(id, `chunk ${index} of ${count} is altered`);
      index += 1;
      if (index < count) chunk = check(index);
    }
  };
}

/**
 * Verifies every chunk of one sealed file; the parts of a joined blob are verified as separate files.
 * @throws {BlobCorrupt} `reader` is closed in every case.
 */
export async function checkChunks(id: BlobId, reader: ByteReader, header: Header): Promise<void> {
  for await (const chunk of await openPlain(id, reader, { ...header, size: bodyBytes(header) })) void chunk;
}
