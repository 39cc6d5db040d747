import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Concurrent calls to the file system. */
const AT_ONCE = 64;

/** Names to ignore at the root of a disk: files of file systems, desktops and file servers, and incomplete objects. */
const isIgnored = (name: string): boolean =>
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
    if (folder === '' && isIgnored(entry.name)) continue;
    const key = folder === '' ? entry.name : `${folder}/${entry.name}`;
    (entry.isDirectory() ? folders! : files!).push(key);
  }
  if (files!.length > 0) yield files!;
  for (let start = 0; start < folders!.length; start += AT_ONCE) {
    const batch = folders!.slice(start, start + AT_ONCE);
    const contents = await Promise.all(batch.map((subfolder) => entriesOf(root, subfolder)));
    for (const [index, subfolder] of batch.entries()) yield* keysOf(root, subfolder, contents[index]!);
  }
}

/** Lists keys with lengths, which takes one `stat` per file. */
export async function* filesBelow(
  root: string,
  folder: string,
): AsyncGenerator<{ key: string; bytes: number }> {
  for await (const keys of keysBelow(root, folder)) {
    for (let start = 0; start < keys.length; start += AT_ONCE) {
      const batch = keys.slice(start, start + AT_ONCE);
      const stats = await Promise.all(batch.map((key) => stat(join(root, key)).catch(() => null)));
      for (const [index, key] of batch.entries()) {
        const file = stats[index];
        if (file) yield { key, bytes: file.size };
      }
    }
  }
}
