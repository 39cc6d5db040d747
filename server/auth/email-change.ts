import type { Knex } from 'knex';
import type { Origin } from '#server/http/context.ts';
import { invalid } from '#server/http/errors.ts';
import type { RateLimiter } from '#server/http/rate-limiter.ts';
import type { Audit } from '../audit/service.ts';
import type { Clock } from '../clock.ts';
import { asEmailTaken, emailTaken, isTaken } from './accounts.ts';
import type { Actor } from '#server/actor.ts';
import { emailChangeTry } from './rate-limits.ts';
import type { SendEmail } from './emails.ts';
import { confirmEmail, emailChangeAsked, emailChanged } from './emails.ts';
import { User } from './model.ts';
import { createEmailedLinks } from './emailed-links.ts';
import { deleteExpired } from './delete-expired.ts';
import { fingerprint, newSecret } from '#server/http/secrets.ts';
import type { Sessions } from './sessions.ts';

const DAY = 24 * 60 * 60_000;

const over = () =>
  invalid(
    { token: ['This link is no longer valid. It works once, for a day, and only the newest one.'] },
    'confirmation_over',
  );

interface Row {
  user_id: number;
  email: string;
  session_id: number;
}

/** A new e-mail address counts once a link that was sent there is opened: until then one signs in with the old one. */
export function createEmailChanges(use: {
  db: Knex;
  clock: Clock;
  audit: Audit;
  limits: RateLimiter;
  sessions: Sessions;
  sendEmail: SendEmail;
}) {
  const { db, clock, audit, limits, sessions, sendEmail } = use;

  const { standing, demand } = createEmailedLinks({
    db,
    clock,
    audit,
    limits,
    table: 'email_changes',
    refused: 'auth.email_refused',
    over,
  });

  return {
    /** @throws {AppError} 422 on `email` when another account has it, 429. */
    async check(actor: Actor, email: string): Promise<void> {
      await limits.check(emailChangeTry(actor.userId));
      if (await isTaken(db, email)) throw emailTaken();
    },

    /** Sends the link to the new address, and word of it to the old one. An older link is void. */
    async ask(trx: Knex.Transaction, actor: Actor, email: string): Promise<void> {
      const token = newSecret();
      const expiresAt = new Date(clock().getTime() + DAY);
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

    /** The address that waits for its proof; null when none does. */
    async pending(actor: Actor): Promise<string | null> {
      const row: Row | undefined = await db('email_changes')
        .where({ user_id: actor.userId })
        .where('expires_at', '>', clock().toISOString())
        .first('email');
      return row?.email ?? null;
    },

    /** The address that a link would set. @throws {AppError} 422 `confirmation_over` on `token`, 429. */
    async emailOf(token: string, { ip }: Origin): Promise<string> {
      await demand(token, ip);
      const row: Row | undefined = await standing(db, token).first('email');
      if (!row) throw over();
      return row.email;
    },

    /**
     * Makes the proven address the one to sign in with; every session but the one that asked for it ends.
     * @throws {AppError} 422 `confirmation_over` on `token`, 422 on `email` when another account took it meanwhile, 429.
     */
    async confirm(token: string, { ip }: Origin): Promise<void> {
      await demand(token, ip);
      await db.transaction(async (trx) => {
        const row: Row | undefined = await standing(trx, token).first('user_id', 'email', 'session_id');
        // Of many at once, one deletes the row.
        if (!row || (await standing(trx, token).delete()) === 0) throw over();
        const user = await User.query(trx).findOne({ id: row.user_id, deactivated_at: null });
        if (!user) throw over();
        await User.query(trx)
          .findById(user.id)
          .patch({ email: row.email, updated_at: clock().toISOString() })
          .catch(asEmailTaken);
        // A link that went to the old address opens nothing any more.
        await trx('password_resets').where({ user_id: user.id }).delete();
        await trx('half_sign_ins').where({ user_id: user.id }).delete();
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

    sweep: (): Promise<number> => db.transaction((trx) => deleteExpired(trx, 'email_changes', DAY, clock())),
  };
}
export type EmailChanges = ReturnType<typeof createEmailChanges>;
