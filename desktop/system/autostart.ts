import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { desktopEntry, quoted } from './desktop-entry.ts';

const run = promisify(execFile);
const KEY = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run';
const NAME = 'Almirah Uploader';

interface Autostart {
  get(): Promise<boolean>;
  set(on: boolean): Promise<void>;
}

/** Start at login of this user; null when the program is not a single executable, or the system is not supported. */
export function autostartOf(program: string | null, env: NodeJS.ProcessEnv = process.env): Autostart | null {
  if (program === null) return null;
  if (process.platform === 'win32') return windows(program);
  if (process.platform === 'linux') return linux(program, env);
  return null;
}

const windows = (program: string): Autostart => ({
  get: () =>
    run('reg.exe', ['query', KEY, '/v', NAME], { windowsHide: true }).then(
      ({ stdout }) => stdout.includes(program),
      () => false,
    ),
  async set(on) {
    const args = on
      ? ['add', KEY, '/v', NAME, '/t', 'REG_SZ', '/d', `"${program}" --background`, '/f']
      : ['delete', KEY, '/v', NAME, '/f'];
    await run('reg.exe', args, { windowsHide: true }).catch((error: unknown) => {
      if (on) throw error;
    });
  },
});

function linux(program: string, env: NodeJS.ProcessEnv): Autostart {
  const file = join(
    env.XDG_CONFIG_HOME || join(homedir(), '.config'),
    'autostart',
    'almirah-uploader.desktop',
  );
  return {
    get: () =>
      readFile(file, 'utf8').then(
        (text) => text.includes(`Exec=${quoted(program)}`),
        () => false,
      ),
    async set(on) {
      if (!on) return rm(file, { force: true });
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, desktopEntry(program, { args: ' --background' }));
    },
  };
}
