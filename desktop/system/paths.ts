import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';

const NAME = 'Almirah Uploader';

/** The program's data folder, readable by this user only. */
export function dataFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env.ALMIRAH_UPLOADER_DIR) return env.ALMIRAH_UPLOADER_DIR;
  if (process.platform === 'win32')
    return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), NAME, 'data');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', NAME);
  return join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'almirah-uploader');
}

/** Socket or pipe of the running instance. */
export function controlPath(dir: string): string {
  const mark = createHash('sha256').update(dir).digest('hex').slice(0, 16);
  // Socket paths are limited to about 100 bytes, so use a hash of the folder.
  if (process.platform === 'win32') return `\\\\.\\pipe\\almirah-uploader-${mark}`;
  return join(process.env.XDG_RUNTIME_DIR || dir, `almirah-uploader-${mark}.sock`);
}
