import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { FileStat } from '#desktop/queue/files.ts';

/**
 * libuv's UV_FS_O_EXLOCK: on Windows opening fails when another program has the file open. Other systems have
 * no such flag.
 */
const EXCLUSIVE = process.platform === 'win32' ? 0x1000_0000 : 0;

type Readiness = 'whole' | 'growing' | 'locked' | 'gone';

/** Checks a file again: it is `whole` when it has not changed, is not empty, and is not locked. */
export async function checkFile(recorded: FileStat): Promise<{ is: Readiness; now: Omit<FileStat, 'path'> }> {
  const { path, size, changed_at } = recorded;
  try {
    const now = await stat(path);
    const current = { size: now.size, changed_at: now.mtimeMs };
    if (!now.isFile()) return { is: 'gone', now: current };
    if (now.size === 0 || now.size !== size || now.mtimeMs !== changed_at)
      return { is: 'growing', now: current };
    const file = await open(path, constants.O_RDONLY | EXCLUSIVE);
    await file.close();
    return { is: 'whole', now: current };
  } catch (error) {
    return { is: isNotFound(error) ? 'gone' : 'locked', now: { size, changed_at } };
  }
}

/** Whether the watched folder itself exists: a share that is out of reach removes no file from the queue. */
export const isFolder = (folder: string): Promise<boolean> =>
  stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );

export const isNotFound = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
