import { existsSync } from 'node:fs';
import { readdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knex } from 'knex';
import type { BlobStore } from '#storage/blobs.ts';
import { blobsPath } from '#storage/store.ts';
import { oldestFiles } from './named-files.ts';

/** A file by which an admin lets a server start although its files are lost. */
export const WITHOUT_FILES = 'start-without-files';
/** How many of the oldest files are looked for. */
const SAMPLE_SIZE = 20;

/**
 * Refuses a folder that has none of the oldest files that its database names: their disk is not mounted, and what would be stored now would
 * be hidden as soon as it is.
 * @throws with a message for the admin.
 */
export async function requireFiles(db: Knex, dataDir: string, blobs: Pick<BlobStore, 'has'>): Promise<void> {
  const oldest = await oldestFiles(db, SAMPLE_SIZE);
  for (const { blob_id } of oldest) if (await blobs.has(blob_id)) return;
  const override = join(dataDir, WITHOUT_FILES);
  if (oldest.length === 0 || existsSync(override)) return;
  const root = blobsPath(dataDir);
  await removeMadeFolders(root);
  throw new Error(
    `The database of ${dataDir} names files, but ${root} has none of the oldest. If they are on another disk, mount it. If they are lost, ` +
      `restore a backup; to start without them all the same, create the empty file ${override}.`,
  );
}

/** Removes the empty folders that opening has made, so that a mount point stays as it was. What is not empty stays. */
async function removeMadeFolders(root: string): Promise<void> {
  for (const folder of await readdir(root))
    if (/^(?:[0-9a-f]{2}|tmp)$/.test(folder)) await rmdir(join(root, folder)).catch(() => {});
}
