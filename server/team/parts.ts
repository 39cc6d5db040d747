import type { Knex } from 'knex';
import type { Audit } from '#server/audit/service.ts';
import type { Auth } from '#server/auth/service.ts';
import type { RateLimiter } from '#server/http/rate-limiter.ts';
import type { Mail } from '#server/mail/service.ts';
import type { Clock } from '../clock.ts';

export interface TeamParts {
  db: Knex;
  clock: Clock;
  audit: Pick<Audit, 'record' | 'recordAlone'>;
  limits: RateLimiter;
  mail: Pick<Mail, 'send' | 'sends'>;
  auth: Pick<Auth, 'newUsers' | 'endAccess' | 'twoStep' | 'aliveSessions'>;
  /** Files that people of a firm have downloaded today, of those who have a limit. */
  downloadedToday: (firmId: number) => Promise<Map<number, number>>;
  /** How many users the firm's plan allows now. */
  usersAllowed: (db: Knex, firmId: number) => Promise<number>;
  /** What a user who leaves has under way; each is called once the user's sessions are gone. */
  endWork: {
    /** Connections that are open with the user's rights. */
    connections: (userId: number) => void;
    uploads: (userId: number) => Promise<void>;
    jobs: (userId: number) => Promise<void>;
  };
  settings: { appName: string; baseUrl: string };
}
