import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { DeferredWrites } from '#server/db/deferred-writes.ts';
import type { Origin } from '#server/http/context.ts';
import { AppError, checkAll } from '#server/http/errors.ts';
import type { RateLimiter } from '#server/http/rate-limiter.ts';
import type { Audit } from '../audit/service.ts';
import type { Clock } from '../clock.ts';
import type { Mail } from '../mail/service.ts';
import type { Sealer } from '../db/column-encryption.ts';
import { createAppPasswords } from './app-passwords/service.ts';
import { addFirm, emailTaken, isTaken, registry, viewOf } from './accounts.ts';
import type { Actor } from '#server/actor.ts';
import { TOKEN_PREFIX } from './paired-programs/contract.ts';
import type { Registration, UserView } from './contract.ts';
import { createKnownBrowsers } from './known-browsers.ts';
import { createEmailChanges } from './email-change.ts';
import { registerTry, tokenTry } from './rate-limits.ts';
import { createSendEmail, welcome } from './emails.ts';
import { createDeviceAlarms } from './device-alarms.ts';
import { createPasskeys } from './passkeys/service.ts';
import { createPasskeySignIn } from './passkeys/sign-in.ts';
import { endPrograms } from './paired-programs/end.ts';
import { createPairedPrograms } from './paired-programs/service.ts';
import { createNewUsers } from './new-users.ts';
import type { Passwords } from './passwords.ts';
import { createProfiles } from './profile.ts';
import { createResets } from './password-reset.ts';
import { createSessions } from './sessions.ts';
import type { SignInResult } from './sign-in.ts';
import { createSignIn } from './sign-in.ts';
import { createStepUp } from './step-up.ts';
import { createTwoStep } from './two-step.ts';
import { refuseWeak } from './weak-passwords.ts';

interface AuthDependencies {
  db: Knex;
  clock: Clock;
  log: Logger;
  audit: Audit;
  deferred: Pick<DeferredWrites, 'write'>;
  limits: RateLimiter;
  passwords: Passwords;
  mail: Pick<Mail, 'send' | 'sends'>;
  /** Seals the secrets of authenticator apps. */
  seal: Sealer;
  /** Seals the purpose of passkey challenges. */
  sealChallenge: Sealer;
  settings: { appName: string; baseUrl: string };
  /** Whether anybody may register a firm; the first one always can. */
  takesFirms: boolean;
}

const registrationClosed = () =>
  new AppError(
    403,
    'registration_closed',
    'This vault takes no new firms. Ask a colleague for an invitation.',
  );

export function createAuth(dependencies: AuthDependencies) {
  const { db, clock, log, audit, deferred, limits, passwords, mail, seal, sealChallenge, settings } =
    dependencies;
  const sessions = createSessions({ db, clock, log, deferred });
  /** Whether a firm can be registered now: a new vault has none yet but firm 0, which owns what belongs to no firm. */
  const takesFirms = async (db: Knex): Promise<boolean> =>
    dependencies.takesFirms || (await db('firms').where('id', '>', 0).first('id')) === undefined;
  const sendEmail = createSendEmail({ clock, send: mail.send, ...settings });
  const devices = createKnownBrowsers({ db, clock, audit, sessions });
  const emails = createEmailChanges({ db, clock, audit, limits, sessions, sendEmail });
  const profiles = createProfiles({ db, clock, audit, limits, passwords, sessions, emails, sendEmail });
  const twoStep = createTwoStep({
    db,
    clock,
    audit,
    limits,
    seal,
    appName: settings.appName,
    sendEmail,
    prove: profiles.prove,
  });
  const appPasswords = createAppPasswords({
    db,
    clock,
    log,
    audit,
    deferred,
    limits,
    prove: profiles.prove,
    sendEmail,
  });
  const passkeys = createPasskeys({
    db,
    clock,
    audit,
    seal: sealChallenge,
    settings,
    sendEmail,
    prove: profiles.prove,
  });
  const programs = createPairedPrograms({ db, clock, log, audit, deferred, limits, sendEmail });
  const resets = createResets({ db, clock, audit, limits, passwords, sessions, sendEmail });
  const alarms = createDeviceAlarms({
    db,
    clock,
    audit,
    limits,
    sessions,
    newPasswordLink: resets.createLink,
  });
  const signIns = createSignIn({
    db,
    clock,
    audit,
    limits,
    passwords,
    sessions,
    devices,
    alarms,
    twoStep,
    sendEmail,
  });
  const { completeSignIn, userOfHalfSignIn } = signIns;
  const stepUp = createStepUp({
    db,
    audit,
    limits,
    sessions,
    passkeys,
    twoStep,
    provePassword: profiles.prove,
  });
  const withPasskey = createPasskeySignIn({
    db,
    clock,
    audit,
    limits,
    passkeys,
    userOfHalfSignIn,
    completeSignIn,
  });

  return {
    updateProfile: profiles.updateProfile,
    changePassword: profiles.changePassword,
    /**
     * Rejects unless the actor proves their identity: by the password, or without it by a proof within the last
     * minutes.
     * @throws {AppError} 403 `proof_needed`, 422 on `current_password`, 429.
     */
    prove: profiles.prove,
    /** Whether e-mails leave this machine. */
    sendsEmail: mail.sends,
    requestReset: resets.requestReset,
    letIn: resets.letIn,
    isResetLinkValid: resets.isResetLinkValid,
    resetPassword: resets.resetPassword,
    signIn: signIns.signIn,
    signInWithCode: signIns.signInWithCode,
    withPasskey,
    stepUp,
    alarms,
    passkeys,
    emails,
    twoStep,
    devices,
    appPasswords,
    programs,
    registry,
    /** For rooms whose records have passwords of their own. */
    passwords,
    /** For rooms that add users to an existing firm. */
    newUsers: createNewUsers({ clock, passwords, completeSignIn: signIns.completeSignIn }),

    /** Unexpired sessions. */
    aliveSessions: sessions.unexpired,

    /**
     * Deletes everything by which a user could sign in again: sessions, app passwords, programs, half sign-ins, and
     * links that set a new password.
     * @returns the number of ended sessions.
     */
    async endAccess(trx: Knex.Transaction, userId: number): Promise<number> {
      for (const table of [
        'half_sign_ins',
        'password_resets',
        'device_alarms',
        'email_changes',
        'app_passwords',
      ])
        await trx(table).where({ user_id: userId }).delete();
      await endPrograms(trx, userId);
      return sessions.endAll(trx, userId);
    },

    takesFirms: (): Promise<boolean> => takesFirms(db),

    /**
     * Creates a firm with its first user, and signs the user in.
     * @throws {AppError} 403 `registration_closed`; 422 on `email`, `password`; 429.
     */
    async register(input: Registration, origin: Origin): Promise<SignInResult> {
      if (!(await takesFirms(db))) throw registrationClosed();
      await limits.check(registerTry(origin.ip));
      await checkAll(
        async () => {
          if (!(await isTaken(db, input.email))) return;
          await audit.recordAlone({ ip: origin.ip, did: 'auth.register_refused' });
          throw emailTaken();
        },
        () => refuseWeak(input.password, input),
      );
      const hash = await passwords.hash(input.password);
      return db.transaction(async (trx) => {
        if (!(await takesFirms(trx))) throw registrationClosed();
        const user = await addFirm(trx, input, hash, clock().toISOString());
        const subject = { firmId: user.firm_id, userId: user.id, ip: origin.ip };
        await audit.record(trx, { ...subject, did: 'auth.register' });
        await sendEmail(trx, user.id, welcome);
        return signIns.completeSignIn(trx, user, origin);
      });
    },

    /** @throws {AppError} 429 after too many unknown tokens from this network. */
    async identifyByToken(token: string, origin: Origin): Promise<Actor | null> {
      if (token.startsWith(TOKEN_PREFIX)) return programs.identify(token, origin);
      const actor = await sessions.actorBySecret('token', token);
      // Only failures count: a valid token passes although its network is at the limit, since 256 bits cannot be
      // guessed.
      if (!actor) await limits.check(tokenTry(origin.ip));
      return actor;
    },

    identifyByCookie: (secret: string): Promise<Actor | null> => sessions.actorBySecret('cookie', secret),

    /** The actor with their current permissions; null once the session, or the connection of a program, has ended. */
    again: ({ sessionId, program }: Actor): Promise<Actor | null> =>
      program ? programs.again(program.id) : sessions.actorOfSession(sessionId),

    /** The actor of a session; null once it has ended. */
    actorOfSession: (sessionId: number): Promise<Actor | null> => sessions.actorOfSession(sessionId),

    /** The actor of a user without a session; null for a deactivated user. */
    actorOfUser: (userId: number): Promise<Actor | null> => sessions.actorOfUser(userId),

    /** Filters valid sessions; does not count as use. */
    standing: sessions.validAmong,

    async endByCookie(secret: string): Promise<void> {
      await sessions.endByCookie(secret);
    },

    /** The signed-in user, as responses and pages show it. */
    viewer: (actor: Actor): Promise<UserView> => viewOf(db, actor.userId, actor),

    signOut: (actor: Actor): Promise<void> =>
      db.transaction(async (trx) => {
        await sessions.end(trx, actor.sessionId);
        await audit.record(trx, { actor, did: 'auth.sign_out' });
      }),

    /** Ends every session of the user, including the current one. Programs and app passwords are ended one by one. */
    signOutAll: (actor: Actor): Promise<void> =>
      db.transaction(async (trx) => {
        const ended = await sessions.endAll(trx, actor.userId);
        await audit.record(trx, { actor, did: 'auth.sign_out_all', detail: { ended_sessions: ended } });
      }),

    /** Deletes expired rows; called periodically. @returns their number. */
    async sweep(): Promise<number> {
      let deleted = 0;
      const stores = [sessions, limits, resets, emails, signIns, devices, passkeys, programs, alarms];
      for (const store of stores) deleted += await store.sweep();
      return deleted;
    },
  };
}
export type { SignInResult } from './sign-in.ts';
export type Auth = ReturnType<typeof createAuth>;
