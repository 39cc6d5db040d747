import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/**
 * Creates a folder and those above it, for its owner alone. Node's recursive `mkdir` would never return where the file
 * system takes no folders, as below /proc.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && (await stat(path)).isDirectory()) return;
    const above = dirname(path);
    const isAboveMissing =
      codeOf(error) === 'ENOENT' &&
      (await stat(above).then(
        () => false,
        (reason: unknown) => codeOf(reason) === 'ENOENT',
      ));
    if (!isAboveMissing) throw error;
    await makeFolder(above);
    await mkdir(path, { mode: 0o700 });
  }
}
