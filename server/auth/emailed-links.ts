import type { Knex } from 'knex';
import type { AppError } from '#server/http/errors.ts';
import type { RateLimiter } from '#server/http/rate-limiter.ts';
import type { Audit } from '../audit/service.ts';
import type { Clock } from '../clock.ts';
import { resetTokenTry } from './rate-limits.ts';
import { fingerprint } from '#server/http/secrets.ts';

/** Links that were sent by e-mail and work once: a table of users, fingerprints of tokens, and when each runs out. */
export function createEmailedLinks(use: {
  db: Knex;
  clock: Clock;
  audit: Audit;
  limits: RateLimiter;
  table: 'email_changes' | 'password_resets' | 'device_alarms';
  /** The event of a link that opens nothing. */
  refused: 'auth.email_refused' | 'auth.reset_refused' | 'auth.not_me_refused';
  over: () => AppError;
}) {
  const { db, clock, audit, limits, table, refused, over } = use;
  const standing = (connection: Knex, token: string) =>
    connection(table)
      .where({ token_hash: fingerprint(token) })
      .where('expires_at', '>', clock().toISOString());

  return {
    /** The row of a link that still works. */
    standing,
    /** @throws {AppError} `over` for a link that does not work any more; 429 when one place shows too many. */
    async demand(token: string, ip: string): Promise<void> {
      if (await standing(db, token).first('user_id')) return;
      await limits.check(resetTokenTry(ip));
      await audit.recordAlone({ ip, did: refused });
      throw over();
    },
  };
}
