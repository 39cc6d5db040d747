import type { Knex } from 'knex';
import { forbidden, invalid } from '#server/http/errors.ts';
import { requireProof } from '#server/http/recent-proof.ts';
import type { RateLimiter } from '#server/http/rate-limiter.ts';
import type { Audit } from '../audit/service.ts';
import type { Clock } from '../clock.ts';
import { viewOf } from './accounts.ts';
import type { Actor } from '#server/actor.ts';
import type { PasswordChange, Profile, UserView } from './contract.ts';
import type { EmailChanges } from './email-change.ts';
import { passwordTry } from './rate-limits.ts';
import type { SendEmail } from './emails.ts';
import { passwordChanged } from './emails.ts';
import { Firm, User } from './model.ts';
import { endPrograms } from './paired-programs/end.ts';
import type { Passwords } from './passwords.ts';
import { mayRenameFirm } from './policy.ts';
import type { Sessions } from './sessions.ts';
import { refuseWeak } from './weak-passwords.ts';

/** Drops the keys whose value is undefined. */
const defined = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

const wrongPassword = () => invalid({ current_password: ['The current password is not right'] });

/** Changes that a signed-in user makes to their own account. */
export function createProfiles({
  db,
  clock,
  audit,
  limits,
  passwords,
  sessions,
  emails,
  sendEmail,
}: {
  db: Knex;
  clock: Clock;
  audit: Audit;
  limits: RateLimiter;
  passwords: Passwords;
  sessions: Sessions;
  emails: Pick<EmailChanges, 'check' | 'request'>;
  sendEmail: SendEmail;
}) {
  /** @returns the stored hash that the password matches. @throws {AppError} 422 on `current_password`, 429. */
  async function provePassword(actor: Actor, password: string): Promise<string> {
    await limits.check(passwordTry(actor.userId));
    const { password_hash: hash } = await User.query(db).findById(actor.userId).throwIfNotFound();
    if (!(await passwords.verify(password, hash))) {
      await audit.recordAlone({ actor, did: 'auth.password_refused' });
      throw wrongPassword();
    }
    await db.transaction(async (trx) => {
      await limits.forget(trx, passwordTry(actor.userId));
      await sessions.prove(trx, actor.sessionId);
    });
    return hash;
  }

  /** Proves the identity by the password, or without one by a proof within the last minutes. */
  async function prove(actor: Actor, password: string | undefined): Promise<void> {
    if (password === undefined) requireProof(actor);
    else await provePassword(actor, password);
  }

  return {
    /** @throws {AppError} 403 `proof_needed`; 422 on `current_password` unless it is the actor's; 429. */
    prove,

    /**
     * A new e-mail address stays `pendingEmail` until it is confirmed; every other field changes immediately.
     * @throws {AppError} 403 on the firm's name without the permission, and `proof_needed` on an address; 422; 429.
     */
    async updateProfile(
      actor: Actor,
      input: Profile,
    ): Promise<{ user: UserView; pendingEmail: string | null }> {
      const { firm_name, current_password, email, ...otherFields } = input;
      const before = await viewOf(db, actor.userId);
      const newEmail = email !== undefined && email !== before.email;
      const newFirmName = firm_name !== undefined && firm_name !== before.firm_name;
      if (newFirmName && !mayRenameFirm(actor)) throw forbidden();
      if (newEmail) {
        await prove(actor, current_password);
        await emails.check(actor, email);
      }
      return db.transaction(async (trx) => {
        await User.query(trx)
          .findById(actor.userId)
          .patch({ ...defined(otherFields), updated_at: clock().toISOString() });
        if (newFirmName) await Firm.query(trx).findById(actor.firmId).patch({ name: firm_name });
        const after = await viewOf(trx, actor.userId);
        if (newEmail) await emails.request(trx, actor, email);
        const changed = (Object.keys(after) as (keyof UserView)[]).filter(
          (key) => `${after[key]}` !== `${before[key]}`,
        );
        if (changed.length > 0)
          await audit.record(trx, { actor, did: 'auth.update_profile', detail: { changed } });
        return { user: after, pendingEmail: newEmail ? email : null };
      });
    },

    /** Ends every other session of the user. @throws {AppError} 422 on `current_password`, 429. */
    async changePassword(actor: Actor, input: PasswordChange): Promise<void> {
      const proven = await provePassword(actor, input.current_password);
      await refuseWeak(input.password, await viewOf(db, actor.userId));
      const password_hash = await passwords.hash(input.password);
      await db.transaction(async (trx) => {
        // Of two concurrent changes, only the first still matches the current password.
        const changed = await User.query(trx)
          .where({ id: actor.userId, password_hash: proven })
          .patch({ password_hash, updated_at: clock().toISOString() });
        if (changed === 0) throw wrongPassword();
        const ended = await sessions.endAll(trx, actor.userId, { except: actor.sessionId });
        await trx('app_passwords').where({ user_id: actor.userId }).delete();
        await endPrograms(trx, actor.userId);
        await trx('password_resets').where({ user_id: actor.userId }).delete();
        await trx('half_sign_ins').where({ user_id: actor.userId }).delete();
        // An intruder with the old password may have requested an address of their own.
        await trx('email_changes').where({ user_id: actor.userId }).delete();
        await audit.record(trx, { actor, did: 'auth.change_password', detail: { ended_sessions: ended } });
        await sendEmail(trx, actor.userId, passwordChanged);
      });
    },
  };
}
