import { chmod, copyFile, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { openDiskBytes } from '#storage/disk.ts';
import { flushFolder, writeDurably } from '#storage/durable.ts';
import { checkPath, keyPath } from '#storage/keys.ts';
import { blobsPath } from '#storage/store.ts';
import { DATABASE_FILE } from '../../knexfile.ts';
import type { Config } from '../config/config.ts';
import { readConfig } from '../config/config.ts';
import { isFull } from '../vault/copies.ts';
import { NewerDatabase, openDatabase, refuseNewer, versionOf } from '../vault/database.ts';
import { formatBytes } from '../documents/contract.ts';
import { holdDeletions } from '../vault/hold.ts';
import { databaseOf, fileBlobs, openCopy } from './beside.ts';
import type { Command } from './command.ts';
import { copyObjects } from './copy.ts';
import { hashFile, NOTE, writeManifest } from './manifest.ts';
import { Refused } from './refused.ts';

const TEXT = `This folder is a backup of an Almirah vault. Its files are encrypted.
To bring it back:   npm run admin -- restore THIS_FOLDER NEW_DATA_FOLDER
That takes the master key, which is here only if the backup was made with --with-key.
`;

export const backup: Command = {
  summary: 'copy everything to a folder, while the server runs',
  args: ['DIR'],
  options: { 'with-key': { type: 'boolean' } },
  help: `Copies the database and every file of DATA_DIR to DIR, which is empty or holds an earlier backup of the same
vault; then only what is new is copied. The server goes on meanwhile. Everything that was saved before the command
began is in the backup. The bytes of files deleted meanwhile are kept until the copy is done.

  --with-key   put the master key into the backup too. Whoever has such a backup can read it: lock it away.
               Without the key a backup is useless, so keep a copy of the key in another place.`,

  async run({ args, options, env, say }) {
    const config = readConfig(env);
    const target = resolve(args[0]!);
    databaseOf(config.dataDir);
    await prepare(target, config.dataDir);
    const release = await holdDeletions(config.dataDir, PATIENCE);
    if (!release) throw new Refused('Another backup of this vault is running. Try again when it is done.');
    try {
      return await copyAll(config, target, options['with-key'] === true, say);
    } catch (error) {
      if (error instanceof NewerDatabase) throw new Refused(error.message);
      if (!isFull(error)) throw error;
      await rm(join(target, `${DATABASE_FILE}.new`), { force: true });
      // It is taken away only when the new copy of the database takes the old one's place.
      const whole = (await readdir(target)).includes('manifest.json');
      throw new Refused(
        `There is no space left in ${target}. What was copied stays for the next try` +
          `${whole ? ', and the earlier backup in it is as it was' : ''}. Make room, or give a folder on another disk.`,
      );
    } finally {
      await release();
    }
  },
};

/** A sweep is over in seconds; whoever has it for longer is another backup. In milliseconds. */
const PATIENCE = 60_000;

async function prepare(target: string, dataDir: string): Promise<void> {
  await mkdir(target, { recursive: true, mode: 0o700 });
  const present = await readdir(target);
  if (present.length > 0 && !present.includes(NOTE)) {
    throw new Refused(
      `${target} holds other things than a backup. Give an empty folder or an earlier backup.`,
    );
  }
  const [theirs, ours] = await Promise.all(
    [target, dataDir].map((folder) => readFile(checkPath(folder), 'utf8').catch(() => null)),
  );
  if (theirs && theirs !== ours) {
    throw new Refused(`${target} holds a backup made with another master key. Give another folder.`);
  }
  await writeFile(join(target, NOTE), TEXT, { mode: 0o600 });
}

async function copyAll(config: Config, target: string, withKey: boolean, say: (line: string) => void) {
  const { dataDir } = config;
  const madeAt = new Date().toISOString();
  const incoming = join(target, `${DATABASE_FILE}.new`);
  await rm(incoming, { force: true });
  const db = openDatabase(dataDir);
  try {
    refuseNewer(await versionOf(db));
    await db.raw('VACUUM INTO ?', [incoming]);
  } finally {
    await db.destroy();
  }

  const from = await openDiskBytes({ root: blobsPath(dataDir), clean: false });
  const to = await openDiskBytes({ root: blobsPath(target), flushFirst: true });
  const copy = openCopy(incoming);
  const named = new Set<string>();
  const ids = async function* () {
    for await (const blob_id of fileBlobs(copy)) {
      named.add(blob_id);
      yield blob_id;
    }
  };
  const copied = await copyObjects(from, to, ids()).finally(() => copy.destroy());
  await copyFile(checkPath(dataDir), checkPath(target));
  if (withKey) await copyKey(config, target);
  else await rm(keyPath(target), { force: true });

  // From here to the manifest the folder is neither the old backup nor the new one.
  await rm(join(target, 'manifest.json'), { force: true });
  await chmod(incoming, 0o600);
  await flushed(incoming);
  await rename(incoming, join(target, DATABASE_FILE));
  await flushFolder(target);
  const database = await hashFile(join(target, DATABASE_FILE));
  const { count, bytes, reused, missing } = copied;
  await writeManifest(target, { made_at: madeAt, database, files: { count, bytes }, key_included: withKey });
  for await (const { id } of to.list()) if (!named.has(id)) await to.delete(id);

  say(`${count} files (${formatBytes(bytes)}) are in ${target}; ${count - reused} of them were copied now.`);
  if (!withKey)
    say('The master key is not in it. Make sure that you have a copy of the key in another place.');
  for (const id of missing) say(`MISSING: blob ${id} is named by the database but is not in the store.`);
  if (missing.length > 0) say('Run "npm run admin -- verify" to see which files these are.');
  return missing.length === 0;
}

async function copyKey({ dataDir, masterKey, masterKeyFile }: Config, target: string): Promise<void> {
  const key = masterKey ?? (await readFile(masterKeyFile ?? keyPath(dataDir)));
  if (typeof key === 'string') return writeDurably(keyPath(target), `${key}\n`);
  await writeFile(keyPath(target), key, { mode: 0o600 });
  return flushed(keyPath(target));
}

async function flushed(path: string): Promise<void> {
  const file = await open(path, 'r+');
  await file.sync().finally(() => file.close());
}
