import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Refused } from './refused.ts';

const REASONS: Record<string, string> = {
  ENOENT: 'is not there',
  EISDIR: 'is a folder',
  EACCES: 'may not be read by this user',
};

/** The text of a file that the admin names. @throws {Refused} when it cannot be read, with why. */
export async function readGiven(path: string): Promise<string> {
  const file = resolve(path);
  return readFile(file, 'utf8').catch(({ code = 'unknown' }: NodeJS.ErrnoException) => {
    throw new Refused(
      `${file} ${REASONS[code] ?? `cannot be read (${code})`}. Give another file. Nothing was changed.`,
    );
  });
}
