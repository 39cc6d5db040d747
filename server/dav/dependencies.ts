import type { Context } from 'koa';
import type { Actor } from '#server/actor.ts';
import type { AppPasswords } from '#server/auth/app-passwords/service.ts';
import type { Clock } from '#server/clock.ts';
import type { Documents } from '#server/documents/service.ts';
import type { RecordDownload } from '#server/links/record-download.ts';
import type { Uploads } from '#server/uploads/service.ts';
import type { BlobStore } from '#storage/blobs.ts';
import type { DeadProperties } from './dead-properties.ts';
import type { Locks } from './locks.ts';
import type { ScratchFiles } from './scratch-files.ts';
import type { Tree } from './tree.ts';

/** Dependencies of the method handlers. */
export interface DavDependencies {
  clock: Clock;
  documents: Documents;
  uploads: Uploads;
  /** Refuses quarantined bytes. */
  blobs: BlobStore;
  record: RecordDownload;
  appPasswords: AppPasswords;
  /** The firm's storage quota; null for a user who may not see it. */
  room: (actor: Actor) => Promise<{ used: number; left: number } | null>;
  tree: Tree;
  scratch: ScratchFiles;
  locks: Locks;
  deadProperties: DeadProperties;
  /** Names of this server, with the port. */
  hosts: (ctx: Context) => string[];
}

/** The handler of one method, for an authenticated app password. */
export type Method = (ctx: Context, actor: Actor) => Promise<void>;
