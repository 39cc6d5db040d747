import type { Knex } from 'knex';
import type { Audit } from '#server/audit/service.ts';
import type { Auth } from '#server/auth/service.ts';
import type { RateLimiter } from '#server/http/rate-limiter.ts';
import type { Mail } from '#server/mail/service.ts';
import type { Clock } from '../clock.ts';

export interface TeamDependencies {
  db: Knex;
  clock: Clock;
  audit: Pick<Audit, 'record' | 'recordAlone'>;
  limits: RateLimiter;
  mail: Pick<Mail, 'send' | 'sends'>;
  auth: Pick<Auth, 'newUsers' | 'endAccess' | 'twoStep' | 'aliveSessions'>;
  /** Downloads today by user, for users with a daily limit. */
  downloadedToday: (firmId: number) => Promise<Map<number, number>>;
  /** The number of users that the firm's plan allows now. */
  usersAllowed: (db: Knex, firmId: number) => Promise<number>;
  /** Ends the running work of a deactivated user; called after the user's sessions have ended. */
  endWork: {
    /** Open connections with the user's permissions. */
    connections: (userId: number) => void;
    uploads: (userId: number) => Promise<void>;
    jobs: (userId: number) => Promise<void>;
  };
  settings: { appName: string; baseUrl: string };
}
