import { createHash } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ReadEntry } from 'tar';
import { Parser } from 'tar';
import type { Release } from './release.ts';
import { BadRelease, LIMITS, RELEASE_FILE, SIGNATURE_FILE, readRelease } from './release.ts';

const DAMAGED = 'This archive is damaged, or is not one of a release. Fetch it again.';

/** Calls `take` for each entry, in order; bytes that it leaves unread are skipped. */
async function eachEntry(archive: string, take: (entry: ReadEntry) => Promise<void>): Promise<void> {
  const source = createReadStream(archive);
  let previous = Promise.resolve();
  let failed = false;
  try {
    await new Promise<void>((resolve, reject) => {
      const fail = (error: unknown) => {
        failed = true;
        reject(error);
      };
      const parser = new Parser({
        strict: true,
        maxMetaEntrySize: 64 * 1024,
        // A release's own limits hold from its signed list on; before that hardly anything is read.
        maxDecompressionRatio: Infinity,
        onReadEntry(entry) {
          const earlier = previous;
          const takeNext = async () => {
            await earlier;
            try {
              if (!failed) await take(entry);
            } catch (error) {
              fail(error);
            } finally {
              entry.resume();
            }
          };
          previous = takeNext();
        },
      });
      parser.on('error', () => fail(new BadRelease(DAMAGED)));
      parser.on('end', () => void previous.then(resolve));
      source.on('error', fail);
      source.on('data', (piece) => {
        if (!parser.write(piece as Buffer)) source.pause();
      });
      parser.on('drain', () => source.resume());
      source.on('end', () => parser.end());
    });
  } finally {
    source.destroy();
  }
}

async function readSmall(entry: ReadEntry, most: number): Promise<Buffer> {
  if (entry.size > most) throw new BadRelease(DAMAGED);
  const pieces: Buffer[] = [];
  for await (const piece of entry as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Reads a file to its end, into `target` if given. @returns its SHA-256 as hex. */
async function read(entry: ReadEntry, target: string | null): Promise<string> {
  const hash = createHash('sha256');
  const file = target === null ? null : await open(target, 'wx', 0o644);
  try {
    for await (const piece of entry as AsyncIterable<Buffer>) {
      hash.update(piece);
      await file?.writeFile(piece);
    }
  } finally {
    await file?.close();
  }
  return hash.digest('hex');
}

/**
 * Reads a release archive from end to end. The signature is checked first, then each file against the signed
 * list: nothing is written that the maintainers did not sign, nothing outside of `folder`, and not a byte more
 * than listed.
 * @param folder new and empty; null only checks.
 * @throws {BadRelease}
 */
export async function openRelease(
  archive: string,
  keys: readonly KeyObject[],
  folder: string | null,
): Promise<Release> {
  let list: Buffer | null = null;
  let release: Release | null = null;
  const seen = new Set<string>();
  await eachEntry(archive, async (entry) => {
    const { size, type } = entry;
    // So names with a leading @ are packed, which would name another archive.
    const path = entry.path.replace(/^\.\//, '');
    if (type !== 'File' && type !== 'OldFile')
      throw new BadRelease(`${path} in this archive is no plain file. Nothing was unpacked of it.`);
    if (list === null) {
      if (path !== RELEASE_FILE) throw new BadRelease(DAMAGED);
      list = await readSmall(entry, LIMITS.list);
    } else if (release === null) {
      if (path !== SIGNATURE_FILE) throw new BadRelease(DAMAGED);
      release = readRelease(list, (await readSmall(entry, 1024)).toString('latin1'), keys);
    } else {
      const listed = Object.hasOwn(release.files, path) ? release.files[path] : undefined;
      if (!listed || seen.has(path) || size !== listed.size)
        throw new BadRelease(`${path} in this archive is not as its list says. Fetch it again.`);
      seen.add(path);
      const target = folder === null ? null : join(folder, path);
      if (target !== null) await mkdir(dirname(target), { recursive: true, mode: 0o755 });
      if ((await read(entry, target)) !== listed.sha256)
        throw new BadRelease(`${path} in this archive was damaged or changed. Fetch it again.`);
    }
  });
  // Its type is not narrowed by what a callback sets.
  const verified = release as Release | null;
  if (!verified) throw new BadRelease(DAMAGED);
  const missing = Object.keys(verified.files).find((path) => !seen.has(path));
  if (missing !== undefined)
    throw new BadRelease(`${missing} is missing in this archive. Fetch it again: it is cut short.`);
  return verified;
}
