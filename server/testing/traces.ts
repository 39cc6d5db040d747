import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The guises in which a text could lie on a disk, as bytes to look for. */
function encodingsOf(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  // Base64 of what stands at any place of something longer: without the ends, which depend on what is beside it.
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

/** How a content could be known again by whoever has it: its SHA-256 as bytes, as hex and as base64. */
const hashesOf = (content: Buffer): Buffer[] => {
  const hash = createHash('sha256').update(content).digest();
  return [hash, Buffer.from(hash.toString('hex')), Buffer.from(hash.toString('base64').slice(0, -1))];
};

interface Sought {
  what: string;
  guise: Buffer;
}

const headOf = (bytes: Buffer, at: number): number =>
  (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!;

/** Looks for all of them in one pass, since they are many and the files are large. */
function createFinder(sought: readonly Sought[]) {
  const known = new Uint8Array(1 << 24);
  const byHead = Map.groupBy(sought, ({ guise }) => headOf(guise, 0));
  for (const head of byHead.keys()) known[head] = 1;
  return (bytes: Buffer): Set<string> => {
    const found = new Set<string>();
    for (let at = 0; at + 2 < bytes.length; at += 1) {
      const head = headOf(bytes, at);
      if (known[head] === 0) continue;
      for (const { what, guise } of byHead.get(head)!)
        if (bytes.subarray(at, at + guise.length).equals(guise)) found.add(what);
    }
    return found;
  };
}

/**
 * Where any of these texts, or the hash of any of these contents, stands in a folder: in a file, in any guise, or in the
 * name of one.
 * @returns `text in path`, one for each.
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
