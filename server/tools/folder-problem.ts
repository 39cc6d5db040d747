import { randomBytes } from 'node:crypto';
import { stat, unlink } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { StoreAway, StoreFull } from '#storage/blobs.ts';
import { writeDurably } from '#storage/durable.ts';
import { isFull } from '../db/errors.ts';

const READ_ONLY = ['EROFS'];
const NO_FOLDER = ['ENOTDIR', 'EEXIST'];
const NO_PERMISSION = ['EACCES', 'EPERM'];
/** Error codes of an unplugged disk or an unavailable share. */
const GONE = ['EIO', 'ESTALE', 'ENODEV', 'ENXIO', 'EHOSTDOWN', 'EHOSTUNREACH', 'ETIMEDOUT', 'ENOTCONN'];

export const missingFolder = (folder: string): string =>
  `${folder} is not there. Connect the disk or mount the share, or make the folder.`;

/** What an error says about a folder that is written to, with what to do; null for an error of another kind. */
export function folderProblem(error: unknown, folder: string): string | null {
  const { code = '' } = (error ?? {}) as NodeJS.ErrnoException;
  if (isFull(error) || error instanceof StoreFull)
    return `There is no space left in ${folder}. Free some space, or give a folder on another disk.`;
  if (READ_ONLY.includes(code))
    return `${folder} cannot be written: its disk is mounted read-only, as after a fault.`;
  if (NO_FOLDER.includes(code)) return `${folder} is not a folder. Give another one.`;
  if (NO_PERMISSION.includes(code))
    return `${folder} may not be written by you. Give another folder, or put "sudo" before the command.`;
  if (code === 'ENOENT') return missingFolder(folder);
  if (GONE.includes(code))
    return `${folder} cannot be read or written any more (${code}). Is the disk or share still there?`;
  return null;
}

export const isThere = (folder: string): Promise<boolean> =>
  stat(folder).then(
    () => true,
    () => false,
  );

/**
 * What is wrong with a folder that a command was writing to when it failed; null if that had another cause. Not every error names the
 * file, so a small one is written there.
 */
export async function problemOf(error: unknown, folder: string): Promise<string | null> {
  const { code, path } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === undefined && !(error instanceof StoreFull || error instanceof StoreAway)) return null;
  const isElsewhere = path !== undefined && path !== folder && !path.startsWith(folder + sep);
  const problem = isElsewhere ? null : folderProblem(error, folder);
  const isMissing = problem !== null && code === 'ENOENT';
  if (problem && !isMissing && (path !== undefined || isFull(error) || error instanceof StoreFull))
    return problem;
  // The folder itself may be there, below the mount point of a disk that was taken away.
  if (isMissing && (await isThere(folder)))
    return `${folder} is no longer what it was when the work began. Was the disk or share taken away?`;
  const trial = join(folder, `${randomBytes(12).toString('hex')}.new`);
  try {
    await writeDurably(trial, 'x');
    await unlink(trial);
    return null;
  } catch (found) {
    return folderProblem(found, folder);
  }
}
