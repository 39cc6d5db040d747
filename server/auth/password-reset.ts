import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Origin } from '#server/http/context.ts';
import { invalid } from '#server/http/errors.ts';
import type { RateLimiter } from '#server/http/rate-limiter.ts';
import type { Audit } from '../audit/service.ts';
import type { Clock } from '../clock.ts';
import { viewOf } from './accounts.ts';
import type { PasswordReset } from './contract.ts';
import { forgottenTries, signInAccountTry } from './rate-limits.ts';
import type { SendEmail } from './emails.ts';
import { passwordChanged, reset, twoStepOff as twoStepOffEmail } from './emails.ts';
import { User } from './model.ts';
import { endPrograms } from './paired-programs/end.ts';
import type { Passwords } from './passwords.ts';
import { createEmailedLinks } from './emailed-links.ts';
import { deleteExpired } from '#server/db/delete-expired.ts';
import { fingerprint, newSecret } from '#server/http/secrets.ts';
import type { Sessions } from './sessions.ts';
import { refuseWeak } from './weak-passwords.ts';

const LINK_LIFETIME_MS = 60 * 60_000;
/**
 * Every response takes at least this long, longer than the work for an existing account, so that timing reveals
 * nothing.
 */
const MIN_RESPONSE_MS = 150;

const expired = () =>
  invalid(
    { token: ['This link is no longer valid. It works once, for an hour. Ask for a new one.'] },
    'reset_over',
  );

const sameAsNow = () => invalid({ password: ['This is the password you have now. Choose another one.'] });

export function createResets(dependencies: {
  db: Knex;
  clock: Clock;
  audit: Audit;
  limits: RateLimiter;
  passwords: Passwords;
  sessions: Sessions;
  sendEmail: SendEmail;
}) {
  const { db, clock, audit, limits, passwords, sessions, sendEmail } = dependencies;

  /** Replaces the row of an older link: only the newest link is valid. */
  async function createLink(
    trx: Knex.Transaction,
    userId: number,
  ): Promise<{ token: string; expiresAt: Date }> {
    const token = newSecret();
    const expiresAt = new Date(clock().getTime() + LINK_LIFETIME_MS);
    await trx('password_resets').where({ user_id: userId }).delete();
    await trx('password_resets').insert({
      token_hash: fingerprint(token),
      user_id: userId,
      expires_at: expiresAt.toISOString(),
    });
    return { token, expiresAt };
  }

  async function sendLink(email: string, origin: Origin): Promise<void> {
    const user = await User.query(db).findOne({ email }).whereNull('deactivated_at');
    const subject = { firmId: user?.firm_id, userId: user?.id, ip: origin.ip };
    await db.transaction(async (trx) => {
      await audit.record(trx, { ...subject, did: user ? 'auth.reset_asked' : 'auth.reset_asked_for_nobody' });
      if (!user) return;
      const { token, expiresAt } = await createLink(trx, user.id);
      await sendEmail(trx, user.id, reset(token, expiresAt));
    });
  }

  const { selectValid, requireValid } = createEmailedLinks({
    db,
    clock,
    audit,
    limits,
    table: 'password_resets',
    refusedEvent: 'auth.reset_refused',
    expired,
  });

  return {
    /** For a user who has proved the mailbox by another link. */
    createLink,

    /**
     * Sends a link if the address has an account; the response does not reveal whether it has. @throws {AppError}
     * 429.
     */
    async requestReset(email: string, origin: Origin): Promise<void> {
      await limits.check(...forgottenTries(email, origin.ip));
      const [written] = await Promise.allSettled([sendLink(email, origin), wait(MIN_RESPONSE_MS)]);
      if (written.status === 'rejected') throw written.reason;
    },

    /**
     * Creates a link for a user who cannot receive e-mail, on behalf of the server's operator; `twoStepOff` also
     * removes every second step.
     * @returns the token; null when no active user has this address.
     */
    letIn: (email: string, { twoStepOff }: { twoStepOff: boolean }): Promise<string | null> =>
      db.transaction(async (trx) => {
        const user = await User.query(trx).findOne({ email, deactivated_at: null });
        if (!user) return null;
        let removed = 0;
        for (const table of twoStepOff ? ['two_step', 'passkeys', 'recovery_codes'] : [])
          removed += await trx(table).where({ user_id: user.id }).delete();
        if (removed > 0) await sendEmail(trx, user.id, twoStepOffEmail);
        const subject = { firmId: user.firm_id, userId: user.id };
        await audit.record(trx, { ...subject, did: 'auth.let_in', detail: { two_step_off: removed > 0 } });
        return (await createLink(trx, user.id)).token;
      }),

    /** Whether a link is valid. @throws {AppError} 429. */
    async isResetLinkValid(token: string, origin: Origin): Promise<boolean> {
      return requireValid(token, origin.ip).then(
        () => true,
        (error: { code?: string }) => {
          if (error.code === 'reset_over') return false;
          throw error;
        },
      );
    },

    /** Sets a new password and ends every session. @throws {AppError} 422 `reset_over` on `token`, 422 on `password`, 429. */
    async resetPassword({ token, password }: PasswordReset, origin: Origin): Promise<void> {
      // Check the link first: hashing a password is expensive, and nobody may cause it without a valid link.
      await requireValid(token, origin.ip);
      const holder = await selectValid(db, token).first('user_id');
      if (holder) {
        await refuseWeak(password, await viewOf(db, holder.user_id));
        // Who has reported a stranger's sign-in would otherwise let the stranger in again.
        const user = await User.query(db).findById(holder.user_id).select('password_hash');
        if (await passwords.verify(password, user?.password_hash)) throw sameAsNow();
      }
      const password_hash = await passwords.hash(password);
      await db.transaction(async (trx) => {
        const row: { user_id: number } | undefined = await selectValid(trx, token).first('user_id');
        // Of concurrent requests only one deletes the row.
        if (!row || (await selectValid(trx, token).delete()) === 0) throw expired();
        const user = await User.query(trx).findOne({ id: row.user_id, deactivated_at: null });
        if (!user) throw expired();
        await user.$query(trx).patch({ password_hash, updated_at: clock().toISOString() });
        const ended = await sessions.endAll(trx, user.id);
        await trx('app_passwords').where({ user_id: user.id }).delete();
        await endPrograms(trx, user.id);
        await trx('half_sign_ins').where({ user_id: user.id }).delete();
        await trx('email_changes').where({ user_id: user.id }).delete();
        await limits.forget(trx, signInAccountTry(user.email));
        const subject = { firmId: user.firm_id, userId: user.id, ip: origin.ip };
        await audit.record(trx, {
          ...subject,
          did: 'auth.reset_password',
          detail: { ended_sessions: ended },
        });
        await sendEmail(trx, user.id, passwordChanged);
      });
    },

    sweep: (): Promise<number> =>
      db.transaction((trx) => deleteExpired(trx, 'password_resets', LINK_LIFETIME_MS, clock())),
  };
}
