import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { DeferredWrites } from '#server/db/deferred-writes.ts';
import type { Origin } from '#server/http/context.ts';
import { Barred } from '#server/http/context.ts';
import { currentScope } from '#server/http/scope.ts';
import { PROOF_LASTS } from '#server/http/proof.ts';
import { refusalOf } from './admission.ts';
import type { Actor } from '#server/actor.ts';
import type { SessionRow } from './model.ts';
import { actorFrom } from './model.ts';
import { SEATED, TWO_STEP_FROM, nows } from './seats.ts';
import { fingerprint, newSecret } from '#server/http/secrets.ts';
import { EACH, expression, lesser, list, queryRow, queryRows } from '#server/db/sql.ts';

const DAY = 24 * 60 * 60 * 1000;
const IDLE = 30 * DAY;
const ABSOLUTE = 90 * DAY;
/** `last_used_at` is no more exact than this, so that reading a page does not write. */
const TOUCH = 60 * 1000;
/** The same of `last_seen_at`, which outlives the session. */
const SEEN = 5 * 60 * 1000;

/** The two secrets of a sign-in: for the Authorization header, and for the cookie. Both name the same row. */
export interface Secrets {
  token: string;
  cookie: string;
}

export interface SessionParts {
  db: Knex;
  clock: Clock;
  log: Logger;
  deferred: Pick<DeferredWrites, 'write'>;
}

const find = (column: 'token_hash' | 'cookie_hash' | 'id') => `
  SELECT s.id, s.user_id, s.created_at, s.last_used_at, s.proved_at, u.firm_id, u.role, u.permissions, u.permissions_taken,
    u.client_scope, u.work_hours, u.networks, u.daily_downloads, u.last_seen_at, ${SEATED} AS seated, ${TWO_STEP_FROM} AS two_step_from
  FROM sessions s JOIN users u ON u.id = s.user_id
  WHERE s.${column} = ? AND u.deactivated_at IS NULL`;
const FIND = { token: find('token_hash'), cookie: find('cookie_hash'), id: find('id') };

const OF_USER = `
  SELECT 0 AS id, u.id AS user_id, u.firm_id, u.role, u.permissions, u.permissions_taken, u.client_scope,
    u.daily_downloads, 1 AS seated, NULL AS two_step_from
  FROM users u WHERE u.id = ? AND u.deactivated_at IS NULL`;

export function createSessions({ db, clock, log, deferred }: SessionParts) {
  const before = (age: number) => new Date(clock().getTime() - age).toISOString();

  async function touch(id: number): Promise<void> {
    // A full disk must not keep people from reading.
    await db('sessions')
      .where({ id })
      .where((of) => of.where('last_used_at', '<', before(TOUCH)).orWhere('last_used_at', '>', before(0)))
      // Later than now they are only where the clock was set back; then a session would never run out.
      .update({ last_used_at: before(0), created_at: expression(db, lesser('created_at', '?'), [before(0)]) })
      .catch((error: unknown) => log.warn({ err: error }, 'could not note that a session was used'));
  }

  /** Notes when the user was here, as the firm's admins see it. Nobody waits for that on a full disk. */
  async function see({ user_id, last_seen_at }: SessionRow): Promise<void> {
    if (last_seen_at !== null && before(SEEN) <= last_seen_at && last_seen_at <= before(0)) return;
    const seen = { last_seen_at: before(0) };
    await deferred
      .write(() => db('users').where({ id: user_id }).update(seen))
      .catch((error: unknown) => log.warn({ err: error }, 'could not note that a user was here'));
  }

  const isProven = ({ proved_at }: SessionRow): boolean =>
    // Later than now it is only where the clock was set back.
    typeof proved_at === 'string' && before(PROOF_LASTS) < proved_at && proved_at <= before(0);

  async function actorBy(by: keyof typeof FIND, value: string | number): Promise<Actor | null> {
    const row = await queryRow<SessionRow>(db, FIND[by], [...nows(clock()), value]);
    if (!row || row.created_at <= before(ABSOLUTE) || row.last_used_at <= before(IDLE)) return null;
    const actor = { ...actorFrom(row, clock()), proven: isProven(row) };
    const scope = currentScope();
    if (scope) scope.userId = actor.userId;
    const refusal = refusalOf(row, clock(), scope?.ip);
    if (refusal) throw new Barred(refusal, actor);
    if (row.last_used_at < before(TOUCH) || row.last_used_at > before(0)) await touch(row.id);
    await see(row);
    return actor;
  }

  return {
    async open(
      trx: Knex.Transaction,
      userId: number,
      { ip, userAgent }: Origin,
    ): Promise<Secrets & { id: number }> {
      const secrets = { token: newSecret(), cookie: newSecret() };
      const now = clock().toISOString();
      const [{ id }] = await trx('sessions')
        .insert({
          user_id: userId,
          token_hash: fingerprint(secrets.token),
          cookie_hash: fingerprint(secrets.cookie),
          ip,
          user_agent: userAgent,
          created_at: now,
          last_used_at: now,
          proved_at: now,
        })
        .returning('id');
      return { id, ...secrets };
    },

    /**
     * Null for a secret that names nobody, has run out, or whose user is deactivated.
     * @throws {Barred} outside the user's hours and networks.
     */
    actor: (kind: 'token' | 'cookie', secret: string): Promise<Actor | null> =>
      actorBy(kind, fingerprint(secret)),

    /** As `actor`, for what we ourselves have tied to a session, such as a download link. */
    actorOf: (id: number): Promise<Actor | null> => actorBy('id', id),

    /**
     * What a user may do now, for work that goes on without a session; a plan that has ended takes no permission away
     * from it. Null for one who was deactivated.
     */
    async actorOfUser(userId: number): Promise<Actor | null> {
      const row = await queryRow<SessionRow>(db, OF_USER, [userId]);
      return row ? actorFrom(row, clock()) : null;
    },

    /** Notes that it was proved again who sits there. */
    async prove(trx: Knex.Transaction, id: number): Promise<void> {
      await trx('sessions')
        .where({ id })
        .update({ proved_at: before(0) });
    },

    end: (trx: Knex.Transaction, id: number): Promise<number> => trx('sessions').where({ id }).delete(),

    endByCookie: (secret: string): Promise<number> =>
      db('sessions')
        .where({ cookie_hash: fingerprint(secret) })
        .delete(),

    endAll: (trx: Knex.Transaction, userId: number, { except = 0 } = {}): Promise<number> =>
      trx('sessions').where({ user_id: userId }).whereNot({ id: except }).delete(),

    /** Which of these stand: neither ended nor run out, and of users who may work now. Does not count as use. */
    async standing(ids: readonly number[]): Promise<Set<number>> {
      const rows = await queryRows<{ id: number; work_hours: string | null; networks: string }>(
        db,
        `SELECT s.id, u.work_hours, u.networks FROM sessions s JOIN users u ON u.id = s.user_id
         WHERE s.id IN (${EACH}) AND u.deactivated_at IS NULL AND s.created_at > ? AND s.last_used_at > ?`,
        [list(ids), before(ABSOLUTE), before(IDLE)],
      );
      return new Set(rows.filter((row) => !refusalOf(row, clock(), undefined)).map(({ id }) => id));
    },

    /** Those that have not run out. */
    alive: (db: Knex) =>
      db('sessions').where('created_at', '>', before(ABSOLUTE)).where('last_used_at', '>', before(IDLE)),

    /** Deletes what has run out. */
    sweep: (): Promise<number> =>
      db('sessions')
        .where('created_at', '<=', before(ABSOLUTE))
        .orWhere('last_used_at', '<=', before(IDLE))
        .delete(),
  };
}
export type Sessions = ReturnType<typeof createSessions>;
