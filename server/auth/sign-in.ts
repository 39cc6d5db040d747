import type { Knex } from 'knex';
import type { Origin } from '#server/http/context.ts';
import { AppError } from '#server/http/errors.ts';
import type { RateLimiter } from '#server/http/rate-limiter.ts';
import type { Audit } from '../audit/service.ts';
import type { Clock } from '../clock.ts';
import { viewOf } from './accounts.ts';
import { deviceName } from '#server/http/browsers.ts';
import { refusalOf } from './admission.ts';
import type { Credentials, SecondStep, SecondWay, SignedIn, TwoStepAsked } from './contract.ts';
import type { createDevices } from './devices.ts';
import { codeTries, signInTries } from './rate-limits.ts';
import type { SendEmail } from './emails.ts';
import { newDevice, recoveryCodeUsed } from './emails.ts';
import { User } from './model.ts';
import type { Passwords } from './passwords.ts';
import { recoveryCodesLeft } from './recovery-codes.ts';
import { deleteExpired } from './delete-expired.ts';
import { fingerprint, newSecret } from '#server/http/secrets.ts';
import { lacks } from './seats.ts';
import type { Alarms } from './not-me.ts';
import type { Sessions } from './sessions.ts';
import type { TwoStep } from './two-step.ts';

const CHALLENGE_SECONDS = 10 * 60;

/** A sign-in, with the secret for the browser's cookie, which no answer's body may show. */
export interface Entry extends SignedIn {
  cookie: string;
}

// One text for every reason, or it would tell who has an account.
const refused = () => new AppError(401, 'invalid_credentials', 'Invalid email or password.');
const codeRefused = () =>
  new AppError(
    401,
    'invalid_code',
    'This code is not right, or was used before. Take the newest one from your app, or a recovery code.',
  );
const tooLate = () => new AppError(401, 'sign_in_over', 'This took too long. Please sign in again.');

export interface SignInParts {
  db: Knex;
  clock: Clock;
  audit: Audit;
  limits: RateLimiter;
  passwords: Passwords;
  sessions: Sessions;
  devices: ReturnType<typeof createDevices>;
  alarms: Pick<Alarms, 'prepare'>;
  twoStep: Pick<TwoStep, 'ways' | 'spend'>;
  sendEmail: SendEmail;
}

export function createSignIn(parts: SignInParts) {
  const { db, clock, audit, limits, passwords, sessions, devices, alarms, twoStep, sendEmail } = parts;

  async function enter(trx: Knex.Transaction, user: User, origin: Origin): Promise<Entry> {
    const { id, ...secrets } = await sessions.open(trx, user.id, origin);
    if (await devices.meet(trx, user.id, origin)) {
      const device = deviceName(origin.userAgent);
      const token = await alarms.prepare(trx, user.id, id, device);
      await sendEmail(trx, user.id, newDevice(device, origin.ip, token));
    }
    return { user: await viewOf(trx, user.id, await lacks(trx, user.id, clock())), ...secrets };
  }

  /** Meanwhile the password may have been changed, which ended all sessions and must not miss this one. */
  const unchanged = (db: Knex, id: number, password_hash: string) =>
    User.query(db).findOne({ id, password_hash, deactivated_at: null });

  async function challenge(trx: Knex.Transaction, user: User, ways: SecondWay[]): Promise<TwoStepAsked> {
    const token = newSecret();
    await trx('half_sign_ins').insert({
      token_hash: fingerprint(token),
      user_id: user.id,
      password_hash: user.password_hash,
      expires_at: new Date(clock().getTime() + CHALLENGE_SECONDS * 1000).toISOString(),
    });
    return { two_step: { challenge: token, ways, expires_in: CHALLENGE_SECONDS } };
  }

  /** Whose sign-in waits for its second step; undefined once that is over. */
  async function userOfHalf(challenge: string): Promise<User | undefined> {
    const half = await db('half_sign_ins')
      .where({ token_hash: fingerprint(challenge) })
      .where('expires_at', '>', clock().toISOString())
      .first('user_id', 'password_hash');
    return half && unchanged(db, half.user_id, half.password_hash);
  }

  return {
    enter,
    userOfHalf,

    /** @returns what lets in, or what to bring with the code. @throws {AppError} 401 whatever was wrong, 403 outside the user's hours and networks, 429. */
    async signIn({ email, password }: Credentials, origin: Origin): Promise<Entry | TwoStepAsked> {
      const { own, shared } = signInTries(email, origin.ip);
      await limits.check(own, ...shared);
      const user = await User.query(db).findOne({ email });
      const right = await passwords.verify(password, user?.password_hash);
      const whose = { firmId: user?.firm_id, userId: user?.id, ip: origin.ip };
      const outcome = await db.transaction(async (trx) => {
        const still = right && user ? await unchanged(trx, user.id, user.password_hash) : undefined;
        if (!still) {
          await audit.record(trx, { ...whose, did: 'auth.sign_in_refused' });
          return null;
        }
        await limits.forget(trx, own);
        await limits.giveBack(trx, ...shared);
        const barred = refusalOf(still, clock(), origin.ip);
        if (barred) {
          await audit.record(trx, { ...whose, did: 'auth.sign_in_barred', detail: { code: barred.code } });
          return barred;
        }
        const ways = await twoStep.ways(trx, still.id);
        if (ways.length > 0) {
          await audit.record(trx, { ...whose, did: 'auth.code_asked' });
          return challenge(trx, still, ways);
        }
        await audit.record(trx, { ...whose, did: 'auth.sign_in' });
        return enter(trx, still, origin);
      });
      if (!outcome) throw refused();
      if (outcome instanceof AppError) throw outcome;
      return outcome;
    },

    /**
     * The second step.
     * @throws {AppError} 401 `invalid_code`, or `sign_in_over` when to begin again; 403 `outside_hours` and
     * `outside_network`; 429.
     */
    async signInWithCode({ challenge, code }: SecondStep, origin: Origin): Promise<Entry> {
      const token_hash = fingerprint(challenge);
      const user = await userOfHalf(challenge);
      if (!user) throw tooLate();
      const tries = codeTries(user.id, { email: user.email, ip: origin.ip });
      await limits.check(...tries);
      const whose = { firmId: user.firm_id, userId: user.id, ip: origin.ip };
      const outcome = await db.transaction(async (trx) => {
        const still = await unchanged(trx, user.id, user.password_hash);
        const barred = still && refusalOf(still, clock(), origin.ip);
        if (barred) throw barred;
        const by = still && (await twoStep.spend(trx, still.id, code));
        if (!still || !by) {
          await audit.record(trx, { ...whose, did: 'auth.code_refused' });
          return null;
        }
        // Only one sign-in a challenge, however many come with it at once.
        if ((await trx('half_sign_ins').where({ token_hash }).delete()) === 0) return null;
        await limits.forget(trx, ...tries);
        await audit.record(trx, { ...whose, did: 'auth.sign_in', detail: { second_step: by } });
        if (by === 'recovery') {
          await sendEmail(trx, still.id, recoveryCodeUsed(await recoveryCodesLeft(trx, still.id)));
        }
        return enter(trx, still, origin);
      });
      if (!outcome) throw codeRefused();
      return outcome;
    },

    sweep: (): Promise<number> =>
      db.transaction((trx) => deleteExpired(trx, 'half_sign_ins', CHALLENGE_SECONDS * 1000, clock())),
  };
}
