import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { BlobStore } from '#storage/blobs.ts';
import type { Bucket } from '#storage/store.ts';
import { openBlobStore } from '#storage/store.ts';
import type { Clock } from '../clock.ts';
import { oneProcess } from '../db/one-process.ts';
import type { Processes } from '../db/processes.ts';
import type { OpenedDatabase } from './database.ts';
import { addressMissing, migrate, openDatabase } from './database.ts';
import { lockDataFolder } from './lock.ts';
import { isOnPostgres } from './postgres/mark.ts';
import { requireFiles } from './require-files.ts';
import { pageKeyOf } from '../db/sqlite/page-encryption.ts';
import type { DataDirSettings } from './settings.ts';
import { bytesSourceOf, keySourceOf } from './settings.ts';
import { unlocked } from './keys/unlock.ts';
import { rewriteOnce } from './rewrite.ts';
import { sealOnce } from './seal-database.ts';
import type { DiskReserve } from './disk-reserve.ts';
import { createDiskReserve, releaseReserve } from './disk-reserve.ts';
import { isFull } from '../db/errors.ts';
import { cannotUse } from './cannot-use.ts';
import { tightenModes } from './file-modes.ts';
import { makeFolder } from './make-folder.ts';
import { filesOfOthers, notOurs } from './own-folder.ts';
import { vaultIdOf } from './vault-id.ts';

/** A data folder that is open for serving: its database, stored files and secret. */
export interface DataDir {
  /** See `vaultIdOf`. */
  dataFolderId: string;
  db: Knex;
  blobs: BlobStore;
  secret: Buffer;
  room: DiskReserve;
  /** The bucket with the stored files; null if they are in the folder. */
  bucket: Bucket | null;
  /** The processes that serve the vault. */
  processes: Processes;
  /** The clock that all of them share. */
  clock: Clock;
  close(): Promise<void>;
}

/** Creates the folder if needed, closes it to all users but its owner, and locks it against other servers. */
async function takeFolder({ dataDir, logFile }: DataDirSettings, log: Logger): Promise<() => Promise<void>> {
  const others = await filesOfOthers(dataDir, logFile);
  if (others.length > 0) throw new Error(notOurs(dataDir, others));
  await makeFolder(dataDir);
  const readable = await tightenModes(dataDir);
  if (readable.length > 0)
    log.warn(`Others on this machine could read ${readable.join(', ')}. They no longer can.`);
  const { uid } = await stat(dataDir);
  if (process.geteuid?.() === 0 && uid !== 0)
    log.warn(
      `${dataDir} belongs to another user than root, who starts this server: what is written now, that user cannot open. ` +
        `Start the service in its place, and before that: sudo chown -R ${uid} ${dataDir}`,
    );
  return lockDataFolder(dataDir).catch(async (error: unknown) => {
    // On a full disk not even a lock file can be written, until the reserve is released.
    if (!isFull(error) || !(await releaseReserve(dataDir))) throw error;
    return lockDataFolder(dataDir);
  });
}

interface DatabaseContext {
  secret: Buffer;
  bucket: Bucket | null;
  room: DiskReserve;
  log: Logger;
}

interface OpenedVault extends OpenedDatabase {
  processes: Processes;
  clock: Clock;
}

/** Opens the database in the folder: migrates it, and seals it if an older version did not. */
async function openSqlite(dataDir: string, { secret, room, log }: DatabaseContext): Promise<OpenedVault> {
  const key = pageKeyOf(secret);
  const open = () =>
    openDatabase(dataDir, { key, beforeWrite: room.refresh, whenFull: room.freeForDatabase });
  let db = open();
  try {
    const copy = await migrate(db, join(dataDir, 'backups'), new Date());
    await tightenModes(dataDir);
    if (copy) log.info(`The database was brought to this version. Its state before is in ${copy}.`);
    await rewriteOnce(db, dataDir, log);
    await db.destroy();
    await sealOnce(dataDir, key, log);
    db = open();
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return { db, processes: oneProcess(), clock: () => new Date(), close: () => db.destroy() };
}

/** Opens the database of a folder: the one in PostgreSQL if the settings name one, or else the file in the folder. */
async function openVaultDatabase(config: DataDirSettings, context: DatabaseContext): Promise<OpenedVault> {
  const { dataDir, databaseUrl } = config;
  if (databaseUrl) {
    const { openPostgres } = await import('./postgres/open.ts');
    const { secret, bucket, log } = context;
    const folder = { dataDir, secret, bucket: bucket?.address ?? null };
    const opened = await openPostgres(databaseUrl, folder, log);
    return { ...opened, clock: opened.processes.clock };
  }
  if (isOnPostgres(dataDir)) throw new Error(addressMissing(dataDir));
  return openSqlite(dataDir, context);
}

/**
 * Opens a data folder for serving, exclusively: unlocks its keys, and migrates and seals its database. A new folder is set up.
 * @param before runs when the folder is locked, before anything in it is opened.
 * @throws with a message for the admin, such as if another process serves it, the key is wrong or the database is newer.
 */
export async function openDataDir(
  config: DataDirSettings,
  log: Logger,
  before?: () => Promise<void>,
): Promise<DataDir> {
  const { dataDir } = config;
  const unlock = await takeFolder(config, log).catch((error: unknown) => {
    throw cannotUse(dataDir, error);
  });
  try {
    await before?.();
    const unlockedConfig = await unlocked(config);
    if (unlockedConfig.databaseUrl) {
      const { adoptVault } = await import('./postgres/open.ts');
      await adoptVault(unlockedConfig);
    }
    const { blobs, secret, keyMadeAt, weakKey, bucket } = await openBlobStore({
      ...keySourceOf(unlockedConfig),
      ...bytesSourceOf(config),
    });
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
    const room = createDiskReserve(dataDir, log);
    const database = await openVaultDatabase(config, { secret, bucket, room, log }).catch(
      async (error: unknown) => {
        await room.close();
        throw error;
      },
    );
    if (!bucket)
      await requireFiles(database.db, dataDir, blobs).catch(async (error: unknown) => {
        await room.close();
        await database.close();
        throw error;
      });
    return {
      dataFolderId: await vaultIdOf(dataDir),
      db: database.db,
      blobs: room.guard(blobs),
      secret,
      room,
      bucket,
      processes: database.processes,
      clock: database.clock,
      async close() {
        await room.close();
        await database.close();
        await unlock();
      },
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}
