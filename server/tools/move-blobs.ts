import type { ByteStore } from '#storage/bytes.ts';
import { findMasterKey, KeyRefused } from '#storage/keys.ts';
import type { MasterKey } from '#storage/masterkey.ts';
import { openVaultBytes, switchTo } from '#storage/store.ts';
import { readBlobs } from '../config/blobs.ts';
import type { Config } from '../config/config.ts';
import { BadConfig } from '../config/config.ts';
import { withoutDeletions } from '../datadir/deletion-lock.ts';
import { lockDataFolder } from '../datadir/lock.ts';
import { lockOutServers } from '../db/postgres/command-locks.ts';
import { bytesSourceOf, keySourceOf } from '../datadir/settings.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import type { Command } from './command.ts';
import { copyObjects } from './copy.ts';
import { vaultLockOf } from './open-alongside.ts';
import { Refused } from './refused.ts';

type Given = Parameters<Command['run']>[0];

const placeOf = (config: Config): string => config.blobs?.address ?? `${config.dataDir}/blobs`;

async function* idsOf(bytes: ByteStore): AsyncGenerator<string> {
  for await (const { id } of bytes.list()) yield id;
}

/**
 * Copies objects that are missing, or that the master key does not open there, and reads each copy back.
 * @returns whether nothing was missing or damaged.
 */
async function copyAll(
  from: ByteStore,
  to: ByteStore,
  master: MasterKey,
  say: Given['say'],
): Promise<boolean> {
  let objects = 0;
  const counted = async function* () {
    for await (const id of idsOf(from)) {
      objects += 1;
      yield id;
    }
  };
  const { bytes, fresh, faults } = await copyObjects(from, to, counted(), {
    master,
    readData: false,
    readBack: true,
  });
  for (const { id, why } of faults) say(`WRONG: the stored file ${id}: ${why}`);
  say(
    `${objects - faults.length} of ${objects} stored files (${formatBytes(bytes)}) are there; ${formatBytes(fresh)} were copied now, and read back.`,
  );
  if (faults.length === 0) return true;
  say(
    faults.every(({ ofCopy }) => ofCopy)
      ? 'Nothing was switched. The files themselves are good where they are: run this again, which copies them anew.'
      : 'Nothing was switched. Put the damaged files right from a backup, or delete them, and run this again.',
  );
  return false;
}

/**
 * Locks the vault against servers on this machine and others.
 * @returns null while a server runs.
 */
async function lockVault({ dataDir, databaseUrl }: Config): Promise<(() => Promise<void>) | null> {
  const unlock = await lockDataFolder(dataDir).catch(() => null);
  if (!unlock || !databaseUrl) return unlock;
  const others = await lockOutServers(databaseUrl);
  if (others) return () => others().finally(unlock);
  await unlock();
  return null;
}

/**
 * Moves the bytes of all files to another store. While the server runs it only copies; with the server stopped
 * it copies the rest and switches. It can be run again after an interruption.
 * @param address s3://…, or `disk` for the data folder.
 * @throws {Refused} {BadConfig}
 */
export async function moveBlobs(config: Config, address: string, { env, say }: Given): Promise<boolean> {
  const { dataDir } = config;
  const problems: string[] = [];
  const target: Config = { ...config, blobs: readBlobs({ ...env, BLOBS: address }, problems) };
  if (problems.length > 0) throw new BadConfig(problems);
  if (placeOf(target) === placeOf(config)) throw new Refused(`The files are in ${placeOf(config)} already.`);
  const master = await findMasterKey(keySourceOf(config));
  if (!master) throw new KeyRefused(`Moving files takes the master key of ${dataDir}.`);
  const from = await openVaultBytes(bytesSourceOf(config), master, false);
  const to = await openVaultBytes(bytesSourceOf(target), master, false, true);
  say(`Copying from ${placeOf(config)} to ${placeOf(target)} …`);
  if (!(await copyAll(from, to, master, say))) return false;
  const unlock = await lockVault(config);
  if (!unlock) {
    say(
      'The server runs, so nothing was switched. Stop it and run this again: only what came meanwhile is copied then.',
    );
    return true;
  }
  const release = await withoutDeletions(dataDir, { tryLock: vaultLockOf(config) });
  try {
    if (!release) throw new Refused('A backup of this vault is running. Try again when it is done.');
    if (!(await copyAll(from, to, master, say))) return false;
    await switchTo(bytesSourceOf(target));
    say(
      `The files of this vault are in ${placeOf(target)} now. ${target.blobs ? `Set BLOBS="${address}"` : 'Leave BLOBS out'} and start the server.`,
    );
    say(
      `Those in ${placeOf(config)} were left as they are: after "npm run admin -- verify --read-data" has found all well, delete them.`,
    );
    return true;
  } finally {
    await release?.();
    await unlock();
  }
}
