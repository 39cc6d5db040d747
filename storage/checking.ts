import type { BlobId } from './blobs.ts';
import { BlobCorrupt } from './blobs.ts';
import type { ByteReader } from './bytes.ts';
import { sealedBytes } from './chunks.ts';
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

/**
 * Verifies every chunk of one sealed file; the parts of a joined blob are verified as separate files.
 * @throws {BlobCorrupt} `reader` is closed in every case.
 */
export async function checkChunks(id: BlobId, reader: ByteReader, header: Header): Promise<void> {
  for await (const chunk of await openPlain(id, reader, { ...header, size: bodyBytes(header) })) void chunk;
}
