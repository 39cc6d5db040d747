import { readdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { blobsPath, holdsBlobs } from '#storage/store.ts';
import { namesFiles } from './named-files.ts';

/**
 * Refuses a folder that holds no files while its database names some: their disk is not mounted, and what would be stored now would be
 * hidden as soon as it is.
 * @throws with a message for the admin.
 */
export async function demandFiles(db: Knex, dataDir: string): Promise<void> {
  if (!(await namesFiles(db)) || (await holdsBlobs(dataDir))) return;
  const root = blobsPath(dataDir);
  // Made while the folder was opened. A mount point stays empty, so that a disk unmounted later is noticed.
  for (const folder of await readdir(root)) await rmdir(join(root, folder));
  throw new Error(
    `The database of ${dataDir} names files, but ${root} holds none. If they are on another disk, mount it. If they are lost, restore a ` +
      `backup; to start without them all the same, create the folder ${join(root, '00')} with any file in it.`,
  );
}
