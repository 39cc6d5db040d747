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
import { passwordChanged, reset, twoStepOff as switchedOffForYou } from './emails.ts';
import { User } from './model.ts';
import { endPrograms } from './paired-programs/end.ts';
import type { Passwords } from './passwords.ts';
import { createEmailedLinks } from './emailed-links.ts';
import { deleteExpired } from './delete-expired.ts';
import { fingerprint, newSecret } from '#server/http/secrets.ts';
import type { Sessions } from './sessions.ts';
import { refuseWeak } from './weak-passwords.ts';

const HOUR = 60 * 60_000;
/** Every answer takes at least this long, which is more than the work for an account that exists. */
const ANSWER_AFTER = 150;

const over = () =>
  invalid(
    { token: ['This link is no longer valid. It works once, for an hour. Ask for a new one.'] },
    'reset_over',
  );

export function createResets(use: {
  db: Knex;
  clock: Clock;
  audit: Audit;
  limits: RateLimiter;
  passwords: Passwords;
  sessions: Sessions;
  sendEmail: SendEmail;
}) {
  const { db, clock, audit, limits, passwords, sessions, sendEmail } = use;

  /** The newest only: the row of an older link is replaced. */
  async function newLink(trx: Knex.Transaction, userId: number): Promise<{ token: string; expiresAt: Date }> {
    const token = newSecret();
    const expiresAt = new Date(clock().getTime() + HOUR);
    await trx('password_resets').where({ user_id: userId }).delete();
    await trx('password_resets').insert({
      token_hash: fingerprint(token),
      user_id: userId,
      expires_at: expiresAt.toISOString(),
    });
    return { token, expiresAt };
  }

  async function write(email: string, origin: Origin): Promise<void> {
    const user = await User.query(db).findOne({ email }).whereNull('deactivated_at');
    const whose = { firmId: user?.firm_id, userId: user?.id, ip: origin.ip };
    await db.transaction(async (trx) => {
      await audit.record(trx, { ...whose, did: user ? 'auth.reset_asked' : 'auth.reset_asked_for_nobody' });
      if (!user) return;
      const { token, expiresAt } = await newLink(trx, user.id);
      await sendEmail(trx, user.id, reset(token, expiresAt));
    });
  }

  const { standing, demand } = createEmailedLinks({
    db,
    clock,
    audit,
    limits,
    table: 'password_resets',
    refused: 'auth.reset_refused',
    over,
  });

  return {
    /** For one who has proved the mailbox by another link. */
    newLink,

    /** Sends a link, if somebody has this address; nothing about the answer tells. @throws {AppError} 429. */
    async forgot(email: string, origin: Origin): Promise<void> {
      await limits.check(...forgottenTries(email, origin.ip));
      const [written] = await Promise.allSettled([write(email, origin), wait(ANSWER_AFTER)]);
      if (written.status === 'rejected') throw written.reason;
    },

    /**
     * A link for one who can get no e-mail, by whoever runs the server; `twoStepOff` also for one without a phone.
     * @returns its token; null when nobody has this address.
     */
    letIn: (email: string, { twoStepOff }: { twoStepOff: boolean }): Promise<string | null> =>
      db.transaction(async (trx) => {
        const user = await User.query(trx).findOne({ email, deactivated_at: null });
        if (!user) return null;
        if (twoStepOff) {
          await trx('two_step').where({ user_id: user.id }).delete();
          await trx('passkeys').where({ user_id: user.id }).delete();
          await trx('recovery_codes').where({ user_id: user.id }).delete();
          await sendEmail(trx, user.id, switchedOffForYou);
        }
        const whose = { firmId: user.firm_id, userId: user.id };
        await audit.record(trx, { ...whose, did: 'auth.let_in', detail: { two_step_off: twoStepOff } });
        return (await newLink(trx, user.id)).token;
      }),

    /** Whether a link would still work. @throws {AppError} 429. */
    async resetStands(token: string, origin: Origin): Promise<boolean> {
      return demand(token, origin.ip).then(
        () => true,
        (error: { code?: string }) => {
          if (error.code === 'reset_over') return false;
          throw error;
        },
      );
    },

    /** Sets a new password and ends every session. @throws {AppError} 422 `reset_over` on `token`, 429. */
    async resetPassword({ token, password }: PasswordReset, origin: Origin): Promise<void> {
      // Nobody makes us hash passwords without a link.
      await demand(token, origin.ip);
      const whose = await standing(db, token).first('user_id');
      if (whose) await refuseWeak(password, await viewOf(db, whose.user_id));
      const password_hash = await passwords.hash(password);
      await db.transaction(async (trx) => {
        const row: { user_id: number } | undefined = await standing(trx, token).first('user_id');
        // Of many at once, one deletes the row.
        if (!row || (await standing(trx, token).delete()) === 0) throw over();
        const user = await User.query(trx).findOne({ id: row.user_id, deactivated_at: null });
        if (!user) throw over();
        await user.$query(trx).patch({ password_hash, updated_at: clock().toISOString() });
        const ended = await sessions.endAll(trx, user.id);
        await trx('app_passwords').where({ user_id: user.id }).delete();
        await endPrograms(trx, user.id);
        await trx('half_sign_ins').where({ user_id: user.id }).delete();
        await trx('email_changes').where({ user_id: user.id }).delete();
        await limits.forget(trx, signInAccountTry(user.email));
        const theirs = { firmId: user.firm_id, userId: user.id, ip: origin.ip };
        await audit.record(trx, { ...theirs, did: 'auth.reset_password', detail: { ended_sessions: ended } });
        await sendEmail(trx, user.id, passwordChanged);
      });
    },

    sweep: (): Promise<number> =>
      db.transaction((trx) => deleteExpired(trx, 'password_resets', HOUR, clock())),
  };
}
