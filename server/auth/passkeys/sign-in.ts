import type { Knex } from 'knex';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Origin } from '#server/http/context.ts';
import { AppError } from '#server/http/errors.ts';
import type { RateLimiter } from '#server/http/rate-limiter.ts';
import type { Audit } from '../../audit/service.ts';
import type { Clock } from '../../clock.ts';
import { refusalOf } from '../admission.ts';
import { User } from '../model.ts';
import { passkeyTry } from '../rate-limits.ts';
import type { Entry } from '../sign-in.ts';
import { passkeyRefused } from './answers.ts';
import type { PasskeyQuestion } from './contract.ts';
import type { Passkeys } from './service.ts';

/** Signing in with a passkey, instead of the password and a code or after the password. */
export function createPasskeySignIn({
  db,
  clock,
  audit,
  limits,
  passkeys,
  userOfHalf,
  enter,
}: {
  db: Knex;
  clock: Clock;
  audit: Audit;
  limits: RateLimiter;
  passkeys: Pick<Passkeys, 'ask' | 'check'>;
  /** Whose password was right at a sign-in that waits for its second step; undefined once that is over. */
  userOfHalf: (challenge: string) => Promise<User | undefined>;
  enter: (trx: Knex.Transaction, user: User, origin: Origin) => Promise<Entry>;
}) {
  return {
    /** What a passkey has to sign. With the challenge of a second step only that person's passkeys are asked for. */
    async question(challenge?: string): Promise<PasskeyQuestion> {
      const user = challenge === undefined ? undefined : await userOfHalf(challenge);
      return passkeys.ask({ what: 'sign-in', userId: user?.id ?? null, sessionId: null });
    },

    /** @throws {AppError} 401 `passkey_refused` whatever was wrong; 403 outside the user's hours and networks; 429. */
    async signIn(response: AuthenticationResponseJSON, origin: Origin): Promise<Entry> {
      const answered = await passkeys.check(response, ({ what }) => what === 'sign-in');
      const outcome = await db.transaction(async (trx) => {
        const user =
          answered && (await User.query(trx).findOne({ id: answered.userId, deactivated_at: null }));
        if (!user || !(await answered.spend(trx))) return null;
        const whose = { firmId: user.firm_id, userId: user.id, ip: origin.ip };
        const barred = refusalOf(user, clock(), origin.ip);
        if (barred) {
          await audit.record(trx, { ...whose, did: 'auth.sign_in_barred', detail: { code: barred.code } });
          return barred;
        }
        const detail = { passkey: answered.name };
        await audit.record(trx, { ...whose, did: 'auth.sign_in', detail });
        return enter(trx, user, origin);
      });
      if (!outcome) {
        // A signature is not guessed; who sends wrong ones all the same is slowed down.
        await limits.check(passkeyTry(origin.ip));
        await audit.recordAlone({ ip: origin.ip, did: 'auth.passkey_refused' });
        throw passkeyRefused();
      }
      if (outcome instanceof AppError) throw outcome;
      return outcome;
    },
  };
}
