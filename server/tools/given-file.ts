import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Refused } from './refused.ts';

const REASONS: Record<string, string> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'that is a folder',
  EACCES: 'this user may not read it',
};

/** Reads a file that an option names. @throws {Refused} when it cannot be read, with why. */
export async function readGiven(option: string, path: string): Promise<Buffer> {
  const full = resolve(path);
  return readFile(full).catch(({ code = 'unknown' }: NodeJS.ErrnoException) => {
    throw new Refused(
      `${option} ${full} cannot be read: ${REASONS[code] ?? code}. Give another file. Nothing was changed.`,
    );
  });
}
