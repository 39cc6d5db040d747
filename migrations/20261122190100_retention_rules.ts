import type { Knex } from 'knex';

/**
 * How long a firm keeps which documents; and what somebody has said about a file or folder: the day from which it
 * counts, or that the rules do not apply to it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('retention_rules', (t) => {
    t.increments('id');
    t.integer('firm_id').notNullable().references('firms.id');
    t.text('name').notNullable();
    // The law, or the firm's own reason, in words.
    t.text('source').notNullable();
    // everything, client_type, folder or label; the next three say which.
    t.text('applies_to').notNullable();
    t.text('client_type');
    // No references: a rule outlives what it stands on, as a record.
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
    // The day from which rules count for it and what it holds, as 2026-03-31.
    t.text('counts_from');
    // Why the rules do not apply to it and what it holds.
    t.text('exempt_reason');
    t.integer('set_by').notNullable().references('users.id');
    t.text('set_at').notNullable();
    t.index(['firm_id', 'item_id']);
  });
}

/** What going down takes from a vault. */
export const lost = 'the retention rules, and the days from which they count';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('retention_marks');
  await knex.schema.dropTable('retention_rules');
}
