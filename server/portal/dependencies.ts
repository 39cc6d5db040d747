import type { Knex } from 'knex';
import type { Audit } from '#server/audit/service.ts';
import type { UserView } from '#server/auth/contract.ts';
import type { Actor } from '#server/actor.ts';
import type { Clock } from '#server/clock.ts';
import type { OpenRequests } from '#server/http/open-requests.ts';
import type { RateLimiter } from '#server/http/rate-limiter.ts';
import type { Mail } from '#server/mail/service.ts';
import type { SharedWith } from '#server/sharing/contract.ts';
import type { Language } from '#server/text/language.ts';
import type { AskedOf, SentBy } from './contract.ts';

export interface PortalDependencies {
  db: Knex;
  clock: Clock;
  audit: Audit;
  mail: Pick<Mail, 'send'>;
  limits: RateLimiter;
  viewer: (actor: Actor) => Promise<UserView>;
  sharingOn: (db: Knex, firmId: number) => Promise<boolean>;
  logoOf: (firmId: number) => Promise<string | null>;
  /** Counts an address that leads nowhere. @throws {AppError} 429. */
  noteGuess: (visitor: { ip: string }) => Promise<void>;
  askedOf: (firmId: number, clientId: number) => Promise<AskedOf[]>;
  sentBy: (firmId: number, clientId: number) => Promise<SentBy[]>;
  sharedWith: (who: {
    firmId: number;
    client_id: number;
    email: string;
    language: Language;
  }) => Promise<SharedWith[]>;
  /** The path at which the client sends anything; null without such a link. */
  dropOf: (firmId: number, clientId: number) => Promise<string | null>;
  openRequests: Pick<OpenRequests, 'cutLink'>;
  secret: Buffer;
  baseUrl: string;
}
