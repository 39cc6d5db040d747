import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Actor } from '#server/actor.ts';
import type { Audit } from '#server/audit/service.ts';
import type { Clock } from '#server/clock.ts';
import type { Documents } from '#server/documents/service.ts';
import type { RateLimiter } from '#server/http/rate-limiter.ts';
import type { Records } from '#server/records/service.ts';
import type { Paper } from '#server/uploads/pages-to-pdf/photos-to-pdf.ts';
import type { Resumable } from '#server/uploads/resumable.ts';
import type { BlobStore } from '#storage/blobs.ts';
import type { Door } from './contract.ts';

/** The result of a virus scan; `away` when the scanner is not available. */
export type Inspection = 'clean' | 'away' | { infected: string };

export interface CollectingDependencies {
  db: Knex;
  clock: Clock;
  log: Logger;
  blobs: BlobStore;
  audit: Audit;
  limits: RateLimiter;
  documents: Pick<Documents, 'addFileWithin' | 'reserve' | 'isInDrive' | 'free' | 'takeBackWithin'>;
  records: Pick<Records, 'discard' | 'release' | 'knownBlobs'>;
  resumable: Pick<
    Resumable,
    'beginUnchecked' | 'progress' | 'append' | 'cancel' | 'cancelAllThrough' | 'handOver' | 'locker'
  >;
  /** Combines photos into one PDF. */
  paper: Paper;
  /** Scans the bytes before anyone can open them; without it, files are not scanned. */
  inspect?: (firmId: number, blob: { id: string; size: number }, name: string) => Promise<Inspection>;
  /** The server's secret for form tokens. */
  secret: Buffer;
}

/** The target of a received file, and the name of the requested document. */
export interface FilingTarget {
  parent_id: number | null;
  client_id: number | null;
  asked: string | null;
}

/** A kind of link, registered by the room that owns it. */
export interface DoorKind {
  /**
   * The door of a link; null when it accepts nothing. `taken: true` also finds ended links, for files that were
   * accepted before.
   */
  find(db: Knex, id: number, how: { taken: boolean }): Promise<Door | null>;
  /** Whether the slot was requested; called before anything is accepted. */
  takes(db: Knex, id: number, slot: number | null): Promise<boolean>;
  /** The target folder, which exists now. */
  place(trx: Knex.Transaction, actor: Actor, door: Door, slot: number | null): Promise<FilingTarget>;
  /** Called in the transaction that files an item into the drive, with the time of filing. */
  filed(
    trx: Knex.Transaction,
    actor: Actor,
    door: Door,
    filed: { slot: number | null; itemId: number; name: string; at: string },
  ): Promise<void>;
}
