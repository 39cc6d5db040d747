import { access, constants } from 'node:fs/promises';

const CLOSED = new Set(['EACCES', 'EPERM']);
const READ_ONLY = new Set(['EROFS', 'SQLITE_READONLY', 'SQLITE_CANTOPEN']);
const FULL = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL']);
const NO_FOLDER = new Set(['ENOTDIR', 'EEXIST']);

/**
 * What to tell the admin of a data folder that cannot be made, entered or written.
 * @returns any other error as it is.
 */
export function cannotUse(dataDir: string, error: unknown): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  const told = (text: string) => new Error(`The data folder ${dataDir} ${text} (${code})`, { cause: error });
  if (CLOSED.has(code))
    return told(
      'may not be made or opened by the user who starts the server. Where "install" has set up a service, start that: ' +
        'sudo systemctl start almirah. Otherwise set DATA_DIR to a folder of this user.',
    );
  if (READ_ONLY.has(code))
    return told('cannot be written. Is its disk mounted read-only, as after a fault, or full?');
  if (FULL.has(code)) return told('is on a full disk. Make some room there, and start again.');
  if (NO_FOLDER.has(code)) return told('is not a folder. Set DATA_DIR to one.');
  return error;
}

/** @throws with what to do where the folder is there, and this user may not read and write it. */
export async function demandReach(dataDir: string): Promise<void> {
  await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw cannotUse(dataDir, error);
  });
}
