import { readFileSync } from 'node:fs';
import { Refused } from './refused.ts';

/** The settings file that `install` writes. */
export const SETTINGS = '/etc/almirah.env';
export const UNIT = '/etc/systemd/system/almirah.service';
export const SERVICE = 'almirah';
/** A unit that completes an interrupted update at boot. */
export const FINISH_UNIT = '/etc/systemd/system/almirah-update.service';
export const FINISH_SERVICE = 'almirah-update';

/** `NAME=`, parts in quotation marks, and the rest of the line, in which a backslash escapes what follows. */
const ENTRY = /^[ \t]*([A-Za-z_]\w*)[ \t]*=((?:[ \t]|'[^']*'|"(?:\\[^]|[^"\\])*")*)((?:\\[^]|[^\n\r\\])*)/gm;
const QUOTED = /'([^']*)'|"((?:\\[^]|[^"\\])*)"|[ \t]+/g;

const unescaped = (text: string, escapable: RegExp): string =>
  text.replace(/\\([^])/g, (all, next: string) => (next === '\n' ? '' : escapable.test(next) ? next : all));

/**
 * The settings in a file as systemd gives them to the service. Other readers of such files take `# …` after a value for a comment, and
 * a backslash for itself: a command would then use another data folder than the service does.
 */
export const parseSettings = (text: string): Record<string, string> =>
  Object.fromEntries(
    Array.from(text.matchAll(ENTRY), ([, name = '', quoted = '', rest = '']) => [
      name,
      quoted.replace(
        QUOTED,
        (_all, single?: string, double?: string) => single ?? unescaped(double ?? '', /["\\$`]/),
      ) + unescaped(rest.replace(/(?<!\\)[ \t]+$/, ''), /[^]/),
    ]),
  );

/** The settings of the installed service. @throws when the file cannot be read. */
export const readSettings = (file = SETTINGS): Record<string, string> =>
  parseSettings(readFileSync(file, 'utf8'));

/**
 * The environment, completed by the settings of the installed service when it has no DATA_DIR.
 * @throws {Refused} when the service's settings exist but cannot be read: the command would use another data
 * folder.
 */
export function withServiceSettings(env: Record<string, string | undefined>, file = SETTINGS) {
  if (env.DATA_DIR) return env;
  try {
    return { ...readSettings(file), ...env };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return env;
    throw new Refused(
      `The settings of the service in ${file} cannot be read (${code}). Put sudo before the command, or set DATA_DIR for another data folder.`,
    );
  }
}
