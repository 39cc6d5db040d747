import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import type { Records } from '#server/records/service.ts';
import type { Step } from '#server/documents/service.ts';
import type { MarkHeld } from '#server/scanning/contract.ts';
import { invalid } from '#server/http/errors.ts';
import type { BlobStore } from '#storage/blobs.ts';
import type { Zip, ZipEntry } from './write/zip.ts';
import { createZip } from './write/zip.ts';

/** Entries of a ZIP that is made. Bounds the memory of one download; few programs handle larger archives well. */
const MAX_WRITTEN_ENTRIES = 100_000;
/** The limit of the format. */
const MAX_PATH_BYTES = 65_534;
/** Notes in the archive that list missing files. */
const HELD_NOTE = 'HELD BACK.txt';
const LEFT_OUT_NOTE = 'NOT INCLUDED.txt';
/** A file that is left out since its Aadhaar numbers cannot be covered. */
export type LeftOut = Step & { left_out: true };
const leftOutNote = (paths: readonly string[]): string =>
  'Aadhaar numbers are covered in what this link gives. In these files they cannot be, so they are not in this ZIP. Ask the ' +
  `sender for them:\r\n\r\n${paths.join('\r\n')}\r\n`;
/** The earliest date of the format, for notes: the archive's version must not depend on the time of the download. */
const NOTE_DATE = new Date('1980-01-01T00:00:00Z');
const heldNote = (paths: readonly string[]): string =>
  `The virus scanner holds these files back, so they are not in this ZIP:\r\n\r\n${paths.join('\r\n')}\r\n`;
/** The version of the ZIP writer. Changing its output requires another value, so that no download is resumed with different bytes. */
const WRITER_VERSION = 'zip 1';
/** Checksums that are stored together. */
const CHECKSUM_BATCH = 1000;

export interface VersionedZip extends Zip {
  /** A hash of all names, dates and contents, and of nothing else; used as the ETag. */
  version: string;
  /** How many files are in it. */
  files: number;
}

export function createArchive(dependencies: {
  records: Pick<Records, 'noteChecksums'>;
  blobs: BlobStore;
  markHeld: MarkHeld;
  maxEntries?: number;
}) {
  const { records, blobs, maxEntries = MAX_WRITTEN_ENTRIES } = dependencies;

  /** Collects computed checksums, and stores them in batches. */
  function createChecksumBatch() {
    let batch: { blob_id: string; crc32: number }[] = [];
    const flush = () => {
      const checksums = batch;
      batch = [];
      // A failure does no harm: the next download computes them again.
      if (checksums.length > 0) records.noteChecksums(checksums).catch(() => {});
    };
    return {
      flush,
      add(blob_id: string, crc32: number): void {
        if (batch.push({ blob_id, crc32 }) === CHECKSUM_BATCH) flush();
      },
    };
  }

  return {
    /**
     * A ZIP of the items of a walk. Its bytes are produced while it is read.
     * @throws {AppError} of the walk; 422 for more than 100,000 items, and for paths too long for the format.
     */
    async zip(walk: AsyncIterable<Step | LeftOut>): Promise<VersionedZip> {
      const entries: ZipEntry[] = [];
      const version = createHash('sha256').update(WRITER_VERSION);
      const held: string[] = [];
      const leftOut: string[] = [];
      const blobOf = new Map<ZipEntry, string>();
      for await (const [step, isHeld] of dependencies.markHeld(walk)) {
        const { path, type, blob_id, size, crc32: known } = step;
        if ('left_out' in step) {
          leftOut.push(path.join('/'));
          continue;
        }
        if (isHeld) {
          held.push(path.join('/'));
          continue;
        }
        // The date of the original file; that of its upload means nothing outside of the vault.
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
      for (const [name, note] of [
        [HELD_NOTE, held.length > 0 ? heldNote(held) : ''],
        [LEFT_OUT_NOTE, leftOut.length > 0 ? leftOutNote(leftOut) : ''],
      ] as const) {
        if (note === '') continue;
        const text = Buffer.from(note);
        version.update(text);
        entries.push({
          path: [name],
          type: 'file',
          size: text.length,
          modifiedAt: NOTE_DATE,
          crc32: crc32(text),
          open: async ({ start, end } = { start: 0, end: text.length - 1 }) =>
            Readable.from([text.subarray(start, end + 1)]),
        });
      }
      const checksums = createChecksumBatch();
      const zip = createZip(entries, (entry, crc32) => checksums.add(blobOf.get(entry)!, crc32));
      return {
        size: zip.size,
        version: version.digest('hex'),
        files: entries.filter(({ type }) => type === 'file').length,
        open: (range) => zip.open(range).once('close', checksums.flush),
      };
    },
  };
}
export type Archive = ReturnType<typeof createArchive>;
