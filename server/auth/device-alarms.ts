import type { Knex } from 'knex';
import type { Origin } from '#server/http/context.ts';
import { invalid } from '#server/http/errors.ts';
import type { RateLimiter } from '#server/http/rate-limiter.ts';
import { expression } from '#server/db/sql.ts';
import { fingerprint, newSecret } from '#server/http/secrets.ts';
import type { Audit } from '../audit/service.ts';
import type { Clock } from '../clock.ts';
import type { DeviceAlarm } from './contract.ts';
import { createEmailedLinks } from './emailed-links.ts';
import { User } from './model.ts';
import { deleteExpired } from '#server/db/delete-expired.ts';
import { hasSecondFactor } from './second-factor.ts';
import type { Sessions } from './sessions.ts';

const WEEK_MS = 7 * 24 * 60 * 60_000;

const expired = () =>
  invalid({ token: ['This link is no longer valid. It works once, for seven days.'] }, 'alarm_over');

interface Row {
  user_id: number;
  session_id: number;
  device: string;
  created_at: string;
}

/** Lets the owner of an account who does not recognise a new device end its session and set a new password. */
export function createDeviceAlarms(dependencies: {
  db: Knex;
  clock: Clock;
  audit: Audit;
  limits: RateLimiter;
  sessions: Pick<Sessions, 'end'>;
  /** Creates a link to set a new password; older links become invalid. */
  newPasswordLink: (trx: Knex.Transaction, userId: number) => Promise<{ token: string }>;
}) {
  const { db, clock, audit, limits, sessions, newPasswordLink } = dependencies;
  const { selectValid, requireValid } = createEmailedLinks({
    db,
    clock,
    audit,
    limits,
    table: 'device_alarms',
    refusedEvent: 'auth.not_me_refused',
    expired,
  });

  /** Revokes everything created since that session began by which an intruder could return. */
  async function revokeAccess(trx: Knex.Transaction, { user_id, created_at }: Row): Promise<void> {
    for (const table of ['passkeys', 'app_passwords', 'paired_programs', 'recovery_codes'])
      await trx(table).where({ user_id }).where('created_at', '>=', created_at).delete();
    await trx('two_step').where({ user_id }).where('enabled_at', '>=', created_at).delete();
    for (const table of ['email_changes', 'half_sign_ins', 'pairing_codes'])
      await trx(table).where({ user_id }).delete();
    // Of the next sign-in on any device an e-mail tells again: the alarm does not say which one is the intruder's. The rows stay, since
    // without one the next device would be the user's first, of which none tells.
    await trx('known_devices')
      .where({ user_id })
      .update({ device_hash: expression(trx, "'forgotten ' || device_hash") });
    if (!(await hasSecondFactor(trx, user_id))) await trx('recovery_codes').where({ user_id }).delete();
  }

  return {
    /** Creates a link that ends this session. @returns its token. */
    async prepare(trx: Knex.Transaction, userId: number, sessionId: number, device: string): Promise<string> {
      const token = newSecret();
      const now = clock();
      await trx('device_alarms').insert({
        token_hash: fingerprint(token),
        user_id: userId,
        session_id: sessionId,
        device,
        created_at: now.toISOString(),
        expires_at: new Date(now.getTime() + WEEK_MS).toISOString(),
      });
      return token;
    },

    /** The device of the link. @throws {AppError} 422 `alarm_over` on `token`, 429. */
    async about(token: string, { ip }: Origin): Promise<DeviceAlarm> {
      await requireValid(token, ip);
      const row: Row | undefined = await selectValid(db, token).first();
      if (!row) throw expired();
      return { device: row.device, signed_in_at: row.created_at };
    },

    /**
     * Ends the session and revokes the access that was gained through it.
     * @returns the token of a link to set a new password. @throws {AppError} 422 `alarm_over` on `token`, 429.
     */
    async raise(token: string, { ip }: Origin): Promise<string> {
      await requireValid(token, ip);
      return db.transaction(async (trx) => {
        const row: Row | undefined = await selectValid(trx, token).first();
        // Of concurrent requests only one deletes the row.
        if (!row || (await selectValid(trx, token).delete()) === 0) throw expired();
        const user = await User.query(trx).findOne({ id: row.user_id, deactivated_at: null });
        if (!user) throw expired();
        const ended = await sessions.end(trx, row.session_id);
        await revokeAccess(trx, row);
        await audit.record(trx, {
          firmId: user.firm_id,
          userId: user.id,
          ip,
          did: 'auth.not_me',
          detail: { name: row.device, ended_sessions: ended },
        });
        return (await newPasswordLink(trx, user.id)).token;
      });
    },

    sweep: (): Promise<number> =>
      db.transaction((trx) => deleteExpired(trx, 'device_alarms', WEEK_MS, clock())),
  };
}
export type DeviceAlarms = ReturnType<typeof createDeviceAlarms>;
