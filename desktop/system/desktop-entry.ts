import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Quotes an argument as the Desktop Entry Specification requires. */
export const quoted = (path: string): string =>
  `"${path.replace(/["`$\\]/g, '\\\\$&').replaceAll('%', '%%')}"`;

/** The content of a .desktop file. @param args command line arguments. */
export const desktopEntry = (program: string, { args = '', lines = '' } = {}): string =>
  `[Desktop Entry]\nType=Application\nName=Almirah Uploader\nExec=${quoted(program)}${args}\nTerminal=false\n${lines}`;

async function write(path: string, text: string): Promise<void> {
  if ((await readFile(path, 'utf8').catch(() => null)) === text) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/**
 * Adds the program to the application menu of Linux, with its current path.
 * @param icon SVG, stored in `dir`.
 */
export async function addToMenu(
  program: string,
  { dir, icon, env = process.env }: { dir: string; icon: string; env?: NodeJS.ProcessEnv },
): Promise<void> {
  const sign = join(dir, 'icon.svg');
  const shared = env.XDG_DATA_HOME || join(env.HOME ?? homedir(), '.local', 'share');
  await write(sign, icon);
  const lines = `Icon=${sign}\nCategories=Office;\nComment=Puts what is saved in watched folders into the vault\n`;
  await write(join(shared, 'applications', 'almirah-uploader.desktop'), desktopEntry(program, { lines }));
}
