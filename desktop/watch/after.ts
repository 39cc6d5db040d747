import { mkdir, rename, stat, unlink } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import type { Look } from '#desktop/queue/files.ts';
import type { WatchedFolder } from '#desktop/queue/folders.ts';
import { MOVED } from './patterns.ts';
import { isGone } from './ready.ts';

/**
 * Does with a file that has arrived what its folder says; a file that has changed meanwhile, or is gone, is left.
 * @throws when it cannot be moved or deleted.
 */
export async function putAway(
  { path: folder, after }: Pick<WatchedFolder, 'path' | 'after'>,
  file: Look & { sub_path: string; name: string },
  now = new Date(),
): Promise<void> {
  if (after === 'leave' || !(await isAsItWas(file))) return;
  if (after === 'delete') return unlink(file.path);
  const month = `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}`;
  // Where the file really lies: a folder that flattens its sub-folders still keeps them apart here.
  const below = dirname(file.path)
    .slice(folder.length)
    .replace(/^[/\\]+/, '');
  const into = join(folder, MOVED, month, below);
  await mkdir(into, { recursive: true });
  await rename(file.path, await freeName(into, file.name));
}

async function isAsItWas({ path, size, changed_at }: Look): Promise<boolean> {
  try {
    const now = await stat(path);
    return now.size === size && now.mtimeMs === changed_at;
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}

/** A file that was moved before must not be written over. */
async function freeName(folder: string, name: string): Promise<string> {
  const ending = extname(name);
  for (let at = 1; ; at += 1) {
    const path = join(
      folder,
      at === 1 ? name : `${name.slice(0, name.length - ending.length)} (${at})${ending}`,
    );
    try {
      await stat(path);
    } catch (error) {
      if (isGone(error)) return path;
      throw error;
    }
  }
}
