import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Refused } from './refused.ts';

/** Reads a file that the caller named. @throws {Refused} when it cannot be read. */
export async function readGiven(option: string, path: string): Promise<Buffer> {
  const full = resolve(path);
  return readFile(full).catch((error: NodeJS.ErrnoException) => {
    const why =
      error.code === 'ENOENT' || error.code === 'ENOTDIR'
        ? 'there is no such file'
        : error.code === 'EISDIR'
          ? 'that is a folder'
          : error.message;
    throw new Refused(`${option} ${full} cannot be read: ${why}.`);
  });
}
