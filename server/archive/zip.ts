import type { Readable } from 'node:stream';
import { callbackify } from 'node:util';
import { ZipFile } from 'yazl';

export interface ZipEntry {
  /** Folders from the archive's root, then the name. */
  path: string[];
  type: 'folder' | 'file';
  /** Bytes; 0 for a folder. */
  size: number;
  modifiedAt: Date;
  /** Called when the entry's turn comes, so that one file is open at a time. */
  open: () => Promise<Readable>;
}

export interface Zip {
  /** Bytes of the finished archive. */
  size: number;
  /** Destroying it closes the file being read; a file that fails destroys it, so it never ends as a valid archive. */
  stream: Readable;
}

/**
 * A ZIP made while it is read. Entries are stored, not deflated: most of what a firm keeps (PDF, photos, Office files)
 * is compressed already, and stored entries let the size be told beforehand, so the browser shows how long it takes and
 * notices a download that was cut. Zip64 where the format needs it.
 */
export function createZip(entries: readonly ZipEntry[]): Zip {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  let reading: Readable | undefined;
  zip.on('error', (error: Error) => output.destroy(error));
  output.once('close', () => reading?.destroy());

  const open = async (entry: ZipEntry): Promise<Readable> => {
    const stream = await entry.open();
    reading = stream;
    // yazl listens to no stream it is given: without this one bad file would end the process.
    stream.on('error', (error) => output.destroy(error));
    stream.once('close', () => {
      if (!stream.readableEnded) output.destroy(new Error(`${entry.path.join('/')} ended too early.`));
    });
    if (output.destroyed) stream.destroy();
    return stream;
  };

  const paths = uniquePaths(entries);
  let directoryBytes = 0;
  // Folders first: yazl calls itself once for each folder that waits behind a file, down to the end of the stack.
  for (const type of ['folder', 'file'] as const) {
    for (const [index, entry] of entries.entries()) {
      if (entry.type !== type) continue;
      const path = paths[index]!;
      directoryBytes += Buffer.byteLength(path) + CENTRAL_RECORD;
      const mtime = entry.modifiedAt;
      if (type === 'folder') zip.addEmptyDirectory(path, { mtime });
      else {
        zip.addReadStreamLazy(path, { size: entry.size, mtime, compress: false }, (done) => {
          if (!output.destroyed) callbackify(open)(entry, done);
        });
      }
    }
  }

  let size = -1;
  // yazl adds up for Zip64 from a directory of 64 KB on but writes it only from 4 GB on; asking for it makes both agree.
  zip.end({ forceZip64Format: directoryBytes >= 0xffff, comment: '' }, ((total: number) => {
    size = total;
  }) as () => void);
  if (size < 0) throw new Error('The size of the archive could not be told.');
  return { size, stream: output };
}

// At least what yazl's records take (46 and 9 bytes): erring on the large side only brings Zip64 a little earlier.
const CENTRAL_RECORD = 46 + 9 + 28;

/** No two alike ignoring case, as Windows and macOS would lay one over the other. */
function uniquePaths(entries: readonly ZipEntry[]): string[] {
  const key = (path: string) => path.normalize('NFC').toLowerCase();
  const folders = new Set(
    entries.filter(({ type }) => type === 'folder').map(({ path }) => key(path.join('/'))),
  );
  const taken = new Set(folders);
  return entries.map(({ path, type }) => {
    const whole = path.join('/');
    if (type === 'folder') return whole;
    const name = path.at(-1)!;
    const dot = name.lastIndexOf('.') > 0 ? name.lastIndexOf('.') : name.length;
    let unique = whole;
    for (let n = 2; taken.has(key(unique)); n += 1) {
      unique = [...path.slice(0, -1), `${name.slice(0, dot)} (${n})${name.slice(dot)}`].join('/');
    }
    taken.add(key(unique));
    return unique;
  });
}
