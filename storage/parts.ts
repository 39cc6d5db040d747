import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { BlobId, BlobPart, ByteRange } from './blobs.ts';
import { BlobCorrupt, BlobMissing } from './blobs.ts';

/** 16 bytes of id, 8 of plain size. */
export const PART_BYTES = 24;

/** The list of a joined blob's parts, as it is sealed. */
export function encodeParts(parts: readonly BlobPart[]): Buffer {
  const list = Buffer.alloc(parts.length * PART_BYTES);
  for (const [n, { id, size }] of parts.entries()) {
    list.write(id, n * PART_BYTES, 'hex');
    list.writeBigUInt64BE(BigInt(size), n * PART_BYTES + 16);
  }
  return list;
}

/** @param list the sealed list's plain bytes, whole. */
export async function decodeParts(list: Readable): Promise<BlobPart[]> {
  const bytes = await buffer(list);
  return Array.from({ length: bytes.length / PART_BYTES }, (_, n) => ({
    id: bytes.toString('hex', n * PART_BYTES, n * PART_BYTES + 16),
    size: Number(bytes.readBigUInt64BE(n * PART_BYTES + 16)),
  }));
}

/** What `range` takes of each part that it touches. */
function cut(parts: readonly BlobPart[], { start, end }: ByteRange) {
  const pieces: { n: number; part: BlobPart; range: ByteRange }[] = [];
  let at = 0;
  for (const [n, part] of parts.entries()) {
    const range = { start: Math.max(0, start - at), end: Math.min(part.size - 1, end - at) };
    if (range.start <= range.end) pieces.push({ n, part, range });
    at += part.size;
  }
  return pieces;
}

/** Damage to a part, told of the joined blob; other errors stay as they are. */
export const inPart = (id: BlobId, n: number, count: number, error: unknown): unknown =>
  error instanceof BlobMissing || error instanceof BlobCorrupt
    ? new BlobCorrupt(id, `in part ${n + 1} of ${count}: ${error.message}`)
    : error;

/**
 * The content of a joined blob as one stream. The first part that is wanted is opened, and its first chunk verified,
 * before this resolves; each other one when it is reached. `openPart` demands that a part has the size that is listed.
 * @throws {BlobCorrupt} named by the joined blob, also for a part that is missing; RangeError as `BlobStore.get`.
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
  // The generator never runs for a stream that is destroyed before its first read.
  stream.once('close', () => first?.destroy());
  return stream;
}
