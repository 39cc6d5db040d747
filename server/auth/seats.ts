import type { Knex } from 'knex';
import { expression } from '#server/db/sql.ts';
import { FREE, TRIAL } from '#server/subscription/contract.ts';

/**
 * SQL: how many users the firm of the row `u` may have now; the same as the subscription's limits, in one expression so
 * that a request needs no question more. Bound to `nows`.
 */
export const USERS_ALLOWED = `coalesce(
  (SELECT CASE WHEN paid.max_users > plans.max_users THEN paid.max_users ELSE plans.max_users END
   FROM subscriptions paid JOIN plans ON plans.id = paid.plan_id
   WHERE paid.firm_id = u.firm_id AND paid.revoked_at IS NULL AND paid.starts_at <= ? AND ? < paid.ends_at
   ORDER BY paid.starts_at DESC, paid.id DESC LIMIT 1),
  (SELECT ${TRIAL.users} FROM trials WHERE trials.firm_id = u.firm_id AND ? < trials.ends_at),
  ${FREE.users})`;

const OLDER = 'SELECT 1 FROM users older WHERE older.firm_id = u.firm_id AND older.id < u.id';
const COUNTS = 'older.deactivated_at IS NULL';

/** SQL: 1 when the user of the row `u` is within the number that the plan allows, the oldest first; otherwise 0. */
export const SEATED = `CASE
  WHEN NOT EXISTS (${OLDER} AND ${COUNTS}) THEN 1
  WHEN (SELECT count(*) FROM (${OLDER} AND ${COUNTS}) AS before) < ${USERS_ALLOWED} THEN 1
  ELSE 0 END`;

/** What `USERS_ALLOWED` and `SEATED` are bound to. */
export const nows = (now: Date): string[] => Array<string>(3).fill(now.toISOString());

/**
 * SQL: from when the user of the row `u` may do nothing without a second step, since the firm demands one and the user has
 * set up neither codes from an app nor a passkey; null when nothing is owed.
 */
export const TWO_STEP_FROM = `(SELECT firms.two_step_required_at FROM firms WHERE firms.id = u.firm_id
    AND NOT EXISTS (SELECT 1 FROM two_step WHERE two_step.user_id = u.id AND two_step.enabled_at IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM passkeys WHERE passkeys.user_id = u.id))`;

/** Whether that moment has come. */
export const owesBy = (from: string | null | undefined, now: Date): boolean =>
  typeof from === 'string' && from <= now.toISOString();

/** What a user lacks at the moment of signing in. */
export async function lacks(
  db: Knex,
  userId: number,
  now: Date,
): Promise<{ seated: boolean; owesTwoStep: boolean }> {
  const row = await db('users as u')
    .where('u.id', userId)
    .first(
      expression(db, `${SEATED} AS seated`, nows(now)),
      expression(db, `${TWO_STEP_FROM} AS two_step_from`),
    );
  return { seated: row?.seated === 1, owesTwoStep: owesBy(row?.two_step_from, now) };
}
