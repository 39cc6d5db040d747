import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { readFailure } from '#server/http/storage-failure.ts';
import type { ByteRange } from '#storage/blobs.ts';
import { uniquePaths } from './paths.ts';
import type { Recorded } from './records.ts';
import * as records from './records.ts';

export interface ZipEntry {
  /** The folders from the archive's root, then the name. */
  path: string[];
  type: 'folder' | 'file';
  /** Bytes; 0 for a folder. */
  size: number;
  modifiedAt: Date;
  /** The checksum of the content. If it is not known, it is computed while the content is sent. */
  crc32?: number | null;
  /** Called when the entry is about to be sent. The stream's buffers are passed on without a copy. */
  open: (range?: ByteRange) => Promise<Readable>;
}

export interface Zip {
  /** The size of the archive in bytes. */
  size: number;
  /**
   * The archive or a range of it, produced while it is read. Destroying the stream closes all open files. A file that fails destroys the
   * stream, so that it never ends as a valid archive.
   */
  open: (range?: ByteRange) => Readable;
}

/** An entry with its positions in the archive: of its data, of its end, and of its directory record. */
interface PositionedEntry extends Recorded {
  data: number;
  end: number;
  record: number;
}

/** Files that are opened ahead: opening one waits for the disk several times, longer than sending a small file takes. */
const MAX_AHEAD = 3;
/** Small pieces are joined to chunks of this size, so that a folder of small files is not sent in a hundred thousand writes. */
const CHUNK_BYTES = 64 * 1024;
/** The first chunk; each following one is twice as large. A browser shows a download once its first bytes have arrived. */
const FIRST_CHUNK_BYTES = 4 * 1024;

/**
 * A ZIP whose bytes depend on its entries alone. Entries are stored uncompressed, since most files of a firm (PDF, photos, Office files)
 * are compressed already. So the size and every position are known in advance: browsers can show the progress of a download, detect
 * that it was cut off, and resume it. Zip64 is used if the format requires it.
 * @param onChecksum receives the checksums that were computed.
 */
export function createZip(
  entries: readonly ZipEntry[],
  onChecksum: (entry: ZipEntry, crc: number) => void = () => {},
): Zip {
  const { positioned, directory, end } = layOut(entries);
  const closing = records.endRecords(positioned.length, end - directory, directory);
  const size = end + closing.length;
  const crcs = entries.map((entry) => (entry.size === 0 ? 0 : (entry.crc32 ?? undefined)));

  function open({ start, end: last }: ByteRange = { start: 0, end: size - 1 }): Readable {
    const beyond = last + 1;
    const reading = new Set<Readable>();
    /** Files that were opened ahead, by index. */
    const ahead = new Map<number, Promise<Readable>>();

    async function openFile(index: number, range?: ByteRange): Promise<Readable> {
      const opened = await entries[index]!.open(range);
      reading.add(opened.once('close', () => reading.delete(opened)));
      // An error before anything is read would crash the process; the reader receives it anyway.
      opened.on('error', () => {});
      if (output.destroyed) opened.destroy();
      return opened;
    }

    /** The file at this index, opened ahead if possible; then opens the following ones ahead. */
    function take(index: number): Promise<Readable> {
      const taken = ahead.get(index) ?? openFile(index);
      ahead.delete(index);
      for (let next = index + 1; ahead.size < MAX_AHEAD && next < positioned.length; next += 1) {
        if (positioned[next]!.end > beyond) break;
        if (positioned[next]!.size === 0 || ahead.has(next)) continue;
        const opening = openFile(next);
        opening.catch(() => {});
        ahead.set(next, opening);
      }
      return taken;
    }

    async function* content(index: number, from: number, to: number): AsyncGenerator<Buffer> {
      const { name, size } = positioned[index]!;
      const isComplete = from === 0 && to === size;
      let left = to - from;
      let crc = 0;
      try {
        for await (const piece of await (isComplete
          ? take(index)
          : openFile(index, { start: from, end: to - 1 }))) {
          left -= piece.length;
          if (left < 0) break;
          if (crcs[index] === undefined) crc = crc32(piece, crc);
          yield piece;
        }
        if (left !== 0) throw new Error(`It does not have the ${size} bytes on record.`);
      } catch (cause) {
        throw readFailure(cause, name);
      }
      if (isComplete && crcs[index] === undefined) onChecksum(entries[index]!, (crcs[index] = crc));
    }

    /** Reads a file only for its checksum, if it lies in front of the requested range. */
    async function crcOf(index: number): Promise<number> {
      for await (const _ of content(index, 0, positioned[index]!.size));
      return crcs[index]!;
    }

    /** The part of `bytes`, which begin at `offset`, that is inside the requested range. */
    const cut = (bytes: Buffer, offset: number): Buffer =>
      bytes.subarray(Math.max(0, start - offset), Math.max(0, beyond - offset));

    async function* pieces(): AsyncGenerator<Buffer> {
      for (const [index, entry] of positioned.entries()) {
        if (entry.end <= start) continue;
        if (entry.offset >= beyond) return;
        const { data } = entry;
        const after = data + entry.size;
        if (start < data) yield cut(records.localHeader(entry), entry.offset);
        const [from, to] = [Math.max(start, data), Math.min(beyond, after)];
        if (from < to) yield* content(index, from - data, to - data);
        if (entry.type === 'file' && beyond > after)
          yield cut(records.descriptor(entry, crcs[index] ?? (await crcOf(index))), after);
      }
      for (const [index, entry] of positioned.entries()) {
        const { record } = entry;
        if (record >= beyond) return;
        if (record + records.centralBytes(entry) > start)
          yield cut(records.centralRecord(entry, crcs[index] ?? (await crcOf(index))), record);
      }
      yield cut(closing, end);
    }

    const output = Readable.from(joinPieces(pieces()), { highWaterMark: 1 });
    output.once('close', () => {
      for (const stream of reading) stream.destroy();
    });
    return output;
  }

  return { size, open };
}

function layOut(entries: readonly ZipEntry[]): {
  positioned: PositionedEntry[];
  directory: number;
  end: number;
} {
  const names = uniquePaths(entries);
  let offset = 0;
  const positioned = entries.map(({ type, size, modifiedAt }, index): PositionedEntry => {
    const name = names[index]!;
    const entry = { name, nameBytes: Buffer.byteLength(name), type, size, offset, modifiedAt };
    const data = offset + records.localBytes(entry);
    const end = data + size + records.descriptorBytes(entry);
    offset = end;
    return { ...entry, data, end, record: 0 };
  });
  const directory = offset;
  let end = directory;
  for (const entry of positioned) {
    entry.record = end;
    end += records.centralBytes(entry);
  }
  return { positioned, directory, end };
}

async function* joinPieces(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  let chunkBytes = FIRST_CHUNK_BYTES;
  for await (const piece of pieces) {
    if (piece.length > 0) held.push(piece);
    bytes += piece.length;
    if (bytes < chunkBytes) continue;
    chunkBytes = Math.min(2 * chunkBytes, CHUNK_BYTES);
    // A large piece is not copied just to join it with the header in front of it.
    if (piece.length >= CHUNK_BYTES) held.pop();
    if (held.length > 0) yield Buffer.concat(held);
    if (piece.length >= CHUNK_BYTES) yield piece;
    held = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(held);
}
