import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { Audit } from '#server/audit/service.ts';
import type { Clock } from '#server/clock.ts';
import type { Collecting } from '#server/collecting/service.ts';
import type { Incoming } from '#server/documents/incoming/service.ts';
import type { Documents } from '#server/documents/service.ts';
import type { RateLimiter } from '#server/http/rate-limiter.ts';
import type { Language } from '#server/text/language.ts';
import type { Mail } from '#server/mail/service.ts';

export interface RequestsDependencies {
  db: Knex;
  clock: Clock;
  audit: Audit;
  mail: Pick<Mail, 'send' | 'sends'>;
  limits: RateLimiter;
  documents: Pick<Documents, 'views'>;
  incoming: Incoming;
  collecting: Collecting;
  /** The actor of a user; null for a deactivated user. */
  actorOf: (userId: number) => Promise<Actor | null>;
  /** Keeps the language in which a client was written to, for the next one who writes. */
  keepLanguage: (trx: Knex.Transaction, actor: Actor, clientId: number, language: Language) => Promise<void>;
  /** Whether sharing by links is enabled for the firm. */
  sharingOn: (db: Knex, firmId: number) => Promise<boolean>;
  /** The URL of a firm's logo; null without one. */
  logoOf: (firmId: number) => Promise<string | null>;
  secret: Buffer;
  baseUrl: string;
}
