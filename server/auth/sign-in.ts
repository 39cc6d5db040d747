import type { Knex } from 'knex';
import type { Origin } from '#server/http/context.ts';
import { AppError } from '#server/http/errors.ts';
import type { RateLimiter } from '#server/http/rate-limiter.ts';
import type { Audit } from '../audit/service.ts';
import type { Clock } from '../clock.ts';
import { viewOf } from './accounts.ts';
import { deviceName } from '#server/http/browsers.ts';
import { refusalOf } from './admission.ts';
import type { Credentials, SecondStep, SecondWay, SignedIn, TwoStepChallenge } from './contract.ts';
import type { createKnownBrowsers } from './known-browsers.ts';
import { codeTries, signInTries } from './rate-limits.ts';
import type { SendEmail } from './emails.ts';
import { newDevice, recoveryCodeUsed } from './emails.ts';
import { User } from './model.ts';
import type { Passwords } from './passwords.ts';
import { recoveryCodesLeft } from './recovery-codes.ts';
import { deleteExpired } from '#server/db/delete-expired.ts';
import { fingerprint, newSecret } from '#server/http/secrets.ts';
import { restrictionsOf } from './sign-in-restrictions.ts';
import type { DeviceAlarms } from './device-alarms.ts';
import type { Sessions } from './sessions.ts';
import type { TwoStep } from './two-step.ts';

const CHALLENGE_SECONDS = 10 * 60;
const MAX_ADMINS_NAMED = 2;

/** A completed sign-in, with the secret for the browser's cookie, which no response body may contain. */
export interface SignInResult extends SignedIn {
  cookie: string;
}

// One text for every reason before the password has proved right: a reason would reveal who has an account.
const invalidCredentials = () => new AppError(401, 'invalid_credentials', 'Invalid email or password.');
/** Says whom a deactivated user can ask. */
async function deactivatedRefusal(trx: Knex.Transaction, { firm_id }: User): Promise<AppError> {
  const firm = await trx('firms').where({ id: firm_id }).first('name');
  const admins: string[] = await trx('users')
    .where({ firm_id, role: 'admin', deactivated_at: null })
    .orderBy('id')
    .limit(MAX_ADMINS_NAMED)
    .pluck('name');
  return new AppError(
    403,
    'deactivated',
    `Your account at ${firm.name} was deactivated. If you still need it, ask ${admins.join(' or ')} to reactivate it.`,
  );
}
/** Why a user who has proved who they are may not sign in now; null if they may. */
export const signInRefusal = async (
  trx: Knex.Transaction,
  user: User,
  now: Date,
  ip: string | undefined,
): Promise<AppError | null> =>
  user.deactivated_at === null ? refusalOf(user, now, ip) : await deactivatedRefusal(trx, user);
const invalidCode = () =>
  new AppError(
    401,
    'invalid_code',
    'This code is not right, or was used before. Take the newest one from your app, or a recovery code.',
  );
const signInExpired = () => new AppError(401, 'sign_in_over', 'This took too long. Please sign in again.');

interface SignInDependencies {
  db: Knex;
  clock: Clock;
  audit: Audit;
  limits: RateLimiter;
  passwords: Passwords;
  sessions: Sessions;
  devices: ReturnType<typeof createKnownBrowsers>;
  alarms: Pick<DeviceAlarms, 'prepare'>;
  twoStep: Pick<TwoStep, 'ways' | 'spend'>;
  sendEmail: SendEmail;
}

export function createSignIn(dependencies: SignInDependencies) {
  const { db, clock, audit, limits, passwords, sessions, devices, alarms, twoStep, sendEmail } = dependencies;

  async function completeSignIn(trx: Knex.Transaction, user: User, origin: Origin): Promise<SignInResult> {
    const { id, ...secrets } = await sessions.open(trx, user.id, origin);
    if (await devices.recordSignIn(trx, user.id, origin)) {
      const device = deviceName(origin.userAgent);
      const token = await alarms.prepare(trx, user.id, id, device);
      await sendEmail(trx, user.id, newDevice(device, origin.ip, token));
    }
    return { user: await viewOf(trx, user.id, await restrictionsOf(trx, user.id, clock())), ...secrets };
  }

  /**
   * The user unless the password has changed meanwhile: the change ended all sessions, and a later one would escape
   * it.
   */
  const userIfUnchanged = (db: Knex, id: number, password_hash: string, { deactivated = false } = {}) => {
    const query = User.query(db).findOne({ id, password_hash });
    return deactivated ? query : query.whereNull('deactivated_at');
  };

  async function challenge(trx: Knex.Transaction, user: User, ways: SecondWay[]): Promise<TwoStepChallenge> {
    const token = newSecret();
    await trx('half_sign_ins').insert({
      token_hash: fingerprint(token),
      user_id: user.id,
      password_hash: user.password_hash,
      expires_at: new Date(clock().getTime() + CHALLENGE_SECONDS * 1000).toISOString(),
    });
    return { two_step: { challenge: token, ways, expires_in: CHALLENGE_SECONDS } };
  }

  /** The user of a sign-in that waits for its second step; undefined once it has expired. */
  async function userOfHalfSignIn(challenge: string): Promise<User | undefined> {
    const half = await db('half_sign_ins')
      .where({ token_hash: fingerprint(challenge) })
      .where('expires_at', '>', clock().toISOString())
      .first('user_id', 'password_hash');
    return half && userIfUnchanged(db, half.user_id, half.password_hash);
  }

  return {
    completeSignIn,
    userOfHalfSignIn,

    /**
     * @returns the session secrets, or the challenge of a second step.
     * @throws {AppError} 401 for every failure; with the right password 403 for a deactivated user and outside the
     * user's hours and networks; 429.
     */
    async signIn({ email, password }: Credentials, origin: Origin): Promise<SignInResult | TwoStepChallenge> {
      const { own, shared } = signInTries(email, origin.ip);
      await limits.check(own, ...shared);
      const user = await User.query(db).findOne({ email });
      const isCorrect = await passwords.verify(password, user?.password_hash);
      const subject = { firmId: user?.firm_id, userId: user?.id, ip: origin.ip };
      const outcome = await db.transaction(async (trx) => {
        const current =
          isCorrect && user
            ? await userIfUnchanged(trx, user.id, user.password_hash, { deactivated: true })
            : undefined;
        if (!current) {
          await audit.record(trx, { ...subject, did: 'auth.sign_in_refused' });
          return null;
        }
        await limits.forget(trx, own);
        await limits.giveBack(trx, ...shared);
        const refusal = await signInRefusal(trx, current, clock(), origin.ip);
        if (refusal) {
          await audit.record(trx, { ...subject, did: 'auth.sign_in_barred', detail: { code: refusal.code } });
          return refusal;
        }
        const ways = await twoStep.ways(trx, current.id);
        if (ways.length > 0) {
          await audit.record(trx, { ...subject, did: 'auth.code_asked' });
          return challenge(trx, current, ways);
        }
        await audit.record(trx, { ...subject, did: 'auth.sign_in' });
        return completeSignIn(trx, current, origin);
      });
      if (!outcome) throw invalidCredentials();
      if (outcome instanceof AppError) throw outcome;
      return outcome;
    },

    /**
     * Completes the second step.
     * @throws {AppError} 401 `invalid_code`, or `sign_in_over` when the sign-in has to start again; 403
     * `outside_hours` and `outside_network`; 429.
     */
    async signInWithCode({ challenge, code }: SecondStep, origin: Origin): Promise<SignInResult> {
      const token_hash = fingerprint(challenge);
      const user = await userOfHalfSignIn(challenge);
      if (!user) throw signInExpired();
      const tries = codeTries(user.id, { email: user.email, ip: origin.ip });
      await limits.check(...tries);
      const subject = { firmId: user.firm_id, userId: user.id, ip: origin.ip };
      const outcome = await db.transaction(async (trx) => {
        const current = await userIfUnchanged(trx, user.id, user.password_hash);
        const refusal = current && refusalOf(current, clock(), origin.ip);
        if (refusal) throw refusal;
        const usedFactor = current && (await twoStep.spend(trx, current.id, code));
        if (!current || !usedFactor) {
          await audit.record(trx, { ...subject, did: 'auth.code_refused' });
          return null;
        }
        // A challenge completes one sign-in, even with concurrent requests.
        if ((await trx('half_sign_ins').where({ token_hash }).delete()) === 0) return null;
        await limits.forget(trx, ...tries);
        await audit.record(trx, { ...subject, did: 'auth.sign_in', detail: { second_step: usedFactor } });
        if (usedFactor === 'recovery') {
          await sendEmail(trx, current.id, recoveryCodeUsed(await recoveryCodesLeft(trx, current.id)));
        }
        return completeSignIn(trx, current, origin);
      });
      if (!outcome) throw invalidCode();
      return outcome;
    },

    sweep: (): Promise<number> =>
      db.transaction((trx) => deleteExpired(trx, 'half_sign_ins', CHALLENGE_SECONDS * 1000, clock())),
  };
}
