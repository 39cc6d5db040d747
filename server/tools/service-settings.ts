import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/** Where `install` keeps the settings of the service. */
export const SETTINGS = '/etc/almirah.env';
export const UNIT = '/etc/systemd/system/almirah.service';
export const SERVICE = 'almirah';

/** These settings, or where they name no data folder and a service is set up, those of the service. */
export function withServiceSettings(env: Record<string, string | undefined>) {
  if (env.DATA_DIR) return env;
  try {
    return { ...env, ...parseEnv(readFileSync(SETTINGS, 'utf8')) };
  } catch {
    return env;
  }
}
