import type { Knex } from 'knex';
import type { Origin } from '#server/http/context.ts';
import { invalid } from '#server/http/errors.ts';
import type { RateLimiter } from '#server/http/rate-limiter.ts';
import type { Audit } from '../audit/service.ts';
import type { Clock } from '../clock.ts';
import { rethrowEmailTaken, emailTaken, isTaken } from './accounts.ts';
import type { Actor } from '#server/actor.ts';
import { emailChangeTry } from './rate-limits.ts';
import type { SendEmail } from './emails.ts';
import { confirmEmail, emailChangeAsked, emailChanged } from './emails.ts';
import { User } from './model.ts';
import { createEmailedLinks } from './emailed-links.ts';
import { deleteExpired } from '#server/db/delete-expired.ts';
import { fingerprint, newSecret } from '#server/http/secrets.ts';
import { requireLiveSession } from './live-session.ts';
import type { Sessions } from './sessions.ts';

const DAY_MS = 24 * 60 * 60_000;

const expired = () =>
  invalid(
    { token: ['This link is no longer valid. It works once, for a day, and only the newest one.'] },
    'confirmation_over',
  );

interface Row {
  user_id: number;
  email: string;
  session_id: number;
}

/** A new e-mail address takes effect when its owner opens a link sent to it; until then the old address signs in. */
export function createEmailChanges(dependencies: {
  db: Knex;
  clock: Clock;
  audit: Audit;
  limits: RateLimiter;
  sessions: Sessions;
  sendEmail: SendEmail;
}) {
  const { db, clock, audit, limits, sessions, sendEmail } = dependencies;

  const { selectValid, requireValid } = createEmailedLinks({
    db,
    clock,
    audit,
    limits,
    table: 'email_changes',
    refusedEvent: 'auth.email_refused',
    expired,
  });

  return {
    /** @throws {AppError} 422 on `email` when another account uses it, 429. */
    async check(actor: Actor, email: string): Promise<void> {
      await limits.check(emailChangeTry(actor.userId));
      if (await isTaken(db, email)) throw emailTaken();
    },

    /**
     * Sends the link to the new address and a notice to the old one. An older link becomes invalid.
     * @throws {AppError} 401 once the session has ended.
     */
    async request(trx: Knex.Transaction, actor: Actor, email: string): Promise<void> {
      await requireLiveSession(trx, actor);
      const token = newSecret();
      const expiresAt = new Date(clock().getTime() + DAY_MS);
      await trx('email_changes').where({ user_id: actor.userId }).delete();
      await trx('email_changes').insert({
        user_id: actor.userId,
        token_hash: fingerprint(token),
        email,
        session_id: actor.sessionId,
        expires_at: expiresAt.toISOString(),
      });
      await audit.record(trx, { actor, did: 'auth.email_asked', detail: { name: email } });
      await sendEmail(trx, actor.userId, confirmEmail(token, email, expiresAt));
      await sendEmail(trx, actor.userId, emailChangeAsked(email));
    },

    /** The unconfirmed address; null when there is none. */
    async pending(actor: Actor): Promise<string | null> {
      const row: Row | undefined = await db('email_changes')
        .where({ user_id: actor.userId })
        .where('expires_at', '>', clock().toISOString())
        .first('email');
      return row?.email ?? null;
    },

    /** The address that a link confirms. @throws {AppError} 422 `confirmation_over` on `token`, 429. */
    async emailOf(token: string, { ip }: Origin): Promise<string> {
      await requireValid(token, ip);
      const row: Row | undefined = await selectValid(db, token).first('email');
      if (!row) throw expired();
      return row.email;
    },

    /**
     * Sets the confirmed address as the sign-in address. Ends every session except the one that requested the change.
     * @throws {AppError} 422 `confirmation_over` on `token`, 422 on `email` when another account uses it by now, 429.
     */
    async confirm(token: string, { ip }: Origin): Promise<void> {
      await requireValid(token, ip);
      await db.transaction(async (trx) => {
        const row: Row | undefined = await selectValid(trx, token).first('user_id', 'email', 'session_id');
        // Of concurrent requests only one deletes the row.
        if (!row || (await selectValid(trx, token).delete()) === 0) throw expired();
        const user = await User.query(trx).findOne({ id: row.user_id, deactivated_at: null });
        if (!user) throw expired();
        await User.query(trx)
          .findById(user.id)
          .patch({ email: row.email, updated_at: clock().toISOString() })
          .catch(rethrowEmailTaken);
        // Invalidates the links that the old mailbox holds: those to set a new password, and those of new-device
        // e-mails, which lead to one. They would help a thief who has the old mailbox more than an owner whose
        // address a thief has changed: a new password is worth nothing while the thief's mailbox can reset it. Until
        // it is confirmed, such an owner stops the change by a new password; after that, by the administrator.
        for (const table of ['password_resets', 'device_alarms', 'half_sign_ins'])
          await trx(table).where({ user_id: user.id }).delete();
        const ended = await sessions.endAll(trx, user.id, { except: row.session_id });
        await audit.record(trx, {
          firmId: user.firm_id,
          userId: user.id,
          ip,
          did: 'auth.email_changed',
          detail: { from: user.email, to: row.email, ended_sessions: ended },
        });
        await sendEmail(trx, user.id, emailChanged(user.email));
      });
    },

    sweep: (): Promise<number> =>
      db.transaction((trx) => deleteExpired(trx, 'email_changes', DAY_MS, clock())),
  };
}
export type EmailChanges = ReturnType<typeof createEmailChanges>;
