import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { DeferredWrites } from '#server/db/deferred-writes.ts';
import type { Origin } from '#server/http/context.ts';
import type { RateLimiter } from '#server/http/rate-limiter.ts';
import type { Audit } from '../audit/service.ts';
import type { Clock } from '../clock.ts';
import type { Mail } from '../mail/service.ts';
import type { Sealer } from '../datadir/sealing.ts';
import { createAppPasswords } from './app-passwords/service.ts';
import { addFirm, emailTaken, isTaken, registry, viewOf } from './accounts.ts';
import type { Actor } from '#server/actor.ts';
import { TOKEN_PREFIX } from './paired-programs/contract.ts';
import type { Registration, UserView } from './contract.ts';
import { createDevices } from './devices.ts';
import { createEmailChanges } from './email-change.ts';
import { registerTry, tokenTry } from './rate-limits.ts';
import { emailsOf, welcome } from './emails.ts';
import { createAlarms } from './not-me.ts';
import { createPasskeys } from './passkeys/service.ts';
import { createPasskeySignIn } from './passkeys/sign-in.ts';
import { endPrograms } from './paired-programs/end.ts';
import { createPairedPrograms } from './paired-programs/service.ts';
import { createNewUsers } from './new-users.ts';
import type { Passwords } from './passwords.ts';
import { createProfiles } from './profile.ts';
import { createResets } from './password-reset.ts';
import { createSessions } from './sessions.ts';
import type { Entry } from './sign-in.ts';
import { createSignIn } from './sign-in.ts';
import { createStepUp } from './step-up.ts';
import { createTwoStep } from './two-step.ts';
import { refuseWeak } from './weak-passwords.ts';

export interface AuthParts {
  db: Knex;
  clock: Clock;
  log: Logger;
  audit: Audit;
  deferred: Pick<DeferredWrites, 'write'>;
  limits: RateLimiter;
  passwords: Passwords;
  mail: Pick<Mail, 'send'>;
  /** Keeps the secrets of two-step sign-in. */
  seal: Sealer;
  /** Keeps what a passkey was asked to sign for. */
  sealChallenge: Sealer;
  settings: { appName: string; baseUrl: string };
}

export function createAuth(parts: AuthParts) {
  const { db, clock, log, audit, deferred, limits, passwords, mail, seal, sealChallenge, settings } = parts;
  const sessions = createSessions({ db, clock, log, deferred });
  const sendEmail = emailsOf({ clock, send: mail.send, ...settings });
  const devices = createDevices({ db, clock, audit, sessions });
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
  const alarms = createAlarms({ db, clock, audit, limits, sessions, newPasswordLink: resets.newLink });
  const signingIn = createSignIn({
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
  const { enter, userOfHalf } = signingIn;
  const stepUp = createStepUp({
    db,
    audit,
    limits,
    sessions,
    passkeys,
    twoStep,
    provePassword: profiles.prove,
  });
  const withPasskey = createPasskeySignIn({ db, clock, audit, limits, passkeys, userOfHalf, enter });

  return {
    updateProfile: profiles.updateProfile,
    changePassword: profiles.changePassword,
    /** Whether it is really the actor who asks: by the password, or without it by a proof of the last minutes. @throws {AppError} 403 `proof_needed`, 422 on `current_password`, 429. */
    prove: profiles.prove,
    forgot: resets.forgot,
    letIn: resets.letIn,
    resetStands: resets.resetStands,
    resetPassword: resets.resetPassword,
    signIn: signingIn.signIn,
    signInWithCode: signingIn.signInWithCode,
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
    /** For what has a password of its own. */
    passwords,
    /** For whoever makes users of a firm that is there already. */
    newUsers: createNewUsers({ clock, passwords, enter: signingIn.enter }),

    /** Sign-ins that have not run out. */
    aliveSessions: sessions.alive,

    /** Ends all that a user could come back with: sessions, app passwords, links to a new password, and sign-ins half done. */
    async endAccess(trx: Knex.Transaction, userId: number): Promise<number> {
      for (const table of ['half_sign_ins', 'password_resets', 'email_changes', 'app_passwords'])
        await trx(table).where({ user_id: userId }).delete();
      await endPrograms(trx, userId);
      return sessions.endAll(trx, userId);
    },

    /** Makes a firm with its first user, and signs the user in. @throws {AppError} 422 on `email`, 429. */
    async register(input: Registration, origin: Origin): Promise<Entry> {
      await limits.check(registerTry(origin.ip));
      if (await isTaken(db, input.email)) {
        await audit.recordAlone({ ip: origin.ip, did: 'auth.register_refused' });
        throw emailTaken();
      }
      await refuseWeak(input.password, input);
      const hash = await passwords.hash(input.password);
      return db.transaction(async (trx) => {
        const user = await addFirm(trx, input, hash, clock().toISOString());
        const whose = { firmId: user.firm_id, userId: user.id, ip: origin.ip };
        await audit.record(trx, { ...whose, did: 'auth.register' });
        await sendEmail(trx, user.id, welcome);
        return signingIn.enter(trx, user, origin);
      });
    },

    /** @throws {AppError} 429 when this place has shown too many tokens that name nobody. */
    async identifyByToken(token: string, origin: Origin): Promise<Actor | null> {
      if (token.startsWith(TOKEN_PREFIX)) return programs.identify(token, origin);
      const actor = await sessions.actor('token', token);
      // A good token passes whatever its neighbours do: none of 256 bits is found by guessing.
      if (!actor) await limits.check(tokenTry(origin.ip));
      return actor;
    },

    identifyByCookie: (secret: string): Promise<Actor | null> => sessions.actor('cookie', secret),

    /** Whoever acts, as they may act now; null once the session, or the connection of a program, has ended. */
    again: ({ sessionId, program }: Actor): Promise<Actor | null> =>
      program ? programs.again(program.id) : sessions.actorOf(sessionId),

    /** Who is behind a session now; null once it has ended. */
    actorOfSession: (sessionId: number): Promise<Actor | null> => sessions.actorOf(sessionId),

    /** What a user may do now, without a session; null for one who was deactivated. */
    actorOfUser: (userId: number): Promise<Actor | null> => sessions.actorOfUser(userId),

    /** Which of these sessions stand; asking does not count as use. */
    standing: sessions.standing,

    async endByCookie(secret: string): Promise<void> {
      await sessions.endByCookie(secret);
    },

    /** The signed-in user, as answers and pages show it. */
    viewer: (actor: Actor): Promise<UserView> => viewOf(db, actor.userId, actor),

    signOut: (actor: Actor): Promise<void> =>
      db.transaction(async (trx) => {
        await sessions.end(trx, actor.sessionId);
        await audit.record(trx, { actor, did: 'auth.sign_out' });
      }),

    /** Ends every session of the user, this one too. */
    signOutAll: (actor: Actor): Promise<void> =>
      db.transaction(async (trx) => {
        const ended = await sessions.endAll(trx, actor.userId);
        await audit.record(trx, { actor, did: 'auth.sign_out_all', detail: { ended_sessions: ended } });
      }),

    /** Deletes what has run out; to be called now and then. @returns how many rows. */
    async sweep(): Promise<number> {
      let gone = 0;
      const kept = [sessions, limits, resets, emails, signingIn, devices, passkeys, programs, alarms];
      for (const part of kept) gone += await part.sweep();
      return gone;
    },
  };
}
export type { Entry } from './sign-in.ts';
export type Auth = ReturnType<typeof createAuth>;
