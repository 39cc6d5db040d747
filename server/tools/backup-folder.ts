import { readdir, readFile, realpath, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { writeDurably } from '#storage/durable.ts';
import { checkPath } from '#storage/keys.ts';
import { isNightlyFolder } from '../backups/repository/marker.ts';
import type { Config } from '../config/config.ts';
import { makeFolder } from '../datadir/make-folder.ts';
import { isThere, missingFolder } from './folder-problem.ts';
import { NOTE, OLD_NOTE } from './manifest.ts';
import { Refused } from './refused.ts';
import { convertOldFormat } from './snapshots.ts';

const TEXT = `This folder is a backup of an Almirah vault. Its files are encrypted.
"snapshots" has one folder for each moment that can be brought back; all of them use the bytes in "blobs".

To bring back the newest:   npm run admin -- restore THIS_FOLDER NEW_DATA_FOLDER
or an earlier one:          npm run admin -- restore THIS_FOLDER NEW_DATA_FOLDER --at 2026-11-22

That takes the master key, which is here only if the backup was made with --with-key. Otherwise it asks for the words of the
recovery sheet; or give them in a file with --sheet FILE, or the key itself with --key FILE.
`;

/** Writes a small file atomically, unless it has this content already. */
export async function writeIfChanged(path: string, text: string): Promise<void> {
  if ((await readFile(path, 'utf8').catch(() => null)) !== text) await writeDurably(path, text);
}

/** Without links; also of a folder that is not there yet. */
const real = (path: string): Promise<string> =>
  realpath(path).catch(async () =>
    join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path)),
  );

/** @throws {Refused} for the folder of the nightly backups, whose format is another one: its snapshots would be thinned by a foreign rule. */
async function refuseNightly(target: string, present: readonly string[], config: Config): Promise<void> {
  const isPlace = config.backups?.s3 === null && (await real(config.backups.place)) === (await real(target));
  if (isPlace || isNightlyFolder(present))
    throw new Refused(
      `${target} is for the nightly backups, which have another format. Give a folder of its own, such as ${join(target, '..', 'by-hand')}; or make a nightly backup now: npm run admin -- backups run`,
    );
}

/** @throws {Refused} for a folder that would be lost with the vault, or whose disk is not mounted. */
async function refusePlace(target: string, { dataDir }: Config): Promise<void> {
  if (`${await real(target)}${sep}`.startsWith(`${await real(dataDir)}${sep}`))
    throw new Refused(`${target} is in the data folder itself. Give a folder on another disk.`);
  const above = dirname(target);
  if (!(await isThere(above))) throw new Refused(missingFolder(above));
}

/** Whether the backup is on the disk of the data folder. */
export async function isOnDiskOf(dataDir: string, target: string): Promise<boolean> {
  const [data, copy] = await Promise.all([dataDir, target].map((path) => stat(path)));
  return data!.dev === copy!.dev;
}

/**
 * Makes the folder of a backup by hand ready for another snapshot.
 * @throws {Refused} when it holds anything but earlier ones of the same vault.
 */
export async function prepareFolder(target: string, config: Config): Promise<void> {
  await refusePlace(target, config);
  await refuseNightly(target, await readdir(target).catch(() => []), config);
  await makeFolder(target);
  const present = await readdir(target);
  if (present.length > 0 && !present.includes(NOTE) && !present.includes(OLD_NOTE)) {
    throw new Refused(
      `${target} holds other things than a backup. Give an empty folder or an earlier backup.`,
    );
  }
  const [theirs, ours] = await Promise.all(
    [target, config.dataDir].map((folder) => readFile(checkPath(folder), 'utf8').catch(() => null)),
  );
  if (theirs && theirs !== ours) {
    throw new Refused(`${target} holds a backup made with another master key. Give another folder.`);
  }
  await writeIfChanged(join(target, NOTE), TEXT);
  if (present.includes(OLD_NOTE)) await unlink(join(target, OLD_NOTE));
  await convertOldFormat(target);
}
