import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The encodings in which a text could occur on disk, as bytes to search for. */
function encodingsOf(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  // Base64 at each of the three alignments, without the ends, which depend on the neighbouring bytes.
  const encoded = [0, 1, 2].map((before) =>
    Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replaceAll('=', '')
      .slice(before === 0 ? 0 : before + 1, -2),
  );
  const guises = [
    text,
    text.toLowerCase(),
    text.toUpperCase(),
    encodeURIComponent(text),
    JSON.stringify(text).slice(1, -1),
    text.replace(/[\u0080-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`),
    bytes.toString('hex'),
    ...encoded,
  ];
  return [...new Set(guises)]
    .map((guise) => Buffer.from(guise))
    .concat([Buffer.from(text, 'utf16le'), Buffer.from(text, 'utf16le').swap16()]);
}

/** Hashes by which somebody who has a content could recognise it: SHA-256 as bytes, hex and base64. */
const hashesOf = (content: Buffer): Buffer[] => {
  const hash = createHash('sha256').update(content).digest();
  return [hash, Buffer.from(hash.toString('hex')), Buffer.from(hash.toString('base64').slice(0, -1))];
};

interface Sought {
  what: string;
  guise: Buffer;
}

const headOf = (bytes: Buffer, offset: number): number =>
  (bytes[offset]! << 16) | (bytes[offset + 1]! << 8) | bytes[offset + 2]!;

/** Searches for all patterns in one pass, since they are many and the files are large. */
function createFinder(sought: readonly Sought[]) {
  const known = new Uint8Array(1 << 24);
  const byHead = Map.groupBy(sought, ({ guise }) => headOf(guise, 0));
  for (const head of byHead.keys()) known[head] = 1;
  return (bytes: Buffer): Set<string> => {
    const found = new Set<string>();
    for (let index = 0; index + 2 < bytes.length; index += 1) {
      const head = headOf(bytes, index);
      if (known[head] === 0) continue;
      for (const { what, guise } of byHead.get(head)!)
        if (bytes.subarray(index, index + guise.length).equals(guise)) found.add(what);
    }
    return found;
  };
}

/**
 * Finds these texts, in any encoding, and the hashes of these contents in the files and file names of a folder.
 * @returns `text in path`, one per match.
 */
export async function findTraces(
  folder: string,
  texts: readonly string[],
  contents: readonly Buffer[] = [],
): Promise<string[]> {
  const find = createFinder([
    ...texts.flatMap((what) => encodingsOf(what).map((guise) => ({ what, guise }))),
    ...contents.flatMap((content, n) =>
      hashesOf(content).map((guise) => ({ what: `the hash of content ${n + 1}`, guise })),
    ),
  ]);
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const file = entry.isFile() ? await readFile(path).catch(() => null) : null;
    const bytes = Buffer.concat([Buffer.from(`${path}\n`), file ?? Buffer.alloc(0)]);
    for (const what of find(bytes)) found.push(`${what} in ${path}`);
  }
  return found;
}
