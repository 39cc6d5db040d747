import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { pino } from 'pino';
import type { BlobStore } from '#storage/blobs.ts';
import { openDiskBytes } from '#storage/disk.ts';
import { deriveMasterKey } from '#storage/masterkey.ts';
import { createSealedBlobs } from '#storage/sealed.ts';
import { openDatabase } from '../../datadir/database.ts';
import { compose } from '../../services.ts';
import { createBuild } from '../../testing/build.ts';

/** Services over a data folder on the disk, which another process may open once this one is gone. */
export async function openOnDisk(dataDir: string, wrap: (blobs: BlobStore) => BlobStore = (blobs) => blobs) {
  const db = openDatabase(dataDir);
  await db.migrate.latest();
  const key = createHash('sha256').update('a key of tests').digest();
  const bytes = await openDiskBytes({ root: join(dataDir, 'blobs') });
  const blobs = wrap(createSealedBlobs(bytes, deriveMasterKey(key)));
  const log = pino({ level: 'silent' });
  const clock = () => new Date();
  const services = compose({ db, blobs, clock, log, secret: key, config: { abuseLimits: false } });
  return { db, blobs, services, build: createBuild({ services, blobs, db }) };
}
