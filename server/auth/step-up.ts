import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { invalid } from '#server/http/errors.ts';
import type { RateLimiter } from '#server/http/rate-limiter.ts';
import type { Audit } from '../audit/service.ts';
import type { ProofWays } from './contract.ts';
import { passkeyRefused } from './passkeys/answers.ts';
import type { PasskeyQuestion, ProofGiven } from './passkeys/contract.ts';
import type { Passkeys } from './passkeys/service.ts';
import { codeTries } from './rate-limits.ts';
import type { Sessions } from './sessions.ts';
import type { TwoStep } from './two-step.ts';

const wrongCode = () =>
  invalid({ code: ['This code is not right, or was used before. Take the newest one from your app.'] });

/** Proving again who sits there, for what a session that was left open may not do. */
export function createStepUp(use: {
  db: Knex;
  audit: Audit;
  limits: RateLimiter;
  sessions: Pick<Sessions, 'prove'>;
  passkeys: Pick<Passkeys, 'ask' | 'check'>;
  twoStep: Pick<TwoStep, 'ways' | 'spendApp'>;
  /** @throws unless it is the actor's. */
  provePassword: (actor: Actor, password: string) => Promise<unknown>;
}) {
  const { db, audit, limits, sessions, passkeys, twoStep, provePassword } = use;

  async function proveCode(actor: Actor, code: string): Promise<void> {
    const tries = codeTries(actor.userId);
    await limits.check(...tries);
    const isRight = await db.transaction(async (trx) => {
      if (!(await twoStep.spendApp(trx, actor.userId, code))) return false;
      await limits.forget(trx, ...tries);
      await sessions.prove(trx, actor.sessionId);
      return true;
    });
    if (isRight) return;
    await audit.recordAlone({ actor, did: 'auth.code_refused' });
    throw wrongCode();
  }

  async function provePasskey(actor: Actor, response: NonNullable<ProofGiven['response']>): Promise<void> {
    const answered = await passkeys.check(
      response,
      ({ what, userId, sessionId }) =>
        what === 'prove' && userId === actor.userId && sessionId === actor.sessionId,
    );
    const isRight = await db.transaction(async (trx) => {
      if (!answered || !(await answered.spend(trx))) return false;
      await sessions.prove(trx, actor.sessionId);
      return true;
    });
    if (isRight) return;
    await audit.recordAlone({ actor, did: 'auth.passkey_refused' });
    throw passkeyRefused(422);
  }

  return {
    /** By what the person can prove it beside the password. */
    ways: async (actor: Actor): Promise<ProofWays> => ({ ways: await twoStep.ways(db, actor.userId) }),

    /** What a passkey of the person has to sign. @throws {AppError} 409 where there are no passkeys. */
    question: (actor: Actor): Promise<PasskeyQuestion> =>
      passkeys.ask({ what: 'prove', userId: actor.userId, sessionId: actor.sessionId }),

    /** @throws {AppError} 422 on `current_password` or `code`, or `passkey_refused`; 429. */
    async prove(actor: Actor, { current_password, code, response }: ProofGiven): Promise<void> {
      if (response) return provePasskey(actor, response);
      if (code !== undefined) return proveCode(actor, code);
      await provePassword(actor, current_password ?? '');
    },
  };
}
