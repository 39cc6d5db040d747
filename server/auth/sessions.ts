import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { DeferredWrites } from '#server/db/deferred-writes.ts';
import type { Origin } from '#server/http/context.ts';
import { Barred } from '#server/http/context.ts';
import { currentRequest } from '#server/http/request-context.ts';
import { PROOF_LASTS_MS } from '#server/http/recent-proof.ts';
import { SESSION_IDLE_MS, SESSION_LIFETIME_MS } from '#server/http/session-lifetime.ts';
import { refusalOf } from './admission.ts';
import { endPairing } from './paired-programs/end.ts';
import type { Actor } from '#server/actor.ts';
import type { SessionRow } from './model.ts';
import { actorFrom } from './model.ts';
import { SEATED, TWO_STEP_FROM, seatBindings } from './sign-in-restrictions.ts';
import { fingerprint, newSecret } from '#server/http/secrets.ts';
import { BOUND_IDS, expression, bindList, queryRow, queryRows, smallerOf } from '#server/db/sql.ts';

/** `last_used_at` is written at most this often, so that reading a page does not write. */
const TOUCH_INTERVAL_MS = 60 * 1000;
/** `last_seen_at` of the user, which outlives the session, is written at most this often. */
const SEEN_INTERVAL_MS = 5 * 60 * 1000;

/** The two secrets of a session: for the Authorization header and for the cookie. Both identify the same row. */
interface Secrets {
  token: string;
  cookie: string;
}

interface SessionDependencies {
  db: Knex;
  clock: Clock;
  log: Logger;
  deferred: Pick<DeferredWrites, 'write'>;
}

const selectBy = (column: 'token_hash' | 'cookie_hash' | 'id') => `
  SELECT s.id, s.user_id, s.created_at, s.last_used_at, s.proved_at, u.firm_id, u.role, u.permissions, u.permissions_taken,
    u.client_scope, u.work_hours, u.networks, u.daily_downloads, u.last_seen_at, ${SEATED} AS seated, ${TWO_STEP_FROM} AS two_step_from
  FROM sessions s JOIN users u ON u.id = s.user_id
  WHERE s.${column} = ? AND u.deactivated_at IS NULL`;
const FIND_BY = { token: selectBy('token_hash'), cookie: selectBy('cookie_hash'), id: selectBy('id') };

const FIND_USER = `
  SELECT 0 AS id, u.id AS user_id, u.firm_id, u.role, u.permissions, u.permissions_taken, u.client_scope,
    u.daily_downloads, 1 AS seated, NULL AS two_step_from
  FROM users u WHERE u.id = ? AND u.deactivated_at IS NULL`;

export function createSessions({ db, clock, log, deferred }: SessionDependencies) {
  const ago = (ms: number) => new Date(clock().getTime() - ms).toISOString();

  async function touch(id: number): Promise<void> {
    // A full disk must not keep anybody from reading, so a failed write is only logged.
    await db('sessions')
      .where({ id })
      .where((stale) =>
        stale.where('last_used_at', '<', ago(TOUCH_INTERVAL_MS)).orWhere('last_used_at', '>', ago(0)),
      )
      // Times in the future come from a clock that was set back; such a session would never expire.
      .update({ last_used_at: ago(0), created_at: expression(db, smallerOf('created_at', '?'), [ago(0)]) })
      .catch((error: unknown) => log.warn({ err: error }, 'could not note that a session was used'));
  }

  /** Records the last visit of the user, which the firm's admins see. Deferred on a full disk. */
  async function markSeen({ user_id, last_seen_at }: SessionRow): Promise<void> {
    if (last_seen_at !== null && ago(SEEN_INTERVAL_MS) <= last_seen_at && last_seen_at <= ago(0)) return;
    const usage = { last_seen_at: ago(0) };
    await deferred
      .write(() => db('users').where({ id: user_id }).update(usage))
      .catch((error: unknown) => log.warn({ err: error }, 'could not note that a user was here'));
  }

  const isProven = ({ proved_at }: SessionRow): boolean =>
    // A time in the future comes from a clock that was set back.
    typeof proved_at === 'string' && ago(PROOF_LASTS_MS) < proved_at && proved_at <= ago(0);

  async function actorBy(by: keyof typeof FIND_BY, value: string | number): Promise<Actor | null> {
    const row = await queryRow<SessionRow>(db, FIND_BY[by], [...seatBindings(clock()), value]);
    if (!row || row.created_at <= ago(SESSION_LIFETIME_MS) || row.last_used_at <= ago(SESSION_IDLE_MS))
      return null;
    const actor = { ...actorFrom(row, clock()), proven: isProven(row) };
    const request = currentRequest();
    if (request) request.userId = actor.userId;
    const refusal = refusalOf(row, clock(), request?.ip);
    if (refusal) throw new Barred(refusal, actor);
    if (row.last_used_at < ago(TOUCH_INTERVAL_MS) || row.last_used_at > ago(0)) await touch(row.id);
    await markSeen(row);
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
     * Null for an unknown or expired secret, and for a deactivated user.
     * @throws {Barred} outside the user's hours and networks.
     */
    actorBySecret: (kind: 'token' | 'cookie', secret: string): Promise<Actor | null> =>
      actorBy(kind, fingerprint(secret)),

    /** Like `actorBySecret`, for records of our own that belong to a session, such as a download link. */
    actorOfSession: (id: number): Promise<Actor | null> => actorBy('id', id),

    /**
     * The actor for work that continues without a session. The end of a plan takes no permission away from it. Null
     * for a deactivated user.
     */
    async actorOfUser(userId: number): Promise<Actor | null> {
      const row = await queryRow<SessionRow>(db, FIND_USER, [userId]);
      return row ? actorFrom(row, clock()) : null;
    },

    /** Records that the user has proved their identity again. */
    async prove(trx: Knex.Transaction, id: number): Promise<void> {
      await trx('sessions')
        .where({ id })
        .update({ proved_at: ago(0) });
    },

    end: (trx: Knex.Transaction, id: number): Promise<number> => trx('sessions').where({ id }).delete(),

    endByCookie: (secret: string): Promise<number> =>
      db('sessions')
        .where({ cookie_hash: fingerprint(secret) })
        .delete(),

    /** Also ends pairing codes, by which a program could be connected after the session that made them. */
    async endAll(trx: Knex.Transaction, userId: number, { except = 0 } = {}): Promise<number> {
      await endPairing(trx, userId);
      return trx('sessions').where({ user_id: userId }).whereNot({ id: except }).delete();
    },

    /** Filters valid sessions: neither ended nor expired, of users who are within their hours. Does not count as use. */
    async validAmong(ids: readonly number[]): Promise<Set<number>> {
      const rows = await queryRows<{ id: number; work_hours: string | null; networks: string }>(
        db,
        `SELECT s.id, u.work_hours, u.networks FROM sessions s JOIN users u ON u.id = s.user_id
         WHERE s.id IN (${BOUND_IDS}) AND u.deactivated_at IS NULL AND s.created_at > ? AND s.last_used_at > ?`,
        [bindList(ids), ago(SESSION_LIFETIME_MS), ago(SESSION_IDLE_MS)],
      );
      return new Set(rows.filter((row) => !refusalOf(row, clock(), undefined)).map(({ id }) => id));
    },

    /** Selects unexpired sessions. */
    unexpired: (db: Knex) =>
      db('sessions')
        .where('created_at', '>', ago(SESSION_LIFETIME_MS))
        .where('last_used_at', '>', ago(SESSION_IDLE_MS)),

    /** Deletes expired sessions. */
    sweep: (): Promise<number> =>
      db('sessions')
        .where('created_at', '<=', ago(SESSION_LIFETIME_MS))
        .orWhere('last_used_at', '<=', ago(SESSION_IDLE_MS))
        .delete(),
  };
}
export type Sessions = ReturnType<typeof createSessions>;
