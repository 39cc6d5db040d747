import type { Knex } from 'knex';

/** Settings of each firm for reading documents: the encrypted key of its index, and whether reading is paused. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('reading_settings', (t) => {
    t.integer('firm_id').primary().references('firms.id');
    t.binary('sealed_key');
    t.boolean('paused').notNullable().defaultTo(false);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'whether the reading of documents is paused';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('reading_settings');
}
