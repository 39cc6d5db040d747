import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { readFailure } from '#server/http/storage-failure.ts';
import type { ByteRange } from '#storage/blobs.ts';
import { uniquePaths } from './paths.ts';
import type { Recorded } from './records.ts';
import * as records from './records.ts';

export interface ZipEntry {
  /** Folders from the archive's root, then the name. */
  path: string[];
  type: 'folder' | 'file';
  /** Bytes; 0 for a folder. */
  size: number;
  modifiedAt: Date;
  /** Of the content. Where it is not known, it is counted while the content is sent. */
  crc32?: number | null;
  /** Called when the entry's turn comes, or while the one before is sent. Its buffers are given away. */
  open: (range?: ByteRange) => Promise<Readable>;
}

export interface Zip {
  /** Bytes of the finished archive. */
  size: number;
  /**
   * The archive or a part of it, made while it is read. Destroying the stream closes what it reads; a file that fails
   * destroys it, so it never ends as a valid archive.
   */
  open: (range?: ByteRange) => Readable;
}

/** An entry at its place: header, data, checksum, and the place of its record in the directory. */
interface Placed extends Recorded {
  data: number;
  end: number;
  record: number;
}

/** Opening a file takes several waits for the disk, longer than sending a small one: so many are opened before their turn. */
const AHEAD = 3;
/** Smaller pieces are joined to this: a folder of small files is not sent in a hundred thousand writes. */
const JOINED_BYTES = 64 * 1024;
/** So many are sent first, then twice as many each time: a browser shows a download once its first bytes have come. */
const FIRST_BYTES = 4 * 1024;

/**
 * A ZIP whose bytes follow from its entries alone. They are stored, not deflated: most of what a firm keeps (PDF,
 * photos, Office files) is compressed already, and so every byte's place is known before the first is made. The browser
 * shows how long it takes, notices a download that was cut, and can go on with it. Zip64 where the format needs it.
 * @param counted is told the checksums that were not known.
 */
export function createZip(
  entries: readonly ZipEntry[],
  counted: (entry: ZipEntry, crc: number) => void = () => {},
): Zip {
  const { placed, directory, end } = place(entries);
  const closing = records.endRecords(placed.length, end - directory, directory);
  const size = end + closing.length;
  const crcs = entries.map((entry) => (entry.size === 0 ? 0 : (entry.crc32 ?? undefined)));

  function open({ start, end: last }: ByteRange = { start: 0, end: size - 1 }): Readable {
    const beyond = last + 1;
    const reading = new Set<Readable>();
    /** Files that are opened before their turn, by their place. */
    const ahead = new Map<number, Promise<Readable>>();

    async function source(at: number, range?: ByteRange): Promise<Readable> {
      const opened = await entries[at]!.open(range);
      reading.add(opened.once('close', () => reading.delete(opened)));
      // Whoever reads it hears of it; before that nobody listens.
      opened.on('error', () => {});
      if (output.destroyed) opened.destroy();
      return opened;
    }

    /** Opened already, if its turn was near; then those that come next are. */
    function take(at: number): Promise<Readable> {
      const taken = ahead.get(at) ?? source(at);
      ahead.delete(at);
      for (let next = at + 1; ahead.size < AHEAD && next < placed.length; next += 1) {
        if (placed[next]!.end > beyond) break;
        if (placed[next]!.size === 0 || ahead.has(next)) continue;
        const opening = source(next);
        opening.catch(() => {});
        ahead.set(next, opening);
      }
      return taken;
    }

    async function* content(at: number, from: number, to: number): AsyncGenerator<Buffer> {
      const { name, size: all } = placed[at]!;
      const whole = from === 0 && to === all;
      let left = to - from;
      let crc = 0;
      try {
        for await (const piece of await (whole ? take(at) : source(at, { start: from, end: to - 1 }))) {
          left -= piece.length;
          if (left < 0) break;
          if (crcs[at] === undefined) crc = crc32(piece, crc);
          yield piece;
        }
        if (left !== 0) throw new Error(`It does not have the ${all} bytes on record.`);
      } catch (cause) {
        throw readFailure(cause, name);
      }
      if (whole && crcs[at] === undefined) counted(entries[at]!, (crcs[at] = crc));
    }

    /** Reads the file for it alone where nobody has yet, as for what lies before a part that is asked for. */
    async function crcOf(at: number): Promise<number> {
      for await (const _ of content(at, 0, placed[at]!.size));
      return crcs[at]!;
    }

    /** What is asked for of bytes that begin at `at`. */
    const cut = (bytes: Buffer, at: number): Buffer =>
      bytes.subarray(Math.max(0, start - at), Math.max(0, beyond - at));

    async function* pieces(): AsyncGenerator<Buffer> {
      for (const [at, entry] of placed.entries()) {
        if (entry.end <= start) continue;
        if (entry.offset >= beyond) return;
        const { data } = entry;
        const after = data + entry.size;
        if (start < data) yield cut(records.localHeader(entry), entry.offset);
        const [from, to] = [Math.max(start, data), Math.min(beyond, after)];
        if (from < to) yield* content(at, from - data, to - data);
        if (entry.type === 'file' && beyond > after)
          yield cut(records.descriptor(entry, crcs[at] ?? (await crcOf(at))), after);
      }
      for (const [at, entry] of placed.entries()) {
        const { record } = entry;
        if (record >= beyond) return;
        if (record + records.centralBytes(entry) > start)
          yield cut(records.centralRecord(entry, crcs[at] ?? (await crcOf(at))), record);
      }
      yield cut(closing, end);
    }

    const output = Readable.from(joined(pieces()), { highWaterMark: 1 });
    output.once('close', () => {
      for (const stream of reading) stream.destroy();
    });
    return output;
  }

  return { size, open };
}

function place(entries: readonly ZipEntry[]): { placed: Placed[]; directory: number; end: number } {
  const names = uniquePaths(entries);
  let offset = 0;
  const placed = entries.map(({ type, size, modifiedAt }, at): Placed => {
    const name = names[at]!;
    const entry = { name, nameBytes: Buffer.byteLength(name), type, size, offset, modifiedAt };
    const data = offset + records.localBytes(entry);
    const end = data + size + records.descriptorBytes(entry);
    offset = end;
    return { ...entry, data, end, record: 0 };
  });
  const directory = offset;
  let end = directory;
  for (const entry of placed) {
    entry.record = end;
    end += records.centralBytes(entry);
  }
  return { placed, directory, end };
}

async function* joined(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  let wanted = FIRST_BYTES;
  for await (const piece of pieces) {
    if (piece.length > 0) held.push(piece);
    bytes += piece.length;
    if (bytes < wanted) continue;
    wanted = Math.min(2 * wanted, JOINED_BYTES);
    // A large piece is not copied for the sake of a header in front of it.
    if (piece.length >= JOINED_BYTES) held.pop();
    if (held.length > 0) yield Buffer.concat(held);
    if (piece.length >= JOINED_BYTES) yield piece;
    held = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(held);
}
