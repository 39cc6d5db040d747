import { spawnSync } from 'node:child_process';
import { existsSync, linkSync, lstatSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs';
import { readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { wantedPackages } from './prepare.mjs';
import { Refused } from './refused.ts';

/** What building writes into: it must not be shared between versions. */
const OWN = new Set(['.cache', '.vite', '.astro']);

/** Gives `to` the same files as `from`, which take no room twice; nobody may write into them. */
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

/** Whether a version gets by with the packages of another, without the network and in a second. */
const samePackages = (folder: string, from: string): boolean =>
  existsSync(join(from, 'node_modules')) && wantedPackages(folder) === wantedPackages(from);

/** Brings packages and pages of a version that was unpacked. */
export function makeReady(folder: string, from: string): void {
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
