import { copyFile, mkdir, open, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { openDiskBytes } from '#storage/disk.ts';
import { flushFolder } from '#storage/durable.ts';
import { checkPath, findMasterKey, keyPath, readChecks } from '#storage/keys.ts';
import { blobsPath } from '#storage/store.ts';
import { DATABASE_FILE } from '../../knexfile.ts';
import { readConfig } from '../config/config.ts';
import { migrate, openDatabase } from '../vault/database.ts';
import { fileBlobs, openBeside, openCopy } from './beside.ts';
import type { Command } from './command.ts';
import { copyObjects } from './copy.ts';
import { readManifest } from './manifest.ts';
import { Refused } from './refused.ts';
import { reportOn } from './verify.ts';

export const restore: Command = {
  summary: 'make a data folder out of a backup, and verify it',
  args: ['FROM', 'TO'],
  options: { key: { type: 'string' }, 'read-data': { type: 'boolean' } },
  help: `Copies the backup in FROM to TO, a folder that is empty or not there yet, and then verifies TO. Start the server
with DATA_DIR=TO afterwards. Nothing is written before the backup and the master key have been checked.

  --key FILE    the master key; by default master.key of the backup, MASTER_KEY_FILE or MASTER_KEY
  --read-data   verify every byte too, which takes as long as reading all files`,

  async run({ args, options, env, say }) {
    const from = resolve(args[0]!);
    const to = resolve(args[1]!);
    await readManifest(from);
    const config = readConfig(env);
    const keyFile = typeof options.key === 'string' ? resolve(options.key) : config.masterKeyFile;
    const given = options.key === undefined ? (config.masterKey ?? undefined) : undefined;
    await checkKey(from, given, keyFile);
    const present = await readdir(to).catch(() => []);
    if (present.length > 0)
      throw new Refused(`${to} is not empty. Nothing is overwritten: give another folder.`);

    await mkdir(to, { recursive: true, mode: 0o700 });
    const source = await openDiskBytes({ root: blobsPath(from), clean: false });
    const copy = openCopy(join(from, DATABASE_FILE));
    const target = await openDiskBytes({ root: blobsPath(to) });
    const { count } = await copyObjects(source, target, fileBlobs(copy)).finally(() => copy.destroy());
    if (!given) await writeFile(keyPath(to), await readFile(keyFile ?? keyPath(from)), { mode: 0o600 });
    await copyFile(checkPath(from), checkPath(to));
    // Last: until it is there, the folder cannot be taken for a vault.
    await placeDatabase(join(from, DATABASE_FILE), to);
    // The backup may be older than this program, and keeps the database as it was.
    const db = openDatabase(to);
    await migrate(db, null, new Date()).finally(() => db.destroy());
    say(`${count} files were copied to ${to}. Verifying …`);

    const vault = await openBeside({ ...config, dataDir: to, masterKey: given ?? null, masterKeyFile: null });
    try {
      const sound = await reportOn(vault, { readData: options['read-data'] === true, say });
      if (sound) say(`Restored. Start the server with DATA_DIR=${to}`);
      return sound;
    } finally {
      await vault.close();
    }
  },
};

async function checkKey(from: string, masterKey?: string, masterKeyFile?: string | null): Promise<void> {
  const key = await findMasterKey({ dataDir: from, masterKey, masterKeyFile: masterKeyFile ?? undefined });
  if (!key) throw new Refused('This backup was made without the master key. Give the key with --key FILE.');
  const checks = await readChecks(from);
  if (!checks)
    throw new Refused(
      `The backup in ${from} has no master.check, so no key can be checked. Take another one.`,
    );
  if (checks.position(key) < 0)
    throw new Refused('This master key is not the one that the backup is sealed with.');
}

async function placeDatabase(from: string, folder: string): Promise<void> {
  const incoming = join(folder, `${DATABASE_FILE}.new`);
  await copyFile(from, incoming);
  const file = await open(incoming, 'r+');
  await file.sync().finally(() => file.close());
  await rename(incoming, join(folder, DATABASE_FILE));
  await flushFolder(folder);
}
