import { readdir } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { DATABASE_FILE } from '../../knexfile.ts';

/** A folder that has one of these is a vault, or is to become one. */
const MARKS = /^(?:master\.(?:key|check)|vault\.id$|lock\.sqlite$|postgres\.mark$)/;
/** What is in an empty disk, or in what is left of a vault. */
const HARMLESS = new Set([
  'lost+found',
  'System Volume Information',
  'backups',
  'blobs',
  'outbox',
  'reserve',
  'tls',
  'update',
]);

/**
 * Whether a folder is one that a vault may be made in, or has one. In a folder with files of others all users but the server's would lose
 * their access to them, and the files of both would lie among one another.
 * @param logFile the server's own, which may be in the folder before the vault is.
 * @returns names of files of others; empty if there are none, or no folder.
 */
export async function filesOfOthers(dataDir: string, logFile: string | null = null): Promise<string[]> {
  const names = await readdir(dataDir).catch((): string[] => []);
  if (names.some((name) => name === DATABASE_FILE || MARKS.test(name))) return [];
  const log = logFile === null ? '' : relative(dataDir, logFile).split(sep)[0]!;
  return names.filter((name) => !HARMLESS.has(name) && !(log && name.startsWith(log)));
}

/** What to do about files of others in the folder. */
export const notOurs = (dataDir: string, names: readonly string[]): string =>
  `${dataDir} is no vault, and has other files in it (${names.slice(0, 3).join(', ')}${names.length > 3 ? ', …' : ''}): a vault would close ` +
  'it to everybody else. Give a folder that is empty or not there yet, such as /var/lib/almirah. Nothing was changed.';
