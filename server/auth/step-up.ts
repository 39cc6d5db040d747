import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { invalid } from '#server/http/errors.ts';
import type { RateLimiter } from '#server/http/rate-limiter.ts';
import type { Audit } from '../audit/service.ts';
import type { ProofWays } from './contract.ts';
import { passkeyRefused } from './passkeys/assertions.ts';
import type { PasskeyRequestOptions, IdentityProof } from './passkeys/contract.ts';
import type { Passkeys } from './passkeys/service.ts';
import { codeTries } from './rate-limits.ts';
import type { Sessions } from './sessions.ts';
import type { TwoStep } from './two-step.ts';

const wrongCode = () =>
  invalid({ code: ['This code is not right, or was used before. Take the newest one from your app.'] });

/** Step-up authentication: a signed-in user proves their identity again before a sensitive action. */
export function createStepUp(dependencies: {
  db: Knex;
  audit: Audit;
  limits: RateLimiter;
  sessions: Pick<Sessions, 'prove'>;
  passkeys: Pick<Passkeys, 'requestOptions' | 'verify'>;
  twoStep: Pick<TwoStep, 'ways' | 'spendApp'>;
  /** Rejects unless it is the actor's password. */
  provePassword: (actor: Actor, password: string) => Promise<unknown>;
}) {
  const { db, audit, limits, sessions, passkeys, twoStep, provePassword } = dependencies;

  async function proveCode(actor: Actor, code: string): Promise<void> {
    const tries = codeTries(actor.userId);
    await limits.check(...tries);
    const isProven = await db.transaction(async (trx) => {
      if (!(await twoStep.spendApp(trx, actor.userId, code))) return false;
      await limits.forget(trx, ...tries);
      await sessions.prove(trx, actor.sessionId);
      return true;
    });
    if (isProven) return;
    await audit.recordAlone({ actor, did: 'auth.code_refused' });
    throw wrongCode();
  }

  async function provePasskey(actor: Actor, response: NonNullable<IdentityProof['response']>): Promise<void> {
    const verified = await passkeys.verify(
      response,
      ({ what, userId, sessionId }) =>
        what === 'prove' && userId === actor.userId && sessionId === actor.sessionId,
    );
    const isProven = await db.transaction(async (trx) => {
      if (!verified || !(await verified.spend(trx))) return false;
      await sessions.prove(trx, actor.sessionId);
      return true;
    });
    if (isProven) return;
    await audit.recordAlone({ actor, did: 'auth.passkey_refused' });
    throw passkeyRefused(422);
  }

  return {
    /** The proofs that the user can give beside the password. */
    ways: async (actor: Actor): Promise<ProofWays> => ({ ways: await twoStep.ways(db, actor.userId) }),

    /** The request to sign for the user's passkeys. @throws {AppError} 409 where passkeys are not available. */
    requestOptions: (actor: Actor): Promise<PasskeyRequestOptions> =>
      passkeys.requestOptions({ what: 'prove', userId: actor.userId, sessionId: actor.sessionId }),

    /** @throws {AppError} 422 on `current_password` or `code`, or `passkey_refused`; 429. */
    async prove(actor: Actor, { current_password, code, response }: IdentityProof): Promise<void> {
      if (response) return provePasskey(actor, response);
      if (code !== undefined) return proveCode(actor, code);
      await provePassword(actor, current_password ?? '');
    },
  };
}
