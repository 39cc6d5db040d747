import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import type { Records } from '#server/records/service.ts';
import type { Step } from '#server/documents/service.ts';
import { invalid } from '#server/http/errors.ts';
import type { BlobStore } from '#storage/blobs.ts';
import type { Zip, ZipEntry } from './write/zip.ts';
import { createZip } from './write/zip.ts';

/** Above what any tool opens with pleasure; a bound on the memory that one download can take. */
const MAX_ENTRIES = 100_000;
/** What the format has room for. */
const MAX_PATH_BYTES = 65_534;
/** Says what is missing. */
const HELD_NOTE = 'HELD BACK.txt';
/** Why a file of a walk is left out of a ZIP. */
export type LeftOut = Step & { left_out: true };
const LEFT_OUT_NOTE = 'NOT INCLUDED.txt';
const leftOutNote = (paths: readonly string[]): string =>
  'Aadhaar numbers are covered in what this link gives. In these files they cannot be, so they are not in this ZIP. Ask the ' +
  `sender for them:\r\n\r\n${paths.join('\r\n')}\r\n`;
/** The first day that a ZIP can name: the note follows from nothing but what it says. */
const NO_DAY = new Date('1980-01-01T00:00:00Z');
const heldNote = (paths: readonly string[]): string =>
  `The virus scanner holds these files back, so they are not in this ZIP:\r\n\r\n${paths.join('\r\n')}\r\n`;
/** Stands for how the archive is written: to be changed with it, so that no download is continued in another way. */
const WRITER = 'zip 1';
/** Checksums that wait to be noted. */
const NOTED_AT_ONCE = 1000;

export interface VersionedZip extends Zip {
  /** Follows from every name, date and content in it, and from nothing else. */
  version: string;
  /** How many files are in it. */
  files: number;
}

export function createArchive(use: {
  records: Pick<Records, 'noteChecksums'>;
  blobs: BlobStore;
  /** Whether nobody may open these bytes. */
  heldBack: (blobId: string) => Promise<boolean>;
  maxEntries?: number;
}) {
  const { records, blobs, maxEntries = MAX_ENTRIES } = use;

  /** Gathers checksums, and notes them when they are many or the archive has been read. */
  function notebook() {
    let counted: { blob_id: string; crc32: number }[] = [];
    const note = () => {
      const noting = counted;
      counted = [];
      // Whoever needs them again counts them again.
      if (noting.length > 0) records.noteChecksums(noting).catch(() => {});
    };
    return {
      note,
      add(blob_id: string, crc32: number): void {
        if (counted.push({ blob_id, crc32 }) === NOTED_AT_ONCE) note();
      },
    };
  }

  return {
    /**
     * The items of a walk as one ZIP whose bytes are made while they are read.
     * @throws {AppError} what the walk throws; 422 for more than 100,000 items, and for folders too deep for the format.
     */
    async zip(walk: AsyncIterable<Step | LeftOut>): Promise<VersionedZip> {
      const entries: ZipEntry[] = [];
      const version = createHash('sha256').update(WRITER);
      const held: string[] = [];
      const leftOut: string[] = [];
      const blobOf = new Map<ZipEntry, string>();
      for await (const step of walk) {
        const { path, type, blob_id, size, crc32: known } = step;
        if ('left_out' in step) {
          leftOut.push(path.join('/'));
          continue;
        }
        if (blob_id && (await use.heldBack(blob_id))) {
          held.push(path.join('/'));
          continue;
        }
        // A file is the sender's of that day; the day it came to us says nothing outside.
        const modified_at = step.original_at ?? step.modified_at;
        if (entries.length === maxEntries) {
          const limit = maxEntries.toLocaleString('en-US');
          throw invalid({
            id: [`There are more than ${limit} items in it. Download the folders one by one.`],
          });
        }
        if (Buffer.byteLength(path.join('/')) > MAX_PATH_BYTES) {
          throw invalid({
            id: [`"${path.at(-1)}" lies too deep for a ZIP. Download the folder it is in by itself.`],
          });
        }
        version.update(JSON.stringify([path, type, blob_id, size, modified_at]));
        entries.push({
          path,
          type,
          size: size ?? 0,
          modifiedAt: new Date(modified_at),
          crc32: known,
          open: (range) => blobs.get(blob_id!, range),
        });
        if (blob_id && known === null) blobOf.set(entries.at(-1)!, blob_id);
      }
      for (const [name, said] of [
        [HELD_NOTE, held.length > 0 ? heldNote(held) : ''],
        [LEFT_OUT_NOTE, leftOut.length > 0 ? leftOutNote(leftOut) : ''],
      ] as const) {
        if (said === '') continue;
        const text = Buffer.from(said);
        version.update(text);
        entries.push({
          path: [name],
          type: 'file',
          size: text.length,
          modifiedAt: NO_DAY,
          crc32: crc32(text),
          open: async ({ start, end } = { start: 0, end: text.length - 1 }) =>
            Readable.from([text.subarray(start, end + 1)]),
        });
      }
      const { note, add } = notebook();
      const zip = createZip(entries, (entry, crc32) => add(blobOf.get(entry)!, crc32));
      return {
        size: zip.size,
        version: version.digest('hex'),
        files: entries.filter(({ type }) => type === 'file').length,
        open: (range) => zip.open(range).once('close', note),
      };
    },
  };
}
export type Archive = ReturnType<typeof createArchive>;
