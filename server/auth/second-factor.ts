import type { Knex } from 'knex';

/** Whether a password alone does not sign this person in: there is an app for codes, or a passkey. */
export async function hasSecondFactor(db: Knex, userId: number): Promise<boolean> {
  const app = await db('two_step').where({ user_id: userId }).whereNotNull('enabled_at').first('user_id');
  return app !== undefined || (await hasPasskey(db, userId));
}

export const hasPasskey = async (db: Knex, userId: number): Promise<boolean> =>
  (await db('passkeys').where({ user_id: userId }).first('id')) !== undefined;

/** Whether the firm demands a second step of everybody now. */
export async function isDemanded(db: Knex, firmId: number, now: Date): Promise<boolean> {
  const firm = await db('firms').where({ id: firmId }).first('two_step_required_at');
  return firm.two_step_required_at !== null && firm.two_step_required_at <= now.toISOString();
}
