import { mkdir, rename, stat, unlink } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import type { FileStat } from '#desktop/queue/files.ts';
import type { WatchedFolder } from '#desktop/queue/folders.ts';
import { UPLOADED_FOLDER } from './patterns.ts';
import { isNotFound } from './ready.ts';

/**
 * Moves or deletes an uploaded file as its folder says; a file that has changed or vanished is left alone.
 * @throws when it cannot be moved or deleted.
 */
export async function moveOrDelete(
  { path: folder, after }: Pick<WatchedFolder, 'path' | 'after'>,
  file: FileStat & { sub_path: string; name: string },
  now = new Date(),
): Promise<void> {
  if (after === 'leave' || !(await isUnchanged(file))) return;
  if (after === 'delete') return unlink(file.path);
  const month = `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}`;
  // The real sub-path: files of a folder with flattened sub-folders stay apart here.
  const below = dirname(file.path)
    .slice(folder.length)
    .replace(/^[/\\]+/, '');
  const into = join(folder, UPLOADED_FOLDER, month, below);
  await mkdir(into, { recursive: true });
  await rename(file.path, await freeName(into, file.name));
}

async function isUnchanged({ path, size, changed_at }: FileStat): Promise<boolean> {
  try {
    const now = await stat(path);
    return now.size === size && now.mtimeMs === changed_at;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

/** A free name, so that no earlier moved file is overwritten. */
async function freeName(folder: string, name: string): Promise<string> {
  const ending = extname(name);
  for (let index = 1; ; index += 1) {
    const path = join(
      folder,
      index === 1 ? name : `${name.slice(0, name.length - ending.length)} (${index})${ending}`,
    );
    try {
      await stat(path);
    } catch (error) {
      if (isNotFound(error)) return path;
      throw error;
    }
  }
}
