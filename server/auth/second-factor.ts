import type { Knex } from 'knex';

/** Whether signing in needs a second step: the user has an authenticator app or a passkey. */
export async function hasSecondFactor(db: Knex, userId: number): Promise<boolean> {
  const app = await db('two_step').where({ user_id: userId }).whereNotNull('enabled_at').first('user_id');
  return app !== undefined || (await hasPasskey(db, userId));
}

export const hasPasskey = async (db: Knex, userId: number): Promise<boolean> =>
  (await db('passkeys').where({ user_id: userId }).first('id')) !== undefined;

/** Whether the firm requires two-step sign-in now. */
export async function isTwoStepRequired(db: Knex, firmId: number, now: Date): Promise<boolean> {
  const firm = await db('firms').where({ id: firmId }).first('two_step_required_at');
  return firm.two_step_required_at !== null && firm.two_step_required_at <= now.toISOString();
}
