import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { Archive } from '#server/archive/service.ts';
import type { ArchiveViewer } from '#server/archive/view/service.ts';
import type { Audit } from '#server/audit/service.ts';
import type { UserView } from '#server/auth/contract.ts';
import type { Clock } from '#server/clock.ts';
import type { Documents } from '#server/documents/service.ts';
import type { OpenRequests } from '#server/http/open-requests.ts';
import type { RateLimiter } from '#server/http/rate-limiter.ts';
import type { DailyLimit } from '#server/links/daily-limit.ts';
import type { Masking } from '#server/masking/service.ts';
import type { Mail } from '#server/mail/service.ts';
import type { Previews } from '#server/previews/service.ts';
import type { BlobStore } from '#storage/blobs.ts';
import type { Pass } from './visitors.ts';
import type { Deduplicator } from '#server/links/deduplicator.ts';

export interface SharingDependencies {
  /** Remembers first openings across processes; in memory of this process when omitted. */
  once?: Deduplicator;
  db: Knex;
  clock: Clock;
  blobs: BlobStore;
  audit: Audit;
  mail: Pick<Mail, 'send'>;
  limits: RateLimiter;
  daily: Pick<DailyLimit, 'requireLeft' | 'count'>;
  archive: Archive;
  documents: Pick<Documents, 'views' | 'folder' | 'lineage'> & Pick<Masking, 'openFile' | 'walk'>;
  /** Masks Aadhaar numbers; the masked methods of `documents` use it already. */
  masking: Pick<Masking, 'stateOf' | 'check' | 'prepare' | 'maskName'>;
  /** The URL of a firm's logo; null without one. */
  logoOf: (firmId: number) => Promise<string | null>;
  previews: Pick<
    Previews,
    'pages' | 'page' | 'thumbnail' | 'attachment' | 'attachments' | 'attachmentContents' | 'innerPage'
  >;
  archiveViewer: Pick<ArchiveViewer, 'entries' | 'file' | 'fileToShow'>;
  /** The actor of a user without a session; null for a deactivated user. */
  actorOf: (userId: number) => Promise<Actor | null>;
  viewer: (actor: Actor) => Promise<UserView>;
  passwords: {
    hash(password: string): Promise<string>;
    verify(password: string, stored: string | undefined): Promise<boolean>;
  };
  /** Resolves a pass from a client's page to a link; null for an invalid token or another browser. */
  passOf: (token: string, cookie: string) => Promise<Pass | null>;
  openRequests: Pick<OpenRequests, 'cutLink' | 'links'>;
  /** Cancels the uploads through links that have ended with sharing. */
  cancelUploads: (firmId: number) => Promise<unknown>;
  /** The server's secret for codes and form tokens. */
  secret: Buffer;
  baseUrl: string;
}
