import { copyFile, open, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { openDiskBytes } from '#storage/disk.ts';
import { flushFolder } from '#storage/durable.ts';
import { checkPath, findMasterKey, keyPath, readChecks, readIfThere } from '#storage/keys.ts';
import type { MasterKey } from '#storage/masterkey.ts';
import { deriveMasterKey } from '#storage/masterkey.ts';
import { blobsPath } from '#storage/store.ts';
import { DATABASE_FILE } from '../../knexfile.ts';
import { keyFromWords, WrongWords } from '../backups/recovery/words.ts';
import { isNightlyFolder } from '../backups/repository/marker.ts';
import { readConfig } from '../config/config.ts';
import { migrate, openDatabase } from '../datadir/database.ts';
import { describeBlob, fileBlobs } from '../datadir/named-files.ts';
import { openCopy } from '../datadir/single-file.ts';
import { pageKeyOf } from '../db/sqlite/page-encryption.ts';
import { openAlongside, refuseOnPostgres } from './open-alongside.ts';
import { typedWords } from './ask-passphrase.ts';
import type { Command, CommandInput } from './command.ts';
import { copyObjects } from './copy.ts';
import { readGiven } from './given-file.ts';
import { OLD_NOTE, NOTE, readManifest } from './manifest.ts';
import { Refused } from './refused.ts';
import { fillRestored, notWhole, requireEmptyFolder } from './restored-folder.ts';
import type { Snapshot } from './snapshots.ts';
import { DATED_LATER, isDatedLater, listOf, readMoment, snapshotsIn } from './snapshots.ts';
import { reportOn } from './verify.ts';

export const restore: Command = {
  summary: 'make a data folder out of a backup, and verify it',
  args: ['FROM', 'TO'],
  user: 'caller',
  options: {
    at: { type: 'string' },
    key: { type: 'string' },
    sheet: { type: 'string' },
    'read-data': { type: 'boolean' },
  },
  help: `Copies the backup in FROM to TO, a folder that is empty or not there yet, and then verifies TO. Start the server
with DATA_DIR=TO afterwards. Nothing is written before the backup and the master key have been checked.

  --at DATE     the newest snapshot that is not later, in India: 2026-11-22 (with the whole day), 2026-11-22T18:30 or the
                name of a folder in FROM/snapshots (by UTC); without it, the newest of all, unless that is dated later than now
  --key FILE    the master key; by default master.key of the backup, MASTER_KEY_FILE or MASTER_KEY
  --sheet FILE  the 24 words of the recovery sheet in place of the key; where there is no key, they are asked for
  --read-data   verify every byte too, which takes as long as reading all files`,

  async run({ args, options, env, say }) {
    refuseOnPostgres();
    const from = resolve(args[0]!);
    const to = resolve(args[1]!);
    const snapshot = await choose(from, to, typeof options.at === 'string' ? options.at : undefined);
    await readManifest(snapshot.folder).catch((error: Error) => {
      throw new Refused(`${error.message} --at takes an earlier snapshot of it, if there is one.`);
    });
    const config = readConfig(env);
    if (typeof options.key === 'string') await readGiven('--key', options.key);
    const keyFile = typeof options.key === 'string' ? resolve(options.key) : config.masterKeyFile;
    const words = await wordsFor(from, { args, options, env, say });
    const written = words === null ? undefined : await bySheet(from, words);
    const keyText = written ?? (options.key === undefined ? (config.masterKey ?? undefined) : undefined);
    const master = await checkKey(from, keyText, written ? null : keyFile);
    const key = pageKeyOf(master.serverSecret);
    await requireEmptyFolder(to);
    await fillRestored(to, async () => {
      const source = await openDiskBytes({ root: blobsPath(from), clean: false });
      const copy = openCopy(join(snapshot.folder, DATABASE_FILE), key);
      const target = await openDiskBytes({ root: blobsPath(to) });
      try {
        const { faults } = await copyObjects(source, target, fileBlobs(copy), { master, readData: false });
        for (const { id, why } of faults)
          say(`WRONG: ${await describeBlob(copy, id)}: ${why} It was left out.`);
      } finally {
        await copy.destroy();
      }
      if (written) await writeFile(keyPath(to), `${written}\n`, { mode: 0o600 });
      else if (!keyText)
        await writeFile(keyPath(to), await readFile(keyFile ?? keyPath(from)), { mode: 0o600 });
      await copyFile(checkPath(from), checkPath(to));
      // Last: without its database the folder cannot be taken for a vault.
      await placeDatabase(join(snapshot.folder, DATABASE_FILE), to);
      // The database may be of an older version.
      const db = openDatabase(to, { key });
      await migrate(db, null, new Date()).finally(() => db.destroy());
    });
    say(`The snapshot ${snapshot.name} was copied to ${to}. Verifying …`);

    const vault = await openAlongside({
      ...config,
      dataDir: to,
      masterKey: keyText ?? null,
      masterKeyFile: null,
    });
    try {
      const sound = await reportOn(vault, { readData: options['read-data'] === true, say });
      say(sound ? `Restored. Start the server with DATA_DIR=${to}` : notWhole(to));
      return sound;
    } finally {
      await vault.close();
    }
  },
};

/** @throws {Refused} when the folder is no backup, an incomplete one, or has no snapshot of that time; without `at`, also when a clock was wrong. */
async function choose(from: string, to: string, at: string | undefined): Promise<Snapshot> {
  const all = await snapshotsIn(from);
  const moment = at === undefined ? null : readMoment(at);
  if (at !== undefined && !moment)
    throw new Refused(`"${at}" is no date. Write it like 2026-11-22 or 2026-11-22T18:30, in India's time.`);
  const found = all.findLast((snapshot) => !moment || snapshot.at <= moment);
  const list = `There are:\n${listOf(all)}`;
  if (found && !moment && isDatedLater(found.at))
    throw new Refused(
      `The snapshot ${found.name} in ${from} ${DATED_LATER} Say by --at which one to restore. ${list}`,
    );
  if (found) return found;
  const names = await readdir(from).catch((): string[] => []);
  if (all.length > 0) throw new Refused(`No snapshot in ${from} is as old as that. ${list}`);
  if (isNightlyFolder(names))
    throw new Refused(
      `${from} holds nightly backups. They are brought back by: npm run admin -- backups restore ${to} --from ${from}`,
    );
  throw new Refused(
    names.includes(NOTE) || names.includes(OLD_NOTE)
      ? `The backup in ${from} was cut off before it was whole: there is no snapshot in it. Make it again, or take another one.`
      : `${from} is not a backup: it has no snapshots.`,
  );
}

/** The words of the recovery sheet: from a file, or typed where no key is given; null for a key. */
async function wordsFor(from: string, { options, env, say }: CommandInput): Promise<string | null> {
  if (typeof options.sheet === 'string') return (await readGiven('--sheet', options.sheet)).toString('utf8');
  const { masterKey, masterKeyFile } = readConfig(env);
  const hasKey = options.key ?? masterKey ?? masterKeyFile ?? (await readIfThere(keyPath(from)));
  return hasKey || !process.stdin.isTTY ? null : typedWords(say);
}

/** The key as hex, from the words of a recovery sheet. @throws {Refused} naming a wrong word. */
async function bySheet(from: string, words: string): Promise<string> {
  const checks = await readChecks(from);
  try {
    return keyFromWords(words, (key) => (checks?.position(deriveMasterKey(key)) ?? -1) >= 0).toString('hex');
  } catch (error) {
    throw error instanceof WrongWords ? new Refused(`${error.message}\nNothing was changed.`) : error;
  }
}

async function checkKey(from: string, masterKey?: string, masterKeyFile?: string | null): Promise<MasterKey> {
  const key = await findMasterKey({ dataDir: from, masterKey, masterKeyFile: masterKeyFile ?? undefined });
  if (!key)
    throw new Refused(
      'This backup was made without the master key. Give the words of the recovery sheet in a file with --sheet FILE, or the key with --key FILE.',
    );
  const checks = await readChecks(from);
  if (!checks)
    throw new Refused(
      `The backup in ${from} has no master.check, so no key can be checked. Take another one.`,
    );
  if (checks.position(key) < 0)
    throw new Refused('This master key is not the one that the backup is sealed with.');
  return key;
}

async function placeDatabase(from: string, folder: string): Promise<void> {
  const incoming = join(folder, `${DATABASE_FILE}.new`);
  await copyFile(from, incoming);
  const file = await open(incoming, 'r+');
  await file.sync().finally(() => file.close());
  await rename(incoming, join(folder, DATABASE_FILE));
  await flushFolder(folder);
}
