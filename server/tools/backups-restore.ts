import { rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { openDiskBytes } from '#storage/disk.ts';
import { flushFolder } from '#storage/durable.ts';
import { checkPath, keyPath, parseChecks, parseMasterKey } from '#storage/keys.ts';
import type { MasterKey } from '#storage/masterkey.ts';
import { deriveMasterKey } from '#storage/masterkey.ts';
import { blobsPath } from '#storage/store.ts';
import { DATABASE_FILE } from '../../knexfile.ts';
import { keyFromWords, WrongWords } from '../backups/recovery/words.ts';
import { fetchBlobs, restoreDatabase, verifiedBlobList } from '../backups/repository/restore.ts';
import { PieceLost } from '../backups/repository/database-pieces.ts';
import { repositoryKeys } from '../backups/repository/keys.ts';
import { checkKey } from '../backups/repository/layout.ts';
import type { Snapshot } from '../backups/repository/manifest.ts';
import { momentOf, readSnapshots } from '../backups/repository/manifest.ts';
import type { Place } from '../backups/repository/place.ts';
import { readConfig } from '../config/config.ts';
import { migrate, openDatabase } from '../datadir/database.ts';
import { pageKeyOf } from '../db/sqlite/page-encryption.ts';
import type { CommandInput } from './command.ts';
import { readGiven } from './given-file.ts';
import { MANIFEST } from './manifest.ts';
import { openAlongside, refuseOnPostgres } from './open-alongside.ts';
import { Refused } from './refused.ts';
import { fillRestored, notWhole, requireEmptyFolder } from './restored-folder.ts';
import { DATED_LATER, isDatedLater, listOf, readMoment } from './snapshots.ts';
import { reportOn } from './verify.ts';

interface Restoring extends CommandInput {
  place: Place;
  to: string;
  /** The words of a recovery sheet; null without one. */
  words: () => Promise<string | null>;
}

/** @throws {Refused} when a place holds backups made by hand, which another command brings back. */
export async function refuseByHand(
  place: Place,
  { to = 'NEW_DATA_FOLDER', options = {} }: Partial<Pick<Restoring, 'to' | 'options'>> = {},
): Promise<void> {
  const given = ['sheet', 'key'].filter((name) => typeof options[name] === 'string');
  const more = given.map((name) => ` --${name} ${String(options[name])}`).join('');
  for await (const keys of place.keys('snapshots/'))
    if (keys.some((key) => key.endsWith(`/${MANIFEST}`)))
      throw new Refused(
        `${place.address} holds backups made by hand, and no nightly ones. They are brought back by: npm run admin -- restore ${place.address} ${to}${more}`,
      );
}

async function choose({ place, to, options, say }: Restoring, date: unknown): Promise<Snapshot> {
  const { snapshots, unreadable } = await readSnapshots(place);
  const newest = snapshots.at(-1);
  if (!newest) await refuseByHand(place, { to, options });
  if (!newest) throw new Refused(`There is no whole backup in ${place.address}.`);
  const list = listOf(snapshots);
  /** The newest damaged backup between this one and a moment, itself named like one. */
  const damagedAfter = ({ moment: name }: Snapshot, last?: string) =>
    unreadable
      .filter((other) => other > name && (!last || other <= last))
      .toSorted()
      .at(-1);
  if (typeof date !== 'string') {
    const damaged = damagedAfter(newest);
    if (damaged)
      throw new Refused(
        `The newest backup in ${place.address}, ${damaged}, is damaged: its manifest cannot be read. Say by --at which one to restore. There are:\n${list}`,
      );
    if (!isDatedLater(newest.at)) return newest;
    throw new Refused(
      `The backup ${newest.moment} in ${place.address} ${DATED_LATER} Say by --at which one to restore. There are:\n${list}`,
    );
  }
  const moment = readMoment(date);
  if (!moment)
    throw new Refused(`"${date}" is no date. Write it like 2026-11-22 or 2026-11-22T18:30, in India's time.`);
  const found = snapshots.findLast(({ at }) => at <= moment);
  if (found) {
    const damaged = damagedAfter(found, momentOf(moment));
    if (damaged) say(`WRONG: The backup ${damaged} is damaged, so ${found.moment} is taken.`);
    return found;
  }
  throw new Refused(`No backup in ${place.address} is as old as that. There are:\n${list}`);
}

/**
 * @returns the key, and its text for a key file.
 * @throws {Refused} when it is not the backup's key.
 */
async function keyFor(restoring: Restoring, check: string): Promise<{ master: MasterKey; text: string }> {
  const checks = parseChecks(check, `The key's check in ${restoring.place.address}`);
  const fits = (master: MasterKey): boolean => checks.position(master) >= 0;
  const { options, env } = restoring;
  const words = await restoring.words();
  if (words !== null) {
    try {
      const secret = keyFromWords(words, (key) => fits(deriveMasterKey(key)));
      return { master: deriveMasterKey(secret), text: `${secret.toString('hex')}\n` };
    } catch (error) {
      throw error instanceof WrongWords ? new Refused(`${error.message}\nNothing was changed.`) : error;
    }
  }
  const { masterKey, masterKeyFile } = readConfig(env);
  const file = typeof options.key === 'string' ? resolve(options.key) : masterKeyFile;
  const named = typeof options.key === 'string' ? '--key' : 'MASTER_KEY_FILE';
  const keyText = file ? await readGiven(named, file) : masterKey;
  if (!keyText)
    throw new Refused(
      'A restore takes the recovery sheet: give its words in a file with --sheet FILE, or the key with --key FILE.',
    );
  const master = parseMasterKey(keyText, file ?? 'MASTER_KEY');
  if (!fits(master))
    throw new Refused('This key is not the one that the backup is sealed with. Nothing was changed.');
  return { master, text: Buffer.isBuffer(keyText) ? keyText.toString('latin1') : `${keyText}\n` };
}

/** Restores a backup into a new data folder, and verifies it. Backup and key are checked before anything is written. */
export async function restoreBackup(restoring: Restoring): Promise<boolean> {
  refuseOnPostgres();
  const { place, to, options, say } = restoring;
  const snapshot = await choose(restoring, options.at);
  const { moment, manifest } = snapshot;
  await requireEmptyFolder(to);
  const check = (await place.read(checkKey(manifest.key)))?.toString('latin1');
  if (check === undefined)
    throw new Refused(`The check of the key of the backup ${moment} is missing, so no key can be checked.`);
  const { master, text } = await keyFor(restoring, check);
  const keys = repositoryKeys(manifest.key, master.serverSecret);
  const blobs = await verifiedBlobList(place, keys, snapshot);

  const faults: string[] = [];
  await fillRestored(to, async () => {
    const incoming = join(to, `${DATABASE_FILE}.new`);
    await restoreDatabase(place, keys, snapshot, incoming).catch((error: unknown) => {
      throw error instanceof PieceLost ? new Refused(error.message) : error;
    });
    const store = await openDiskBytes({ root: blobsPath(to) });
    faults.push(...(await fetchBlobs(place, manifest.key, blobs, store)).faults);
    await writeFile(keyPath(to), text, { mode: 0o600, encoding: 'latin1' });
    await writeFile(checkPath(to), check, { mode: 0o600 });
    // Last: without its database the folder cannot be taken for a vault.
    await rename(incoming, join(to, DATABASE_FILE));
    await flushFolder(to);
    // The database may be of an older version.
    const db = openDatabase(to, { key: pageKeyOf(master.serverSecret) });
    await migrate(db, null, new Date()).finally(() => db.destroy());
  });
  for (const fault of faults) say(`WRONG: ${fault}`);
  say(`The backup ${momentOf(snapshot.at)} was brought back to ${to}. Verifying …`);

  const config = { ...readConfig({}), dataDir: to };
  const vault = await openAlongside(config);
  try {
    const sound = await reportOn(vault, { readData: options['read-data'] === true, say });
    if (sound && faults.length === 0)
      say(
        `Restored. Start the server with DATA_DIR=${to}. Once this is the vault that people work in, run ` +
          `"npm run admin -- backups adopt", so that its nightly backups go on in ${place.address}.`,
      );
    const isWhole = sound && faults.length === 0;
    if (!isWhole) say(notWhole(to));
    return isWhole;
  } finally {
    await vault.close();
  }
}
