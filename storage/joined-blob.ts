import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { BlobId, BlobPart, ByteRange } from './blobs.ts';
import { BlobCorrupt, BlobMissing } from './blobs.ts';

/** Per part: 16 bytes of id, 8 of plain size. */
export const PART_BYTES = 24;

/** Encodes the list of a joined blob's parts, before sealing. */
export function encodeParts(parts: readonly BlobPart[]): Buffer {
  const list = Buffer.alloc(parts.length * PART_BYTES);
  for (const [n, { id, size }] of parts.entries()) {
    list.write(id, n * PART_BYTES, 'hex');
    list.writeBigUInt64BE(BigInt(size), n * PART_BYTES + 16);
  }
  return list;
}

/** Decodes the list of parts. @param list its complete plain bytes. */
export async function decodeParts(list: Readable): Promise<BlobPart[]> {
  const bytes = await buffer(list);
  return Array.from({ length: bytes.length / PART_BYTES }, (_, n) => ({
    id: bytes.toString('hex', n * PART_BYTES, n * PART_BYTES + 16),
    size: Number(bytes.readBigUInt64BE(n * PART_BYTES + 16)),
  }));
}

/** The part of `range` in each part of the blob that it touches. */
function cut(parts: readonly BlobPart[], { start, end }: ByteRange) {
  const pieces: { n: number; part: BlobPart; range: ByteRange }[] = [];
  let offset = 0;
  for (const [n, part] of parts.entries()) {
    const range = { start: Math.max(0, start - offset), end: Math.min(part.size - 1, end - offset) };
    if (range.start <= range.end) pieces.push({ n, part, range });
    offset += part.size;
  }
  return pieces;
}

/** Converts damage of a part to damage of the joined blob; other errors are returned unchanged. */
export const inPart = (id: BlobId, n: number, count: number, error: unknown): unknown =>
  error instanceof BlobMissing || error instanceof BlobCorrupt
    ? new BlobCorrupt(id, `in part ${n + 1} of ${count}: ${error.message.replace(/\.$/, '')}`)
    : error;

/**
 * The content of a joined blob as one stream. Before this resolves, the first requested part is opened and its first chunk
 * verified; each further part is opened when it is reached. `openPart` checks that a part has its listed size.
 * @throws {BlobCorrupt} with the id of the joined blob, also for a missing part; RangeError like `BlobStore.get`.
 */
export async function openParts(
  id: BlobId,
  parts: readonly BlobPart[],
  openPart: (part: BlobPart, range: ByteRange) => Promise<Readable>,
  range?: ByteRange,
): Promise<Readable> {
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  const { start, end } = range ?? { start: 0, end: size - 1 };
  const fits = Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start <= end && end < size;
  if (range && !fits) {
    throw new RangeError(`Bytes ${start} to ${end} are not within the ${size} bytes of blob ${id}.`);
  }
  const wanted = cut(parts, { start, end });
  const open = async ({ n, part, range: within }: (typeof wanted)[number]): Promise<Readable> => {
    try {
      return await openPart(part, within);
    } catch (error) {
      throw inPart(id, n, parts.length, error);
    }
  };
  const first = wanted[0] && (await open(wanted[0]));

  async function* content(): AsyncGenerator<Buffer> {
    for (const piece of wanted) {
      const stream = piece === wanted[0] ? first! : await open(piece);
      try {
        yield* stream;
      } catch (error) {
        throw inPart(id, piece.n, parts.length, error);
      }
    }
  }

  const stream = Readable.from(first ? content() : [], { highWaterMark: 1 });
  // For a stream destroyed before its first read, the generator never runs.
  stream.once('close', () => first?.destroy());
  return stream;
}
