// Which version of the program a command runs: the one that an update made current, whatever folder it is called in.
import { realpathSync } from 'node:fs';
import { join } from 'node:path';

const own = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../..');

/** @returns {string} the folder of the version that runs; this one's own where no update has been. */
export function currentProgram() {
  try {
    return realpathSync(join(own, 'current'));
  } catch {
    return own;
  }
}

/** Whether another version than this one runs. */
export const isReplaced = () => currentProgram() !== realpathSync(own);
