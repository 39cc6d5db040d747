import type { Knex } from 'knex';

/**
 * Rules for how long a firm keeps which documents; and what a person entered for a file or folder: the day from which
 * its period counts, or that the rules do not apply to it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('retention_rules', (t) => {
    t.increments('id');
    t.integer('firm_id').notNullable().references('firms.id');
    t.text('name').notNullable();
    // The law or the reason of the firm, as text.
    t.text('source').notNullable();
    // `everything`, `client_type`, `folder` or `label`, which one of the next three columns specifies.
    t.text('applies_to').notNullable();
    t.text('client_type');
    // No foreign keys: as a record, a rule outlives the folder or label it applies to.
    t.integer('item_id');
    t.integer('label_id');
    t.integer('months').notNullable();
    // put_in, year_end or said_day.
    t.text('counts_from').notNullable();
    t.integer('created_by').notNullable().references('users.id');
    t.text('created_at').notNullable();
    t.integer('removed_by').references('users.id');
    t.text('removed_at');
    t.text('remove_reason');
    t.index(['firm_id', 'removed_at']);
  });
  await knex.schema.createTable('retention_marks', (t) => {
    t.integer('item_id').primary().references('item_rows.id').onDelete('CASCADE');
    t.integer('firm_id').notNullable().references('firms.id');
    // The day from which the period of the item and its contents counts: `2026-03-31`.
    t.text('counts_from');
    // The reason why the rules do not apply to the item and its contents.
    t.text('exempt_reason');
    t.integer('set_by').notNullable().references('users.id');
    t.text('set_at').notNullable();
    t.index(['firm_id', 'item_id']);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'the retention rules, and the days from which they count';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('retention_marks');
  await knex.schema.dropTable('retention_rules');
}
