import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { Look } from '#desktop/queue/files.ts';

/** libuv's UV_FS_O_EXLOCK: Windows opens the file only where no other program has it open. Elsewhere it means nothing. */
const ALONE = process.platform === 'win32' ? 0x1000_0000 : 0;

export type Readiness = 'whole' | 'growing' | 'locked' | 'gone';

/** Looks at a file again: whole is what looks as it did before, is not empty, and which nobody is writing. */
export async function look(before: Look): Promise<{ is: Readiness; now: Omit<Look, 'path'> }> {
  const { path, size, changed_at } = before;
  try {
    const now = await stat(path);
    const seen = { size: now.size, changed_at: now.mtimeMs };
    if (!now.isFile()) return { is: 'gone', now: seen };
    if (now.size === 0 || now.size !== size || now.mtimeMs !== changed_at)
      return { is: 'growing', now: seen };
    const file = await open(path, constants.O_RDONLY | ALONE);
    await file.close();
    return { is: 'whole', now: seen };
  } catch (error) {
    return { is: isGone(error) ? 'gone' : 'locked', now: { size, changed_at } };
  }
}

/** Whether the watched folder itself is there: a share that is away takes no file out of the queue. */
export const isThere = (folder: string): Promise<boolean> =>
  stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );

export const isGone = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
