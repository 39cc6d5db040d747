import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** The Desktop Entry Specification: a quoted argument, in which these are escaped. */
export const quoted = (path: string): string =>
  `"${path.replace(/["`$\\]/g, '\\\\$&').replaceAll('%', '%%')}"`;

/** What tells Linux of a program. @param more arguments, and further lines. */
export const entryOf = (program: string, { args = '', lines = '' } = {}): string =>
  `[Desktop Entry]\nType=Application\nName=Almirah Uploader\nExec=${quoted(program)}${args}\nTerminal=false\n${lines}`;

async function write(path: string, text: string): Promise<void> {
  if ((await readFile(path, 'utf8').catch(() => null)) === text) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/**
 * Puts the program into the menu of Linux, where its file lies now: nothing installs it there.
 * @param icon as SVG, which is kept in `dir`.
 */
export async function enterMenu(
  program: string,
  { dir, icon, env = process.env }: { dir: string; icon: string; env?: NodeJS.ProcessEnv },
): Promise<void> {
  const sign = join(dir, 'icon.svg');
  const shared = env.XDG_DATA_HOME || join(env.HOME ?? homedir(), '.local', 'share');
  await write(sign, icon);
  const lines = `Icon=${sign}\nCategories=Office;\nComment=Puts what is saved in watched folders into the vault\n`;
  await write(join(shared, 'applications', 'almirah-uploader.desktop'), entryOf(program, { lines }));
}
