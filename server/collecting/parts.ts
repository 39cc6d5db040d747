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

/** What was found by whoever looks for viruses; `away` where nobody could look just now. */
export type Inspection = 'clean' | 'away' | { infected: string };

export interface CollectingParts {
  db: Knex;
  clock: Clock;
  log: Logger;
  blobs: BlobStore;
  audit: Audit;
  limits: RateLimiter;
  documents: Pick<Documents, 'addFileWithin' | 'reserve'>;
  records: Pick<Records, 'discard' | 'release' | 'knownBlobs'>;
  resumable: Pick<Resumable, 'beginElsewhere' | 'progress' | 'append' | 'cancel' | 'handOver' | 'locker'>;
  /** Makes one PDF of photographs. */
  paper: Paper;
  /** Looks at the bytes before anyone can open them; left out, nobody does. */
  inspect?: (firmId: number, blob: { id: string; size: number }, name: string) => Promise<Inspection>;
  /** Random for this server; keeps forms from being made by others. */
  secret: Buffer;
}

/** Where something is put, and what it was asked for as. */
export interface Place {
  parent_id: number | null;
  client_id: number | null;
  asked: string | null;
}

/** What a kind of link has to say, so that things can come in by it. */
export interface DoorKind {
  /**
   * The link as it stands now; null when nothing may come in by it. With `taken`, for what it has let in already: that is
   * put into the drive also after the link has ended.
   */
  find(db: Knex, id: number, how: { taken: boolean }): Promise<Door | null>;
  /** Whether this is one of the things that were asked for; called before anything is taken. */
  takes(db: Knex, id: number, slot: number | null): Promise<boolean>;
  /** Where it goes: a folder that is there now. */
  place(trx: Knex.Transaction, actor: Actor, door: Door, slot: number | null): Promise<Place>;
  /** Told of what was put into the drive, in the transaction that does it. */
  filed(trx: Knex.Transaction, actor: Actor, door: Door, slot: number | null, itemId: number): Promise<void>;
}
