import { readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Knex } from 'knex';
import { openDiskBytes } from '#storage/disk.ts';
import { writeDurably } from '#storage/durable.ts';
import { checkPath, findMasterKey, keyPath, KeyRefused, readChecks } from '#storage/keys.ts';
import type { ByteStore } from '#storage/bytes.ts';
import { blobsPath, requireFolder, openVaultBytes } from '#storage/store.ts';
import { DATABASE_FILE } from '../../knexfile.ts';
import { KEEP } from '../backups/repository/retention-rule.ts';
import type { Config } from '../config/config.ts';
import { vacuumInto } from '../datadir/copies.ts';
import { addressMissing, NewerDatabase, openDatabase, refuseNewer, versionOf } from '../datadir/database.ts';
import { plural } from '#server/text/plural.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import { withoutDeletions } from '../datadir/deletion-lock.ts';
import { countFiles, describeBlob, fileBlobs } from '../datadir/named-files.ts';
import { openCopy } from '../datadir/single-file.ts';
import { bytesSourceOf } from '../datadir/settings.ts';
import { isUnsealed, pageKeyOf } from '../db/sqlite/page-encryption.ts';
import { asOwner } from './as-owner.ts';
import { readUnlockedConfig } from './ask-passphrase.ts';
import { isOnDiskOf, prepareFolder, writeIfChanged } from './backup-folder.ts';
import { copyFromPostgres } from '../services/backups-vault.ts';
import { databaseOf, openAlongside, vaultLockOf } from './open-alongside.ts';
import type { Command, CommandInput } from './command.ts';
import type { Check, Copied, Fault } from './copy.ts';
import { copyObjects } from './copy.ts';
import { problemOf } from './folder-problem.ts';
import { hashFile, writeManifest } from './manifest.ts';
import { Refused } from './refused.ts';
import type { Snapshot } from './snapshots.ts';
import {
  beginSnapshot,
  dropSnapshot,
  finishSnapshot,
  freeTimestamp,
  snapshotsIn,
  deleteExpired,
} from './snapshots.ts';

export const backup: Command = {
  summary: 'copy everything to a folder, while the server runs',
  args: ['DIR'],
  user: 'caller',
  options: { 'with-key': { type: 'boolean' }, 'read-data': { type: 'boolean' } },
  help: `Makes a snapshot of DATA_DIR in DIR, which is empty or holds earlier snapshots of the same vault; then only the
files that are new are copied. The server goes on meanwhile. Everything that was saved before the command began is in the
snapshot. The newest snapshot of each of the last ${KEEP.days} days, ${KEEP.weeks} weeks and ${KEEP.months} months that have one is kept, with the bytes of the files
that it names, also of those deleted since. Every byte is checked as it is copied: a damaged file is named and left out, with
exit code 1, while an earlier good copy of it stays.

  --with-key    put the master key into the backup too. Whoever has such a backup can read it: lock it away.
                Without the key a backup is useless, so keep a copy of the key in another place.
  --read-data   read and decrypt also every byte of the snapshot's files that are in DIR already`,

  async run({ args, options, env, say }) {
    const config = await readUnlockedConfig(env);
    const target = resolve(args[0]!);
    if (config.databaseUrl) await checkPostgres(config);
    else databaseOf(config.dataDir, addressMissing(config.dataDir));
    // A running server takes the same lock for its deletions.
    const release = await asOwner(config.dataDir, () =>
      withoutDeletions(config.dataDir, { patience: LOCK_TIMEOUT_MS, tryLock: vaultLockOf(config) }),
    );
    if (!release) throw new Refused('Another backup of this vault is running. Try again when it is done.');
    try {
      const check = await findCheck(config, options['read-data'] === true, say);
      const how = { withKey: options['with-key'] === true, check, say };
      return await prepareFolder(target, config)
        .then(() => snapshot(config, target, how))
        .catch(async (error: unknown) => {
          throw await explained(error, target);
        });
    } finally {
      await release();
    }
  },
};

/** The error of a backup; in words if it is of its folder. */
async function explained(reason: unknown, target: string): Promise<unknown> {
  if (reason instanceof NewerDatabase) return new Refused(reason.message);
  const problem = await problemOf(reason, target);
  if (problem === null) return reason;
  const isEarlier = (await snapshotsIn(target).catch(() => [])).length > 0;
  const kept = ' What was copied stays for the next try, and the earlier snapshots in it are as they were.';
  return new Refused(problem + (isEarlier ? kept : ''));
}

/** @throws {Refused} when PostgreSQL does not respond, holds another vault or has another schema version. */
async function checkPostgres(config: Config): Promise<void> {
  await (await openAlongside(config)).close();
}

/** In ms. A sweep ends within seconds: whoever holds the lock longer is another backup. */
const LOCK_TIMEOUT_MS = 60_000;

/** @returns undefined without the key; then objects are copied unchecked. */
async function findCheck(
  config: Config,
  readData: boolean,
  say: CommandInput['say'],
): Promise<Check | undefined> {
  const { dataDir } = config;
  const master = await findMasterKey({
    dataDir,
    masterKey: config.masterKey ?? undefined,
    masterKeyFile: config.masterKeyFile ?? undefined,
  });
  if (!master) {
    const needed = 'Set MASTER_KEY or MASTER_KEY_FILE as the server has it';
    if (readData) throw new Refused(`Reading the data takes the master key. ${needed}.`);
    if (config.databaseUrl || !isUnsealed(databaseOf(dataDir)))
      throw new Refused(`The database is sealed, so a backup takes the master key. ${needed}.`);
    say(`NOT CHECKED: the master key is not here, so the seals of the files are not checked. ${needed}.`);
    return undefined;
  }
  const checks = await readChecks(dataDir);
  if (checks && checks.position(master) < 0)
    throw new KeyRefused(
      `The master key is not the one that ${dataDir} was sealed with. Give the right key.`,
    );
  if (checks && checks.keys > 1)
    throw new KeyRefused(
      `The master key of ${dataDir} was being replaced, and that did not finish. Run "npm run admin -- replace-key" again first.`,
    );
  return { master, readData };
}

interface How {
  withKey: boolean;
  check: Check | undefined;
  say: CommandInput['say'];
}

async function snapshot(config: Config, target: string, { withKey, check, say }: How): Promise<boolean> {
  const { dataDir } = config;
  const date = await freeTimestamp(target);
  const incoming = await beginSnapshot(target, date);
  const to = await openDiskBytes({ root: blobsPath(target), flushFirst: true });
  const named = new Set<string>();
  try {
    const { copied, faults, files, versions } = await fill(incoming, { config, to, named, check });
    await writeIfChanged(checkPath(target), await readFile(checkPath(dataDir), 'utf8'));
    if (withKey) await putKey(config, target);
    await writeManifest(incoming.folder, {
      made_at: date.toISOString(),
      database: await hashFile(join(incoming.folder, DATABASE_FILE)),
      files: { count: files, bytes: copied.bytes },
      key_included: withKey,
    });
    const made = await finishSnapshot(incoming);
    if (!withKey) await rm(keyPath(target), { force: true });
    const unreadable = await deleteExpired(target, to, made, {
      named,
      key: check && pageKeyOf(check.master.serverSecret),
    });

    say(
      `${files} files${versions > 0 ? ` and ${versions} earlier versions` : ''} (${formatBytes(copied.bytes)}) are in ${target}; ${formatBytes(copied.fresh)} of them were copied now.`,
    );
    const all = await snapshotsIn(target);
    say(
      plural('en', all.length, {
        one: `It holds 1 snapshot, ${made.name}.`,
        other: `It holds # snapshots; this one is ${made.name}.`,
      }),
    );
    if (all.at(-1)!.name !== made.name)
      say(
        `LATER: ${all.at(-1)!.name} is dated after it. Was the clock wrong? "restore" takes that one unless --at says otherwise.`,
      );
    if (await isOnDiskOf(dataDir, target))
      say(`SAME DISK: ${target} is on the disk of ${dataDir}: when that fails, both are lost.`);
    if (!withKey)
      say('The master key is not in it. Make sure that you have a copy of the key in another place.');
    for (const line of faults) say(line);
    for (const name of unreadable)
      say(
        `WRONG: the database of the snapshot ${name} cannot be read. Until its folder is removed, no bytes are removed.`,
      );
    return faults.length === 0 && unreadable.length === 0;
  } catch (error) {
    await dropSnapshot(incoming);
    throw error;
  }
}

/**
 * Copies the database into the snapshot, and the blobs that it names into the store `to`; their ids are added
 * to `named`.
 */
async function fill(
  { folder }: Snapshot,
  {
    config,
    to,
    named,
    check,
  }: { config: Config; to: Parameters<typeof copyObjects>[1]; named: Set<string>; check: Check | undefined },
): Promise<{ copied: Copied; faults: string[]; files: number; versions: number }> {
  const database = join(folder, DATABASE_FILE);
  const key = check && pageKeyOf(check.master.serverSecret);
  if (config.databaseUrl) await copyFromPostgres(config.databaseUrl, database, key!);
  else await copyOwn(config.dataDir, database, key);
  const from = await openSource(config, check);
  const copy = openCopy(database, key);
  const ids = async function* () {
    for await (const blob_id of fileBlobs(copy)) {
      named.add(blob_id);
      yield blob_id;
    }
  };
  try {
    const copied = await copyObjects(from, to, ids(), check);
    const { files, versions } = await countFiles(copy);
    const faults: string[] = [];
    for (const fault of copied.faults) faults.push(await describe(copy, fault));
    return { copied, faults, files, versions };
  } finally {
    await copy.destroy();
  }
}

/** Copies the SQLite database of the data folder. */
async function copyOwn(dataDir: string, to: string, key: string | undefined): Promise<void> {
  const db = openDatabase(dataDir, { key });
  try {
    refuseNewer(await versionOf(db));
    await vacuumInto(db, to);
  } finally {
    await db.destroy();
  }
}

/** The store of the sealed files; a bucket needs the key. */
async function openSource(config: Config, check: Check | undefined): Promise<ByteStore> {
  if (check) return openVaultBytes(bytesSourceOf(config), check.master, false);
  await requireFolder(config.dataDir);
  return openDiskBytes({ root: blobsPath(config.dataDir), clean: false });
}

async function describe(db: Knex, { id, why, kept }: Fault): Promise<string> {
  const left = kept ? 'The good copy of an earlier backup stays' : 'It is not in the backup';
  return `WRONG: ${await describeBlob(db, id)}: ${why} ${left}.`;
}

async function putKey({ dataDir, masterKey, masterKeyFile }: Config, target: string): Promise<void> {
  const key = masterKey ?? (await readFile(masterKeyFile ?? keyPath(dataDir)));
  const text = typeof key === 'string' ? `${key}\n` : key;
  const existing = await readFile(keyPath(target)).catch(() => null);
  if (!existing?.equals(Buffer.from(text))) await writeDurably(keyPath(target), text);
}
