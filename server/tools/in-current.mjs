// Finds the current version of the program, which an update may have changed, whatever folder a command runs in.
import { realpathSync } from 'node:fs';
import { join } from 'node:path';

const own = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../..');

/** @returns {string} the folder of the current version; this one when there was no update. */
export function currentProgram() {
  try {
    return realpathSync(join(own, 'current'));
  } catch {
    return own;
  }
}

/** Whether another version than this one is current. */
export const isReplaced = () => currentProgram() !== realpathSync(own);
