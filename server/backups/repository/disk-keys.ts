import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Concurrent calls to the file system. */
const AT_ONCE = 64;

/** Names to ignore at the root of a disk: files of file systems, desktops and file servers, and incomplete objects. */
const isNotOurs = (name: string): boolean =>
  /^(?:tmp$|\.|lost\+found$|System Volume Information$|#recycle$|@eaDir$)/.test(name);

async function entriesOf(root: string, folder: string): Promise<Dirent[]> {
  return readdir(join(root, folder), { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}

/** Lists the keys of all files below a folder, one folder at a time, without calling `stat`. */
export async function* keysBelow(root: string, folder: string): AsyncGenerator<string[]> {
  yield* keysOf(root, folder, await entriesOf(root, folder));
}

async function* keysOf(root: string, folder: string, entries: readonly Dirent[]): AsyncGenerator<string[]> {
  const [folders, files]: string[][] = [[], []];
  for (const entry of entries) {
    if (folder === '' && isNotOurs(entry.name)) continue;
    const key = folder === '' ? entry.name : `${folder}/${entry.name}`;
    (entry.isDirectory() ? folders! : files!).push(key);
  }
  if (files!.length > 0) yield files!;
  for (let at = 0; at < folders!.length; at += AT_ONCE) {
    const some = folders!.slice(at, at + AT_ONCE);
    const found = await Promise.all(some.map((one) => entriesOf(root, one)));
    for (const [n, one] of some.entries()) yield* keysOf(root, one, found[n]!);
  }
}

/** Lists keys with lengths, which takes one `stat` per file. */
export async function* filesBelow(
  root: string,
  folder: string,
): AsyncGenerator<{ key: string; bytes: number }> {
  for await (const keys of keysBelow(root, folder)) {
    for (let at = 0; at < keys.length; at += AT_ONCE) {
      const some = keys.slice(at, at + AT_ONCE);
      const found = await Promise.all(some.map((key) => stat(join(root, key)).catch(() => null)));
      for (const [n, key] of some.entries()) {
        const one = found[n];
        if (one) yield { key, bytes: one.size };
      }
    }
  }
}
