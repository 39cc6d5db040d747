import { readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { flushFolder } from '#storage/durable.ts';
import { makeFolder } from '../datadir/make-folder.ts';
import { folderProblem, isThere, missingFolder, problemOf } from './folder-problem.ts';
import { Refused } from './refused.ts';

/** Marks a folder until its restore is complete. */
const UNFINISHED = 'restore-unfinished';

/** After a restore that found faults: what the folder is good for. */
export const notWhole = (to: string): string =>
  `Restored, but not whole: the lines with WRONG say what is missing or damaged. All else can be used: start the server with DATA_DIR=${to}. ` +
  'An earlier backup may still have what is missing: restore it with --at into another folder.';

/** @throws {Refused} when the folder above is missing: its disk may not be mounted, and the one below would be filled. */
async function requireFolderAbove(to: string): Promise<never[]> {
  const above = dirname(to);
  if (await isThere(above)) return [];
  throw new Refused(missingFolder(above));
}

/** @throws {Refused} when there is anything in the folder to which a backup is to be restored. */
export async function requireEmptyFolder(to: string): Promise<void> {
  const present = await readdir(to).catch(async (error: NodeJS.ErrnoException): Promise<string[]> => {
    if (error.code === 'ENOENT') return requireFolderAbove(to);
    const problem = folderProblem(error, to);
    throw problem === null ? error : new Refused(problem);
  });
  if (present.includes(UNFINISHED))
    throw new Refused(
      `${to} holds a restore that was cut off. Nothing of it is needed: remove the folder and try again, or give another one.`,
    );
  if (present.length > 0)
    throw new Refused(`${to} is not empty. Nothing is overwritten: give another folder.`);
}

/**
 * Fills a folder with a restored vault, and marks it until all of it is there.
 * @throws {Refused} when the folder cannot be written.
 */
export async function fillRestored(to: string, fill: () => Promise<void>): Promise<void> {
  const mark = join(to, UNFINISHED);
  try {
    await makeFolder(to);
    await writeFile(mark, 'A restore into this folder has not ended.\n', { mode: 0o600 });
    await fill();
    await rm(mark);
    await flushFolder(to);
  } catch (error) {
    const problem = await problemOf(error, to);
    throw problem === null
      ? error
      : new Refused(`${problem} What was restored is not whole: remove it first.`);
  }
}
