import type { Knex } from 'knex';
import { conflict, invalid } from '#server/http/errors.ts';
import type { RateLimiter } from '#server/http/rate-limiter.ts';
import type { Audit } from '../audit/service.ts';
import type { Clock } from '../clock.ts';
import type { Sealer } from '../db/column-encryption.ts';
import { viewOf } from './accounts.ts';
import type { Actor } from '#server/actor.ts';
import type { SecondWay, TwoStepSetup, TwoStepStatus } from './contract.ts';
import { codeTries } from './rate-limits.ts';
import type { SendEmail } from './emails.ts';
import { twoStepOff, twoStepOn } from './emails.ts';
import {
  looksLikeRecoveryCode,
  recoveryCodesLeft,
  replaceRecoveryCodes,
  spendRecoveryCode,
} from './recovery-codes.ts';
import { hasPasskey, hasSecondFactor, isTwoStepRequired } from './second-factor.ts';
import { requireLiveSession } from './live-session.ts';
import { latestStep, newTotpSecret, stepOf, totpAddress, typedSecret } from './totp.ts';

interface TwoStepDependencies {
  db: Knex;
  clock: Clock;
  audit: Audit;
  limits: RateLimiter;
  seal: Sealer;
  appName: string;
  sendEmail: SendEmail;
  /** Rejects unless it is the actor's password. */
  prove: (actor: Actor, password: string | undefined) => Promise<unknown>;
}

interface Row {
  sealed_secret: Buffer;
  last_step: number;
  enabled_at: string | null;
}

const REQUIRED =
  'Your firm asks everyone to use two-step sign-in, so it cannot be turned off. To use another phone, ask an admin.';

const wrongCode = () =>
  invalid({
    code: [
      'This code is not right. Codes change every 30 seconds; check that the phone shows the right time.',
    ],
  });

/** The second step of a sign-in: a code from an authenticator app, or one of ten printed recovery codes. */
export function createTwoStep(dependencies: TwoStepDependencies) {
  const { db, clock, audit, limits, seal, appName, sendEmail, prove } = dependencies;

  const rowOf = (db: Knex, userId: number): Promise<Row | undefined> =>
    db('two_step').where({ user_id: userId }).first('sealed_secret', 'last_step', 'enabled_at');

  /** Uses up the code of the app: neither this code nor an older one works again. */
  async function spendAppCode(
    trx: Knex.Transaction,
    userId: number,
    row: Row,
    code: string,
  ): Promise<boolean> {
    const now = clock();
    const step = stepOf(seal.open(row.sealed_secret), code.replace(/\s/g, ''), now);
    if (step === null) return false;
    const changed = await trx('two_step')
      .where({ user_id: userId })
      // A step later than any valid code was stored before the clock was set back.
      .where((spent) => spent.where('last_step', '<', step).orWhere('last_step', '>', latestStep(now)))
      .update({ last_step: step });
    return changed === 1;
  }

  /** Verifies and uses up a code. @returns its kind; null for a wrong one. */
  async function spend(
    trx: Knex.Transaction,
    userId: number,
    code: string,
  ): Promise<'app' | 'recovery' | null> {
    if (looksLikeRecoveryCode(code)) {
      return (await spendRecoveryCode(trx, userId, code, clock())) ? 'recovery' : null;
    }
    const row = await rowOf(trx, userId);
    if (!row?.enabled_at) return null;
    return (await spendAppCode(trx, userId, row, code)) ? 'app' : null;
  }

  return {
    spend,

    /** Verifies a code of the app; recovery codes are too valuable for this. */
    async spendApp(trx: Knex.Transaction, userId: number, code: string): Promise<boolean> {
      const row = await rowOf(trx, userId);
      return row?.enabled_at ? spendAppCode(trx, userId, row, code) : false;
    },

    /** The second steps of the user; empty when the password alone signs in. */
    async ways(db: Knex, userId: number): Promise<SecondWay[]> {
      const app = Boolean((await rowOf(db, userId))?.enabled_at);
      const passkey = await hasPasskey(db, userId);
      return [...(app ? ['app' as const] : []), ...(passkey ? ['passkey' as const] : [])];
    },

    /** Filters users who have a second step. */
    async usedBy(db: Knex, users: Knex.QueryBuilder): Promise<Set<number>> {
      const app = db('two_step').whereIn('user_id', users.clone()).whereNotNull('enabled_at');
      const keys = db('passkeys').whereIn('user_id', users.clone());
      return new Set<number>([...(await app.pluck('user_id')), ...(await keys.pluck('user_id'))]);
    },

    async status(actor: Actor): Promise<TwoStepStatus> {
      const row = await rowOf(db, actor.userId);
      return {
        enabled_at: row?.enabled_at ?? null,
        recovery_codes_left: (await hasSecondFactor(db, actor.userId))
          ? await recoveryCodesLeft(db, actor.userId)
          : 0,
      };
    },

    /**
     * Creates a secret, which takes effect with `confirm`. @throws {AppError} 409 when two-step sign-in is on, 422,
     * 429.
     */
    async setUp(actor: Actor, password: string): Promise<TwoStepSetup> {
      await prove(actor, password);
      const secret = newTotpSecret();
      const { email } = await viewOf(db, actor.userId);
      await db.transaction(async (trx) => {
        if ((await rowOf(trx, actor.userId))?.enabled_at) throw conflict('Two-step sign-in is on already.');
        await trx('two_step').where({ user_id: actor.userId }).delete();
        await trx('two_step').insert({
          user_id: actor.userId,
          sealed_secret: seal.seal(secret),
          last_step: 0,
          enabled_at: null,
          created_at: clock().toISOString(),
        });
      });
      return { secret: typedSecret(secret), address: totpAddress(secret, appName, email) };
    },

    /**
     * Turns two-step sign-in on. @returns the recovery codes, which are shown once.
     * @throws {AppError} 401 once the session has ended, 409 without `setUp`, 422 on `code`, 429.
     */
    async confirm(actor: Actor, code: string): Promise<string[]> {
      await limits.check(...codeTries(actor.userId));
      const codes = await db.transaction(async (trx) => {
        await requireLiveSession(trx, actor);
        const row = await rowOf(trx, actor.userId);
        if (!row || row.enabled_at) throw conflict('Begin again: this setup is no longer open.');
        if (!(await spendAppCode(trx, actor.userId, row, code))) return null;
        await trx('two_step').where({ user_id: actor.userId }).update({ enabled_at: clock().toISOString() });
        await limits.forget(trx, ...codeTries(actor.userId));
        await audit.record(trx, { actor, did: 'auth.two_step_on' });
        await sendEmail(trx, actor.userId, twoStepOn);
        return replaceRecoveryCodes(trx, actor.userId, clock());
      });
      if (!codes) throw wrongCode();
      return codes;
    },

    /** @throws {AppError} 409 when the firm requires it; 422 on `current_password` or `code`; 429. */
    async switchOff(actor: Actor, password: string, code: string): Promise<void> {
      await prove(actor, password);
      const isLastFactor = !(await hasPasskey(db, actor.userId));
      if (isLastFactor && (await isTwoStepRequired(db, actor.firmId, clock())))
        throw conflict(REQUIRED, 'two_step_required');
      await limits.check(...codeTries(actor.userId));
      const wasSwitchedOff = await db.transaction(async (trx) => {
        if (!(await spend(trx, actor.userId, code))) return false;
        await trx('two_step').where({ user_id: actor.userId }).delete();
        if (!(await hasPasskey(trx, actor.userId)))
          await trx('recovery_codes').where({ user_id: actor.userId }).delete();
        await limits.forget(trx, ...codeTries(actor.userId));
        await audit.record(trx, { actor, did: 'auth.two_step_off' });
        await sendEmail(trx, actor.userId, twoStepOff);
        return true;
      });
      if (!wasSwitchedOff) throw wrongCode();
    },

    /** Replaces the recovery codes. @throws {AppError} 403 `proof_needed`, 409 when two-step sign-in is off, 422, 429. */
    async renewCodes(actor: Actor, password: string | undefined): Promise<string[]> {
      await prove(actor, password);
      return db.transaction(async (trx) => {
        await requireLiveSession(trx, actor);
        if (!(await hasSecondFactor(trx, actor.userId))) throw conflict('Two-step sign-in is off.');
        await audit.record(trx, { actor, did: 'auth.recovery_codes_renewed' });
        return replaceRecoveryCodes(trx, actor.userId, clock());
      });
    },
  };
}
export type TwoStep = ReturnType<typeof createTwoStep>;
