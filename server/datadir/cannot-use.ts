import { access, constants, lstat, stat } from 'node:fs/promises';
import { isFull } from '../db/errors.ts';

const NO_PERMISSION = new Set(['EACCES', 'EPERM']);
const READ_ONLY = new Set(['EROFS', 'SQLITE_READONLY', 'SQLITE_CANTOPEN']);
const NOT_A_FOLDER = new Set(['ENOTDIR', 'EEXIST']);

/**
 * Explains to the admin why a data folder cannot be created, opened or written.
 * @returns an error with what to do; any other error unchanged.
 */
export function cannotUse(dataDir: string, error: unknown): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  const explained = (text: string) =>
    new Error(`The data folder ${dataDir} ${text} (${code})`, { cause: error });
  if (NO_PERMISSION.has(code))
    return explained(
      'may not be made or opened by the user who starts the server. Where "install" has set up a service, start that: ' +
        'sudo systemctl start almirah. Otherwise set DATA_DIR to a folder of this user.',
    );
  if (READ_ONLY.has(code))
    return explained(
      'cannot be written. Is its disk mounted read-only, as after a fault, or full? A service may write only where "install" has let ' +
        'it: after a change of DATA_DIR run sudo npm run admin -- install.',
    );
  if (isFull(error)) return explained('is on a full disk. Make some room there, and start again.');
  if (NOT_A_FOLDER.has(code)) return explained('is not a folder. Set DATA_DIR to one.');
  if (code === 'ENOENT')
    return explained(
      'cannot be made: its place takes no folder, or it is a link to one that is not there. Connect its disk, or set DATA_DIR to ' +
        'another folder.',
    );
  return error;
}

/** @throws with a message for the admin if there is something at the path other than a folder that this user may use. */
export async function requireAccess(dataDir: string): Promise<void> {
  try {
    const isThere = await lstat(dataDir).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (!isThere) return;
    if (!(await stat(dataDir)).isDirectory())
      throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' });
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw cannotUse(dataDir, error);
  }
}
