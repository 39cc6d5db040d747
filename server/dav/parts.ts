import type { Context } from 'koa';
import type { Actor } from '#server/actor.ts';
import type { AppPasswords } from '#server/auth/app-passwords/service.ts';
import type { Clock } from '#server/clock.ts';
import type { Documents } from '#server/documents/service.ts';
import type { Recording } from '#server/links/record.ts';
import type { Uploads } from '#server/uploads/service.ts';
import type { BlobStore } from '#storage/blobs.ts';
import type { KeptProperties } from './kept-properties.ts';
import type { Locks } from './locks.ts';
import type { ScratchFiles } from './scratch-files.ts';
import type { Tree } from './tree.ts';

/** What the methods of the protocol are made with. */
export interface DavParts {
  clock: Clock;
  documents: Documents;
  uploads: Uploads;
  /** Refuses bytes that are held back. */
  blobs: BlobStore;
  record: Recording;
  appPasswords: AppPasswords;
  /** How much room the firm has; null for one who is not told. */
  room: (actor: Actor) => Promise<{ used: number; left: number } | null>;
  tree: Tree;
  scratch: ScratchFiles;
  locks: Locks;
  kept: KeptProperties;
  /** What this server is called, with the port. */
  hosts: (ctx: Context) => string[];
}

/** One method, for one who has shown an app password. */
export type Method = (ctx: Context, actor: Actor) => Promise<void>;
