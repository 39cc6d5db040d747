import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, readdir, readlink, realpath, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { flushFolder } from '#storage/durable.ts';
import { compareVersions, isVersion } from './versions.ts';

/*
 * Where versions lie. The folder that was installed holds the first one itself, and later ones below it:
 *   /opt/almirah/                   the version that was installed
 *   /opt/almirah/releases/1.5.0/    a version that came as an update
 *   /opt/almirah/current            a symbolic link to the one that runs: `.` or `releases/1.5.0`
 */

const RELEASES = 'releases';
export const CURRENT = 'current';

/** The installation folder of a version's folder. */
export const baseOf = (program: string): string =>
  basename(dirname(program)) === RELEASES ? dirname(dirname(program)) : program;

export const releasesOf = (base: string): string => join(base, RELEASES);

/** Version in the folder's package.json; null without one. */
export async function versionIn(folder: string): Promise<string | null> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => null);
  if (text === null) return null;
  const { version } = JSON.parse(text) as { version: string };
  return isVersion(version) ? version : null;
}

/** The folder of the running version. */
export const currentOf = (base: string): Promise<string> =>
  existsSync(join(base, CURRENT)) ? realpath(join(base, CURRENT)) : Promise.resolve(base);

/** The folder of a version; null when it is not installed. */
export async function folderOf(base: string, version: string): Promise<string | null> {
  const folder = join(releasesOf(base), version);
  if (isVersion(version) && (await versionIn(folder)) === version) return folder;
  return (await versionIn(base)) === version ? base : null;
}

/** Makes `folder` the current version, atomically: a process that starts sees the previous version or this one. */
export async function makeCurrent(base: string, folder: string): Promise<void> {
  const link = join(base, CURRENT);
  const target = relative(base, folder) || '.';
  if ((await readlink(link).catch(() => null)) === target) return;
  await rm(`${link}.new`, { force: true });
  await symlink(target, `${link}.new`);
  await rename(`${link}.new`, link);
  await flushFolder(base);
}

/** Deletes remains of interrupted updates, and the versions that `isObsolete` selects. */
export async function deleteReleases(base: string, isObsolete: (version: string) => boolean): Promise<void> {
  const releases = releasesOf(base);
  for (const { name } of await readdir(releases, { withFileTypes: true }).catch(() => [])) {
    if (name.startsWith('incoming') || (isVersion(name) && isObsolete(name)))
      await rm(join(releases, name), { recursive: true, force: true });
  }
}

/** Installed versions, oldest first. */
export async function versionsIn(base: string): Promise<string[]> {
  const below = await readdir(releasesOf(base)).catch(() => []);
  const version = await versionIn(base);
  return [...new Set([...below.filter(isVersion), ...(version ? [version] : [])])].toSorted(compareVersions);
}

/** Names of a version's migrations, oldest first. */
export const migrationsIn = async (folder: string): Promise<string[]> =>
  (await readdir(join(folder, 'migrations'))).filter((name) => name.endsWith('.ts')).toSorted();

/** Flushes the file system of `folder`, so that all writes survive a power cut. */
export async function flushDisk(folder: string): Promise<void> {
  await promisify(execFile)('sync', ['-f', folder]);
}
