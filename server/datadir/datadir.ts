import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { BlobStore } from '#storage/blobs.ts';
import { openBlobStore } from '#storage/store.ts';
import { migrate, openDatabase } from './database.ts';
import { lockDataFolder } from './lock.ts';
import { pageKeyOf } from '../db/page-encryption.ts';
import type { DataDirSettings } from './page-key.ts';
import { keySourceOf } from './page-key.ts';
import { unlocked } from './keys/unlock.ts';
import { rewriteOnce } from './rewrite.ts';
import { sealOnce } from './seal-database.ts';
import type { Room } from './disk-reserve.ts';
import { keepRoom } from './disk-reserve.ts';
import { tighten } from './tighten.ts';

/** A data folder, opened: its bytes, its facts and its secret. */
export interface DataDir {
  db: Knex;
  blobs: BlobStore;
  secret: Buffer;
  room: Room;
  close(): Promise<void>;
}

/**
 * Opens a data folder for serving: alone, with its keys, brought to this program's version, its database sealed. A fresh one is
 * made.
 * @param before runs once nobody else holds the folder, and before anything in it is opened.
 * @throws with a sentence for the admin when another process serves it, the key is wrong or the database newer.
 */
export async function openDataDir(
  config: DataDirSettings,
  log: Logger,
  before?: () => Promise<void>,
): Promise<DataDir> {
  const { dataDir } = config;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const readable = await tighten(dataDir);
  if (readable.length > 0)
    log.warn(`Others on this machine could read ${readable.join(', ')}. They no longer can.`);
  const unlock = await lockDataFolder(dataDir);
  try {
    await before?.();
    const { blobs, secret, keyMadeAt, weakKey } = await openBlobStore(keySourceOf(await unlocked(config)));
    if (keyMadeAt) {
      log.warn(
        `A master key was made at ${keyMadeAt}. Keep a copy elsewhere: without it no file can be opened.`,
      );
    }
    if (weakKey) {
      log.warn(
        'The master key of this folder could be guessed: it is made of readable text or of a pattern. ' +
          'Stop the server and run "npm run admin -- replace-key".',
      );
    }
    const room = keepRoom(dataDir, log);
    const key = pageKeyOf(secret);
    const open = () => openDatabase(dataDir, { key, beforeWrite: room.glance, whenFull: room.ranOut });
    let db = open();
    try {
      const copy = await migrate(db, join(dataDir, 'backups'), new Date());
      await tighten(dataDir);
      if (copy) log.info(`The database was brought to this version. Its state before is in ${copy}.`);
      await rewriteOnce(db, dataDir, log);
      await db.destroy();
      await sealOnce(dataDir, key, log);
      db = open();
    } catch (error) {
      await db.destroy();
      await room.close();
      throw error;
    }
    return {
      db,
      blobs: room.guard(blobs),
      secret,
      room,
      async close() {
        await room.close();
        await db.destroy();
        await unlock();
      },
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}
