import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { Refused } from './refused.ts';

/** The settings file that `install` writes. */
export const SETTINGS = '/etc/almirah.env';
export const UNIT = '/etc/systemd/system/almirah.service';
export const SERVICE = 'almirah';
/** A unit that completes an interrupted update at boot. */
export const FINISH_UNIT = '/etc/systemd/system/almirah-update.service';
export const FINISH_SERVICE = 'almirah-update';

/**
 * The environment, completed by the settings of the installed service when it has no DATA_DIR.
 * @throws {Refused} when the service's settings exist but cannot be read: the command would use another data
 * folder.
 */
export function withServiceSettings(env: Record<string, string | undefined>, file = SETTINGS) {
  if (env.DATA_DIR) return env;
  try {
    return { ...parseEnv(readFileSync(file, 'utf8')), ...env };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return env;
    throw new Refused(
      `The settings of the service in ${file} cannot be read (${code}). Put sudo before the command, or set DATA_DIR for another data folder.`,
    );
  }
}
