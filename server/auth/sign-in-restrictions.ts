import type { Knex } from 'knex';
import { expression } from '#server/db/sql.ts';
import { FREE, TRIAL } from '#server/subscription/contract.ts';

/**
 * SQL: the number of users that the plan of the row `u`'s firm allows now. Repeats the rule of the subscription's
 * limits in one expression, to save every request a second query. Takes the bindings `seatBindings`.
 */
export const USERS_ALLOWED = `coalesce(
  (SELECT CASE WHEN paid.max_users > plans.max_users THEN paid.max_users ELSE plans.max_users END
   FROM subscriptions paid JOIN plans ON plans.id = paid.plan_id
   WHERE paid.firm_id = u.firm_id AND paid.revoked_at IS NULL AND paid.starts_at <= ? AND ? < paid.ends_at
   ORDER BY paid.id DESC LIMIT 1),
  (SELECT ${TRIAL.users} FROM trials WHERE trials.firm_id = u.firm_id AND ? < trials.ends_at),
  ${FREE.users})`;

const OLDER_ACTIVE = `SELECT 1 FROM users older
  WHERE older.firm_id = u.firm_id AND older.id < u.id AND older.deactivated_at IS NULL`;

/** SQL: 1 when the user of the row `u` is among the oldest active users that the plan allows, otherwise 0. */
export const SEATED = `CASE
  WHEN NOT EXISTS (${OLDER_ACTIVE}) THEN 1
  WHEN (SELECT count(*) FROM (${OLDER_ACTIVE}) AS before) < ${USERS_ALLOWED} THEN 1
  ELSE 0 END`;

/** The bindings of `USERS_ALLOWED` and of `SEATED`. */
export const seatBindings = (now: Date): string[] => Array<string>(3).fill(now.toISOString());

/**
 * SQL: when the firm's requirement of two-step sign-in takes effect for the user of the row `u`; null without a
 * requirement, and for a user who has an authenticator app or a passkey.
 */
export const TWO_STEP_FROM = `(SELECT firms.two_step_required_at FROM firms WHERE firms.id = u.firm_id
    AND NOT EXISTS (SELECT 1 FROM two_step WHERE two_step.user_id = u.id AND two_step.enabled_at IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM passkeys WHERE passkeys.user_id = u.id))`;

/** Whether `TWO_STEP_FROM` is in the past. */
export const isTwoStepDue = (from: string | null | undefined, now: Date): boolean =>
  typeof from === 'string' && from <= now.toISOString();

/** The restrictions of a user at sign-in. */
export async function restrictionsOf(
  db: Knex,
  userId: number,
  now: Date,
): Promise<{ seated: boolean; owesTwoStep: boolean }> {
  const row = await db('users as u')
    .where('u.id', userId)
    .first(
      expression(db, `${SEATED} AS seated`, seatBindings(now)),
      expression(db, `${TWO_STEP_FROM} AS two_step_from`),
    );
  return { seated: row?.seated === 1, owesTwoStep: isTwoStepDue(row?.two_step_from, now) };
}
