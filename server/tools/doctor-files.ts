import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Knex } from 'knex';
import type { BlobStore } from '#storage/blobs.ts';
import { openBucket } from '#storage/store.ts';
import { DATABASE_FILE } from '../../knexfile.ts';
import type { Config } from '../config/config.ts';
import { addressMissing } from '../datadir/database.ts';
import { isOnPostgres } from '../datadir/postgres/mark.ts';
import { Locked, unlocked } from '../datadir/keys/unlock.ts';
import { describeBlob, fileBlobs } from '../datadir/named-files.ts';
import { asOwner } from './as-owner.ts';
import { askAdmin } from './ask-passphrase.ts';
import type { Finding } from './finding.ts';
import { well, wrong } from './finding.ts';
import { OTHER_VERSION, openAlongside } from './open-alongside.ts';

/** How many files are looked for: more would take minutes, which `verify` is for. */
const MOST = 100_000;

/** Where the bytes of files are stored, and whether that store can be reached. @param most how many files are looked for. */
export async function files(config: Config, most = MOST): Promise<Finding> {
  const { blobs, dataDir } = config;
  if (blobs) {
    const bucket = await openBucket(blobs);
    return bucket.answers().then(
      () => well('Files', `are in ${blobs.address}, which answers`),
      (error: Error) => wrong('Files', error.message),
    );
  }
  if (!config.databaseUrl && isOnPostgres(dataDir)) return wrong('Files', addressMissing(dataDir));
  if (!config.databaseUrl && !existsSync(join(dataDir, DATABASE_FILE)))
    return well('Files', `are in ${dataDir}`);
  try {
    // Nobody is asked for a passphrase: this may run where nobody is.
    const open = await unlocked(config, config.passphraseFd === null ? undefined : askAdmin(config));
    return await asOwner(dataDir, async () => {
      const vault = await openAlongside(open);
      return lookForAll(vault, dataDir, most).finally(() => vault.close());
    });
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof Locked)
      return well(
        'Files',
        `are in ${dataDir}; whether all are there takes the passphrase: --passphrase-fd 0`,
      );
    if (message === OTHER_VERSION) return well('Files', `are in ${dataDir}. ${message}`);
    return wrong('Files', message);
  }
}

async function lookForAll(
  { db, blobs }: { db: Knex; blobs: Pick<BlobStore, 'has'> },
  dataDir: string,
  most: number,
): Promise<Finding> {
  let [looked, missing] = [0, 0];
  let more = false;
  let example = '';
  for await (const id of fileBlobs(db)) {
    if (looked === most) {
      more = true;
      break;
    }
    looked += 1;
    if (await blobs.has(id)) continue;
    missing += 1;
    example ||= await describeBlob(db, id);
  }
  if (missing === 0)
    return well(
      'Files',
      `are in ${dataDir}, ${more ? `the first ${looked}` : `${looked} of them, all`} there`,
    );
  return wrong(
    'Files',
    missing === looked
      ? `none of the ${more ? 'first ' : ''}${looked} files of the database is in ${dataDir}. Are they on another disk? Mount it. Otherwise restore a backup.`
      : `${missing} of ${more ? 'the first ' : ''}${looked} are missing in ${dataDir}, such as ${example}: "verify" names them all. Bring them back from a backup.`,
  );
}
