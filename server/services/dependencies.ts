import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { BlobStore } from '#storage/blobs.ts';
import type { Passwords } from '../auth/passwords.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { Processes } from '../db/processes.ts';
import type { DeletionLock } from '../datadir/deletion-lock.ts';
import type { BackupLocations } from './backups.ts';
import type { Transport } from '../mail/transport.ts';
import type { Machine } from '../system/machine.ts';

export interface Dependencies {
  db: Knex;
  blobs: BlobStore;
  clock: Clock;
  /** Monotonic milliseconds; default: the machine's. */
  ticks?: () => number;
  log: Logger;
  /** The other processes that serve the vault; default: none. */
  processes?: Processes;
  config: Pick<Config, 'abuseLimits'> &
    Partial<
      Pick<
        Config,
        | 'appName'
        | 'registration'
        | 'baseUrl'
        | 'mail'
        | 'gateway'
        | 'invoicing'
        | 'trashDays'
        | 'reading'
        | 'scans'
        | 'versions'
        | 'clamd'
        | 'installationAdmins'
        | 'portalKeys'
        | 'webdav'
        | 'desktopDir'
      >
    >;
  /** 32 bytes from which signing and sealing keys are derived. */
  secret: Buffer;
  /** The id of the data folder, which no restore brings along; left out without a data folder. */
  dataFolderId?: string;
  /** The mail transport; without one, e-mails stay queued. */
  transport?: Transport;
  /** Password hashing; default: at production cost. */
  passwords?: Passwords;
  /** Facts about the machine; left out in a process that serves nobody. */
  machine?: Machine;
  /** Excludes deletion of bytes during a backup; left out where no backup can run. */
  deletionLock?: DeletionLock;
  /** Databases that reverted updates have left beside the one in use. */
  otherDatabases?: () => Promise<readonly string[]>;
  /** The data folder and the place of its backups; left out without a data folder. */
  backups?: BackupLocations;
}
