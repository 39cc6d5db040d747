import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { BlobStore } from '#storage/blobs.ts';
import type { Passwords } from '../auth/passwords.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { Processes } from '../db/processes.ts';
import type { DeletionLock } from '../datadir/deletion-lock.ts';
import type { BackupParts } from './backups.ts';
import type { Transport } from '../mail/transport.ts';
import type { Machine } from '../system/machine.ts';

export interface Parts {
  db: Knex;
  blobs: BlobStore;
  clock: Clock;
  /** Ms that have passed since some moment, by a clock that nobody sets; left out, the machine's. */
  ticks?: () => number;
  log: Logger;
  /** Who else works on the vault; left out, nobody. */
  processes?: Processes;
  config: Pick<Config, 'abuseLimits'> &
    Partial<
      Pick<
        Config,
        | 'appName'
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
  /** 32 bytes; download links are sealed with what is derived from it. */
  secret: Buffer;
  /** Where e-mails go; left out, they wait. */
  transport?: Transport;
  /** How passwords are hashed; left out, at the cost that a server owes its users. */
  passwords?: Passwords;
  /** What the process knows of the machine that it runs on; left out where it serves nobody. */
  machine?: Machine;
  /** Keeps the deletion of bytes and a running backup apart; left out where no backup can run. */
  deletionLock?: DeletionLock;
  /** The data folder and where its backups go; left out where there is no folder. */
  backups?: BackupParts;
}
