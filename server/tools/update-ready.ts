import { spawnSync } from 'node:child_process';
import { existsSync, linkSync, lstatSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs';
import { readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { wantedPackages } from './prepare.mjs';
import { Refused } from './refused.ts';

/** Folders that builds write to, which versions must not share. */
const OWN = new Set(['.cache', '.vite', '.astro']);

/** Copies a folder tree as hard links, which take no space; nobody may write to the files. */
export function linkTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o755 });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      if (!OWN.has(entry.name)) linkTree(source, target);
    } else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkSync(source, target);
  }
}

/** Whether two versions need the same packages; then the update needs no network. */
const samePackages = (folder: string, from: string): boolean =>
  existsSync(join(from, 'node_modules')) && wantedPackages(folder) === wantedPackages(from);

/** Installs packages and builds the pages of an unpacked version. */
export function prepare(folder: string, from: string): void {
  const packages = join(from, 'node_modules');
  if (samePackages(folder, from)) {
    if (lstatSync(packages).isSymbolicLink())
      symlinkSync(realpathSync(packages), join(folder, 'node_modules'));
    else linkTree(packages, join(folder, 'node_modules'));
  }
  const { status } = spawnSync(process.execPath, [join(folder, 'server/tools/prepare.mjs'), 'start'], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0)
    throw new Refused(
      'The new version could not be made ready; the reason stands above. Nothing was changed.',
    );
}
