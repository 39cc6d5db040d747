import { Readable } from 'node:stream';
import type { Zip, ZipEntry } from '#server/archive/write/zip.ts';
import type { Actor } from '#server/actor.ts';
import type { Details } from '#server/documents/details/service.ts';
import type { Documents } from '#server/documents/service.ts';
import type { MarkHeld } from '#server/scanning/contract.ts';
import { CSV_START, csvLine } from '#server/text/csv.ts';
import { invalid } from '#server/http/errors.ts';
import type { BlobStore } from '#storage/blobs.ts';
import { createZip } from '#server/archive/write/zip.ts';
import type { ExtractedText } from './extracted-text.ts';
import { collectExtractedText } from './extracted-text.ts';
import { recordTables } from './records.ts';

/** Bounds the memory of one export, some 400 MB. */
const MAX_FILES = 500_000;

export interface EverythingDependencies {
  documents: Pick<Documents, 'walkAll'>;
  details: Pick<Details, 'recordsOfAll'>;
  /** The sources of recognised fields and extracted texts. */
  extracted: ExtractedText;
  blobs: BlobStore;
  markHeld: MarkHeld;
  /** More files for the archive's root. */
  tables: { name: string; size: number; open: () => Readable }[];
  now: Date;
  appName: string;
}

const readMe = (appName: string, now: Date, files: number) =>
  `Everything your firm keeps in ${appName}, as of ${now.toISOString()}.\r\n\r\n` +
  `Files/        ${files} files in their folders, as they were uploaded\r\n` +
  `files.csv     the same as a list, with sizes, dates and SHA-256 checksums\r\n` +
  `notes.csv     the notes on files and folders\r\n` +
  `labels.csv    which label each file or folder has\r\n` +
  `seals.csv     what is sealed or was, by whom and why\r\n` +
  `versions.csv  the earlier versions of files; their contents are not in this ZIP\r\n` +
  `clients.csv   the clients\r\n` +
  `requests.csv  what clients were asked for, and what became of it\r\n` +
  `destroyed.csv what was destroyed after its time; the certificates are PDFs beside it\r\n` +
  `fields.csv    what was recognised in the files, and what people corrected of it\r\n` +
  `Texts/        the text of each file that has one, as gzipped JSON\r\n` +
  `history.csv   who did what and when\r\n\r\n` +
  `In the tables an apostrophe stands in front of text that a spreadsheet would take for a formula.\r\n`;

const heldNote = (paths: readonly string[]): string =>
  `The virus scanner holds these files back, so they are not in this ZIP:\r\n\r\n${paths.join('\r\n')}\r\n`;

/** A ZIP of all files of the firm in their folders, and its tables. It is written while it is downloaded. */
export async function zipEverything(actor: Actor, dependencies: EverythingDependencies): Promise<Zip> {
  const { documents, details, extracted, blobs, markHeld, tables, now, appName } = dependencies;
  const entries: ZipEntry[] = [];
  const list = [
    CSV_START + csvLine(['Path', 'Size in bytes', 'Modified (UTC)', 'SHA-256', 'Original date (UTC)']),
  ];
  const records = recordTables(await details.recordsOfAll(actor));
  const extraction = collectExtractedText(actor, extracted);
  let files = 0;
  const held: string[] = [];
  for await (const [item, isHeld] of markHeld(documents.walkAll(actor))) {
    const { id, path, type, blob_id, size, sha256, crc32, modified_at, original_at } = item;
    if (isHeld) {
      held.push(path.join('/'));
      continue;
    }
    if (entries.length === MAX_FILES) {
      throw invalid({
        what: [
          'There are more than 500,000 files. Download the folders one by one, or ask your admin for a backup.',
        ],
      });
    }
    entries.push({
      path: ['Files', ...path],
      type,
      size: size ?? 0,
      modifiedAt: new Date(original_at ?? modified_at),
      crc32,
      open: () => blobs.get(blob_id!),
    });
    const joinedPath = path.join('/');
    records.add({ id, type, path: joinedPath });
    if (type !== 'file') continue;
    files += 1;
    await extraction.add({ id, path, sha256: sha256! });
    list.push(csvLine([joinedPath, size, modified_at, sha256, original_at]));
  }
  const { fields, texts } = await extraction.finish();
  const inRoot = [
    { name: 'READ ME.txt', ...bytesOf(readMe(appName, now, files)) },
    { name: 'files.csv', ...bytesOf(list.join('')) },
    ...(held.length > 0 ? [{ name: 'held back.txt', ...bytesOf(heldNote(held)) }] : []),
    { name: 'fields.csv', ...bytesOf(fields) },
    ...records.files().map(({ name, text }) => ({ name, ...bytesOf(text) })),
    ...tables,
  ].map(({ name, size, open }): ZipEntry => {
    return { path: [name], type: 'file', size, modifiedAt: now, open: async () => open() };
  });
  const textFiles = texts.map(({ path, size, open }): ZipEntry => {
    return { path: ['Texts', ...path], type: 'file', size, modifiedAt: now, open };
  });
  return createZip([...inRoot, ...entries, ...textFiles]);
}

export function bytesOf(text: string | Buffer): { size: number; open: () => Readable } {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  return { size: bytes.length, open: () => Readable.from([bytes]) };
}
