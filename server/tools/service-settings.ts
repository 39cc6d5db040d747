import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { Refused } from './refused.ts';

/** Where `install` keeps the settings of the service. */
export const SETTINGS = '/etc/almirah.env';
export const UNIT = '/etc/systemd/system/almirah.service';
export const SERVICE = 'almirah';
/** At each boot it ends an update that was cut short. */
export const FINISH_UNIT = '/etc/systemd/system/almirah-update.service';
export const FINISH_SERVICE = 'almirah-update';

/**
 * These settings, and where they name no data folder and a service is set up, what is not among them of those of the service.
 * @throws {Refused} when the service has settings that this user may not read: without them a command would look elsewhere.
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
