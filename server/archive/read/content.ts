import { pipeline, Readable } from 'node:stream';
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import { decrypt } from './ciphers.ts';
import type { Entry } from './directory.ts';
import { unreadable } from './directory.ts';
import * as records from './records.ts';
import { ArchiveRefused, damaged, passwordNeeded, shown, unsafe, wrongPassword } from './refusal.ts';
import type { Source } from './source.ts';

const STORED = 0;
const DEFLATED = 8;
const METHODS: Record<number, string> = {
  9: 'Deflate64',
  12: 'bzip2',
  14: 'LZMA',
  93: 'Zstandard',
  95: 'XZ',
  98: 'PPMd',
};
const OUTPUT_CHUNK_BYTES = 256 * 1024;
/** Entries up to this size, packed and unpacked, are inflated synchronously: it takes a millisecond at most, less than a stream. */
const SYNC_BYTES = 128 * 1024;

/** @throws {ArchiveRefused} if the entry's compression is not supported, or it needs a password and none is given. */
export function requireReadable({ name, method, encryption }: Entry, password: string | undefined): void {
  if (method !== STORED && method !== DEFLATED) {
    const how = METHODS[method] ?? `method ${method}`;
    throw unreadable(`is compressed with ${how} (${shown(name)}), which can't be read here`);
  }
  if (encryption && password === undefined) throw passwordNeeded();
}

/**
 * The byte range of an entry's data, by its local header.
 * @throws {ArchiveRefused} if the local header contradicts the directory.
 */
export async function locate(source: Source, entry: Entry): Promise<{ start: number; end: number }> {
  const head = await source.read(entry.offset, records.LOCAL_BYTES);
  const agrees =
    head.readUInt32LE(0) === records.LOCAL_SIGNATURE &&
    head.readUInt16LE(8) === entry.writtenMethod &&
    (head.readUInt16LE(6) & 1) === (entry.flags & 1);
  if (!agrees) throw damaged(`${shown(entry.name)} is not where its list of contents says`);
  const start = entry.offset + records.LOCAL_BYTES + head.readUInt16LE(26) + head.readUInt16LE(28);
  const end = start + entry.compressedSize;
  if (end > entry.limit) throw unsafe(`${shown(entry.name)} and another of its entries lie over each other`);
  return { start, end };
}

/**
 * Decrypts and decompresses the content of an entry. It fails if the content is larger or smaller than declared, or its checksum is
 * wrong. The last piece is held back until the checks have passed, so that a faulty entry is never delivered completely. Ending the
 * iteration early frees all resources.
 * @throws {ArchiveRefused}
 */
export async function* contentOf(
  entry: Entry,
  pieces: AsyncIterable<Buffer>,
  password?: string,
): AsyncGenerator<Buffer> {
  const { name, size, encryption } = entry;
  let seen = 0;
  let crc = 0;
  let held: Buffer | undefined;
  // One wrong password in 256 passes the traditional cipher's check, and only the faulty content reveals it.
  const wrong = (what: string, cause?: unknown) =>
    encryption?.kind === 'zipcrypto' ? wrongPassword() : damaged(`${shown(name)} ${what}`, cause);

  const plain = encryption ? decrypt(pieces, encryption, password ?? '') : pieces;
  const small = Math.max(size, entry.compressedSize) <= SYNC_BYTES;
  const inflate = small ? inflateSync : inflateStream;
  const opened = entry.method === DEFLATED ? inflate(plain, size) : plain;
  try {
    for await (const piece of opened) {
      seen += piece.length;
      if (seen > size) throw wrong('is larger than it says');
      crc = crc32(piece, crc);
      if (held) yield held;
      held = piece;
    }
  } catch (error) {
    if (error instanceof ArchiveRefused || !isZlib(error)) throw error;
    if (error.code === TOO_LARGE) throw wrong('is larger than it says', error);
    throw wrong('cannot be read to its end', error);
  }
  if (seen < size) throw wrong('is smaller than it says');
  const checked = encryption?.kind !== 'aes' || encryption.hasCrc;
  if (checked && crc !== entry.crc) throw wrong('does not have the content it should');
  if (held) yield held;
}

const TOO_LARGE = 'ERR_BUFFER_TOO_LARGE';
const isZlib = (error: unknown): error is NodeJS.ErrnoException => {
  const { code = '' } = error as NodeJS.ErrnoException;
  return code === TOO_LARGE || code.startsWith('Z_');
};

async function* inflateSync(pieces: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  const packed = Buffer.concat(await Array.fromAsync(pieces));
  if (packed.length > 0) yield inflateRawSync(packed, { maxOutputLength: Math.max(1, size) });
}

async function* inflateStream(pieces: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ chunkSize: Math.max(1024, Math.min(OUTPUT_CHUNK_BYTES, size + 1)) });
  const input = Readable.from(pieces, { objectMode: false, highWaterMark: 1 });
  pipeline(input, inflate, () => {});
  try {
    yield* inflate as AsyncIterable<Buffer>;
  } finally {
    inflate.destroy();
    input.destroy();
  }
}
