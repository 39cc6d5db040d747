import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Origin } from '#server/http/context.ts';
import { AppError } from '#server/http/errors.ts';
import type { Limits } from '#server/http/limits.ts';
import type { Audit } from '../audit/service.ts';
import type { Clock } from '../clock.ts';
import { addFirm, emailTaken, isTaken, viewOf } from './accounts.ts';
import type { Actor, Credentials, Registration, SignedIn, UserView } from './contract.ts';
import { registerTry, signInTries, tokenTry } from './guessing.ts';
import { User } from './model.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import { createProfiles } from './profile.ts';
import { createSessions } from './sessions.ts';

export interface AuthParts {
  db: Knex;
  clock: Clock;
  log: Logger;
  audit: Audit;
  limits: Limits;
}

/** A sign-in, with the secret for the browser's cookie, which no answer's body may show. */
export interface Entry extends SignedIn {
  cookie: string;
}

// One text for every reason, or it would tell who has an account.
const refused = () => new AppError(401, 'invalid_credentials', 'Invalid email or password.');

export function createAuth({ db, clock, log, audit, limits }: AuthParts) {
  const sessions = createSessions({ db, clock, log });

  async function enter(trx: Knex, user: User, origin: Origin): Promise<Entry> {
    const secrets = await sessions.open(trx, user.id, origin);
    return { user: await viewOf(trx, user.id), ...secrets };
  }

  return {
    ...createProfiles({ db, clock, audit, limits, sessions }),

    /** Makes a firm with its first user, and signs the user in. @throws {AppError} 422 on `email`, 429. */
    async register(input: Registration, origin: Origin): Promise<Entry> {
      await limits.check(registerTry(origin.ip));
      if (await isTaken(db, input.email)) throw emailTaken();
      const hash = await hashPassword(input.password);
      return db.transaction(async (trx) => {
        const user = await addFirm(trx, input, hash, clock().toISOString());
        const whose = { firmId: user.firm_id, userId: user.id, ip: origin.ip };
        await audit.record(trx, { ...whose, did: 'auth.register' });
        return enter(trx, user, origin);
      });
    },

    /** @throws {AppError} 401 whatever was wrong, 429. */
    async signIn({ email, password }: Credentials, origin: Origin): Promise<Entry> {
      const { own, shared } = signInTries(email, origin.ip);
      await limits.check(own, ...shared);
      const user = await User.query(db).findOne({ email });
      const right = await verifyPassword(password, user?.password_hash);
      const whose = { firmId: user?.firm_id, userId: user?.id, ip: origin.ip };
      const entry = await db.transaction(async (trx) => {
        // Meanwhile the password may have been changed, which ended all sessions and must not miss this one.
        const still =
          right && user
            ? await User.query(trx).findOne({
                id: user.id,
                password_hash: user.password_hash,
                disabled_at: null,
              })
            : undefined;
        if (!still) {
          await audit.record(trx, { ...whose, did: 'auth.sign_in_refused' });
          return null;
        }
        await limits.forget(trx, own);
        await limits.giveBack(trx, ...shared);
        await audit.record(trx, { ...whose, did: 'auth.sign_in' });
        return enter(trx, still, origin);
      });
      if (!entry) throw refused();
      return entry;
    },

    /** @throws {AppError} 429 when this place has shown too many tokens that name nobody. */
    async identifyByToken(token: string, origin: Origin): Promise<Actor | null> {
      const actor = await sessions.actor('token', token);
      // A good token passes whatever its neighbours do: none of 256 bits is found by guessing.
      if (!actor) await limits.check(tokenTry(origin.ip));
      return actor;
    },

    identifyByCookie: (secret: string): Promise<Actor | null> => sessions.actor('cookie', secret),

    /** Who is behind a session now; null once it has ended. */
    actorOfSession: (sessionId: number): Promise<Actor | null> => sessions.actorOf(sessionId),

    async endByCookie(secret: string): Promise<void> {
      await sessions.endByCookie(secret);
    },

    /** The signed-in user, as answers and pages show it. */
    viewer: (actor: Actor): Promise<UserView> => viewOf(db, actor.userId),

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

    /** Deletes sessions and counters that have run out; to be called now and then. */
    async sweep(): Promise<void> {
      await sessions.sweep();
      await limits.sweep();
    },
  };
}
export type Auth = ReturnType<typeof createAuth>;
