import type { Knex } from 'knex';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Origin } from '#server/http/context.ts';
import { AppError } from '#server/http/errors.ts';
import type { RateLimiter } from '#server/http/rate-limiter.ts';
import type { Audit } from '../../audit/service.ts';
import type { Clock } from '../../clock.ts';
import { User } from '../model.ts';
import { passkeyTry } from '../rate-limits.ts';
import type { SignInResult } from '../sign-in.ts';
import { signInRefusal } from '../sign-in.ts';
import { passkeyRefused } from './assertions.ts';
import type { PasskeyRequestOptions } from './contract.ts';
import type { Passkeys } from './service.ts';

/** Signs in with a passkey, either alone or as the second step after a password. */
export function createPasskeySignIn({
  db,
  clock,
  audit,
  limits,
  passkeys,
  userOfHalfSignIn,
  completeSignIn,
}: {
  db: Knex;
  clock: Clock;
  audit: Audit;
  limits: RateLimiter;
  passkeys: Pick<Passkeys, 'requestOptions' | 'verify'>;
  /** The user of a sign-in that waits for its second step; undefined once it has expired. */
  userOfHalfSignIn: (challenge: string) => Promise<User | undefined>;
  completeSignIn: (trx: Knex.Transaction, user: User, origin: Origin) => Promise<SignInResult>;
}) {
  return {
    /** The request to sign. With the challenge of a second step only that user's passkeys qualify. */
    async requestOptions(challenge?: string): Promise<PasskeyRequestOptions> {
      const user = challenge === undefined ? undefined : await userOfHalfSignIn(challenge);
      return passkeys.requestOptions({ what: 'sign-in', userId: user?.id ?? null, sessionId: null });
    },

    /** @throws {AppError} 401 `passkey_refused` for every failure; 403 for a deactivated user and outside the user's hours and networks; 429. */
    async signIn(response: AuthenticationResponseJSON, origin: Origin): Promise<SignInResult> {
      const verified = await passkeys.verify(response, ({ what }) => what === 'sign-in');
      const outcome = await db.transaction(async (trx) => {
        const user = verified && (await User.query(trx).findById(verified.userId));
        if (!user || !(await verified.spend(trx))) return null;
        const subject = { firmId: user.firm_id, userId: user.id, ip: origin.ip };
        const refusal = await signInRefusal(trx, user, clock(), origin.ip);
        if (refusal) {
          await audit.record(trx, { ...subject, did: 'auth.sign_in_barred', detail: { code: refusal.code } });
          return refusal;
        }
        const detail = { passkey: verified.name };
        await audit.record(trx, { ...subject, did: 'auth.sign_in', detail });
        return completeSignIn(trx, user, origin);
      });
      if (!outcome) {
        // Nobody can guess a signature; the limit slows down repeated failures.
        await limits.check(passkeyTry(origin.ip));
        await audit.recordAlone({ ip: origin.ip, did: 'auth.passkey_refused' });
        throw passkeyRefused();
      }
      if (outcome instanceof AppError) throw outcome;
      return outcome;
    },
  };
}
