import { contentOf, requireReadable, locate } from '#server/archive/read/content.ts';
import type { Entry } from '#server/archive/read/directory.ts';
import { readDirectory } from '#server/archive/read/directory.ts';
import { ArchiveRefused } from '#server/archive/read/refusal.ts';
import { bufferSource } from '#server/archive/read/source.ts';
import { SheetsUnreadable } from './contract.ts';
import type { Reading } from './xml.ts';
import { readXml } from './xml.ts';

/** A large workbook with many sheets and pictures has several hundred entries. */
const ENTRIES_MAX = 4096;
/** Unpacked bytes of all parts that are read. A list of 5,000 clients has about 3 MB. */
const UNPACKED_MAX = 64 * 1024 * 1024;

/** The parts of an Office package, which is a ZIP file. */
export interface Parts {
  has(path: string): boolean;
  /** The paths of all parts, in lowercase. */
  paths(): string[];
  /** Reads a part as XML. @throws {SheetsUnreadable} */
  read(path: string, reading: Reading): Promise<void>;
}

const normalise = (path: string): string => path.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();

async function mapRefusal<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ArchiveRefused)) throw error;
    throw new SheetsUnreadable('damaged', undefined, { cause: error });
  }
}

/**
 * Opens the ZIP file by its directory; parts are unpacked when they are read.
 * @throws {SheetsUnreadable} `damaged`, `too_large`.
 */
export async function openParts(bytes: Buffer): Promise<Parts> {
  const source = bufferSource(bytes);
  const entries = await mapRefusal(() => readDirectory(source));
  if (entries.length > ENTRIES_MAX) throw new SheetsUnreadable('too_large');
  const byPath = new Map<string, Entry>(entries.map((entry) => [normalise(entry.name), entry]));
  let unpacked = 0;

  async function* counted(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      unpacked += piece.length;
      if (unpacked > UNPACKED_MAX) throw new SheetsUnreadable('too_large');
      yield piece;
    }
  }

  return {
    has: (path) => byPath.has(normalise(path)),
    paths: () => [...byPath.keys()],
    read: (path, reading) =>
      mapRefusal(async () => {
        const entry = byPath.get(normalise(path));
        if (!entry) throw new SheetsUnreadable('damaged');
        requireReadable(entry, undefined);
        const { start, end } = await locate(source, entry);
        await readXml(counted(contentOf(entry, source.bytes(start, end))), reading);
      }),
  };
}
