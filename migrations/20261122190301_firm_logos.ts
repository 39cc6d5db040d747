import type { Knex } from 'knex';

/** The picture that a firm shows to people outside, on their pages and in e-mails. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('firm_logos', (t) => {
    t.integer('firm_id').primary().references('firms.id');
    // Random; it stands in the picture's address, so that no firm can be found by its number.
    t.text('key').notNullable().unique();
    // PNG, sealed.
    t.binary('sealed_image').notNullable();
    t.text('created_at').notNullable();
  });
}

/** What going down takes from a vault. */
export const lost = 'logos of firms';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('firm_logos');
}
