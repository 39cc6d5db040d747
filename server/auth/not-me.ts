import type { Knex } from 'knex';
import type { Origin } from '#server/http/context.ts';
import { invalid } from '#server/http/errors.ts';
import type { RateLimiter } from '#server/http/rate-limiter.ts';
import { fingerprint, newSecret } from '#server/http/secrets.ts';
import type { Audit } from '../audit/service.ts';
import type { Clock } from '../clock.ts';
import type { DeviceAlarm } from './contract.ts';
import { createEmailedLinks } from './emailed-links.ts';
import { User } from './model.ts';
import { deleteExpired } from './delete-expired.ts';
import { hasSecondFactor } from './second-factor.ts';
import type { Sessions } from './sessions.ts';

const WEEK = 7 * 24 * 60 * 60_000;

const over = () =>
  invalid({ token: ['This link is no longer valid. It works once, for seven days.'] }, 'alarm_over');

interface Row {
  user_id: number;
  session_id: number;
  device: string;
  created_at: string;
}

/** What a person told of a new device can do who does not know it: end it, and set a new password. */
export function createAlarms(use: {
  db: Knex;
  clock: Clock;
  audit: Audit;
  limits: RateLimiter;
  sessions: Pick<Sessions, 'end'>;
  /** A link to a new password; older ones are void. */
  newPasswordLink: (trx: Knex.Transaction, userId: number) => Promise<{ token: string }>;
}) {
  const { db, clock, audit, limits, sessions, newPasswordLink } = use;
  const { standing, demand } = createEmailedLinks({
    db,
    clock,
    audit,
    limits,
    table: 'device_alarms',
    refused: 'auth.not_me_refused',
    over,
  });

  /** What whoever came by that session may have left to come back with. */
  async function undo(trx: Knex.Transaction, { user_id, created_at }: Row): Promise<void> {
    for (const table of ['passkeys', 'app_passwords', 'paired_programs'])
      await trx(table).where({ user_id }).where('created_at', '>=', created_at).delete();
    await trx('two_step').where({ user_id }).where('enabled_at', '>=', created_at).delete();
    for (const table of ['email_changes', 'half_sign_ins']) await trx(table).where({ user_id }).delete();
    if (!(await hasSecondFactor(trx, user_id))) await trx('recovery_codes').where({ user_id }).delete();
  }

  return {
    /** A link against this session. @returns its token. */
    async prepare(trx: Knex.Transaction, userId: number, sessionId: number, device: string): Promise<string> {
      const token = newSecret();
      const now = clock();
      await trx('device_alarms').insert({
        token_hash: fingerprint(token),
        user_id: userId,
        session_id: sessionId,
        device,
        created_at: now.toISOString(),
        expires_at: new Date(now.getTime() + WEEK).toISOString(),
      });
      return token;
    },

    /** What the link is about. @throws {AppError} 422 `alarm_over` on `token`, 429. */
    async about(token: string, { ip }: Origin): Promise<DeviceAlarm> {
      await demand(token, ip);
      const row: Row | undefined = await standing(db, token).first();
      if (!row) throw over();
      return { device: row.device, signed_in_at: row.created_at };
    },

    /**
     * Ends the session, with what may have come by it.
     * @returns the token of a link to a new password. @throws {AppError} 422 `alarm_over` on `token`, 429.
     */
    async raise(token: string, { ip }: Origin): Promise<string> {
      await demand(token, ip);
      return db.transaction(async (trx) => {
        const row: Row | undefined = await standing(trx, token).first();
        // Of many at once, one deletes the row.
        if (!row || (await standing(trx, token).delete()) === 0) throw over();
        const user = await User.query(trx).findOne({ id: row.user_id, deactivated_at: null });
        if (!user) throw over();
        const ended = await sessions.end(trx, row.session_id);
        await undo(trx, row);
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

    sweep: (): Promise<number> => db.transaction((trx) => deleteExpired(trx, 'device_alarms', WEEK, clock())),
  };
}
export type Alarms = ReturnType<typeof createAlarms>;
