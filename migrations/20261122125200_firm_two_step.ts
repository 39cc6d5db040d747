import type { Knex } from 'knex';

/** Since when two-step sign-in is mandatory in the firm; null where each user decides. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('firms', (t) => void t.text('two_step_required_at'));
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'that a firm demands two-step sign-in of everybody';

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE firms DROP COLUMN two_step_required_at');
}
