import type { Knex } from 'knex';
import type { AppError } from '#server/http/errors.ts';
import type { RateLimiter } from '#server/http/rate-limiter.ts';
import type { Audit } from '../audit/service.ts';
import type { Clock } from '../clock.ts';
import { emailedLinkTry } from './rate-limits.ts';
import { fingerprint } from '#server/http/secrets.ts';

/** Single-use links that were sent by e-mail: each table stores users, token fingerprints and expiry times. */
export function createEmailedLinks(dependencies: {
  db: Knex;
  clock: Clock;
  audit: Audit;
  limits: RateLimiter;
  table: 'email_changes' | 'password_resets' | 'device_alarms';
  /** The audit event of an invalid link. */
  refusedEvent: 'auth.email_refused' | 'auth.reset_refused' | 'auth.not_me_refused';
  expired: () => AppError;
}) {
  const { db, clock, audit, limits, table, refusedEvent, expired } = dependencies;
  const selectValid = (connection: Knex, token: string) =>
    connection(table)
      .where({ token_hash: fingerprint(token) })
      .where('expires_at', '>', clock().toISOString());

  return {
    /** Selects the row of a valid link. */
    selectValid,
    /** @throws {AppError} the `expired` error for an invalid link; 429 after too many of them from one network. */
    async requireValid(token: string, ip: string): Promise<void> {
      if (await selectValid(db, token).first('user_id')) return;
      await limits.check(emailedLinkTry(ip));
      await audit.recordAlone({ ip, did: refusedEvent });
      throw expired();
    },
  };
}
