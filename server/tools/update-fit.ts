import { createWriteStream, statSync } from 'node:fs';
import { mkdir, rm, statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { formatBytes } from '../text/format-bytes.ts';
import { currentOf, migrationsIn, releasesOf, versionIn } from '../updates/layout.ts';
import type { Release } from '../updates/release.ts';
import { BadRelease, LIMITS, totalOf } from '../updates/release.ts';
import { compareVersions } from '../updates/versions.ts';
import { databaseOf } from './open-alongside.ts';
import { Refused } from './refused.ts';
import type { Installation } from './update-dependencies.ts';

/** Bytes needed for packages that are not installed yet, and bytes that must stay free. */
const PACKAGES_BYTES = 1.2 * 1024 ** 3;
const RESERVE_BYTES = 200 * 1024 ** 2;

/** The archive as a local file; the caller deletes a downloaded one (`temporary`) afterwards. */
export async function localArchive(
  base: string,
  from: string,
): Promise<{ file: string; temporary: boolean }> {
  if (!/^https?:\/\//.test(from)) {
    const file = resolve(from);
    const found = statSync(file, { throwIfNoEntry: false });
    if (!found)
      throw new Refused(
        `There is no file ${file}. Give an archive, its https address, or one of status, back and finish.`,
      );
    if (!found.isFile()) throw new Refused(`${file} is no file. Give the archive of a release.`);
    return { file, temporary: false };
  }
  const releases = releasesOf(base);
  await mkdir(releases, { recursive: true, mode: 0o755 });
  // `deleteReleases` clears what begins with "incoming" away before the archive is unpacked.
  const file = join(releases, 'download.tar.gz');
  const answer = await fetch(from).catch((error: Error) => {
    throw new Refused(`${from} cannot be reached: ${String(error.cause ?? error.message)}`);
  });
  if (!answer.ok || !answer.body) throw new Refused(`${from} answers ${answer.status}.`);
  let left = LIMITS.bytes;
  async function* limited(pieces: AsyncIterable<Uint8Array>) {
    for await (const piece of pieces) {
      left -= piece.length;
      if (left < 0) throw new BadRelease('This archive is larger than a release can be.');
      yield piece;
    }
  }
  try {
    await pipeline(Readable.fromWeb(answer.body as never), limited, createWriteStream(file));
  } catch (error) {
    await rm(file, { force: true });
    if (error instanceof BadRelease) throw error;
    const { message, cause } = error as Error;
    throw new Refused(`${from} could not be downloaded: ${String(cause ?? message)}. Nothing was changed.`);
  }
  return { file, temporary: true };
}

/** Checks that the release can be installed here. @throws {Refused} with the reason. */
export async function requireCompatible(installation: Installation, release: Release): Promise<void> {
  const current = await currentOf(installation.base);
  const version = (await versionIn(current)) ?? '0.0.0';
  const order = compareVersions(release.version, version);
  if (order === 0) throw new Refused(`${version} runs already.`);
  if (order < 0)
    throw new Refused(
      `${release.version} is older than ${version}, which runs. To go back: npm run admin -- update back`,
    );
  const node = Number(process.versions.node.split('.')[0]);
  if (node < release.node)
    throw new Refused(
      `${release.version} needs Node ${release.node} to be made ready; this is ${process.versions.node}.`,
    );
  const lacking = (await migrationsIn(current)).filter((name) => !release.migrations.includes(name));
  if (lacking.length > 0)
    throw new Refused(
      `${release.version} does not know ${lacking.join(', ')}, which this database has been through. It is of another line of Almirah.`,
    );
}

/** @throws {Refused} when a disk has too little space for the new version, or for copies of the database. */
export async function requireSpace({ base, config }: Installation, release: Release): Promise<void> {
  const database = statSync(databaseOf(config.dataDir)).size;
  const needs: [folder: string, bytes: number][] = [
    [base, totalOf(release.files) * 2 + PACKAGES_BYTES + RESERVE_BYTES],
    // The copy aside, the one before the migration, and the log of the migration.
    [config.dataDir, database * 3 + RESERVE_BYTES],
  ];
  const disks = new Map<number, { folder: string; bytes: number; free: number }>();
  for (const [folder, bytes] of needs) {
    const { bavail, bsize } = await statfs(folder);
    const { dev } = statSync(folder);
    const disk = disks.get(dev) ?? { folder, bytes: 0, free: bavail * bsize };
    disks.set(dev, { ...disk, bytes: disk.bytes + bytes });
  }
  for (const { folder, bytes, free } of disks.values())
    if (free < bytes)
      throw new Refused(
        `The disk of ${folder} has ${formatBytes(free)} free; the update needs ${formatBytes(bytes)}. Make room on it. Nothing was changed.`,
      );
}
