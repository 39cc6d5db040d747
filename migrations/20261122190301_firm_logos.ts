import type { Knex } from 'knex';

/** The picture that a firm shows to people outside, on their pages and in e-mails. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('firm_logos', (t) => {
    t.integer('firm_id').primary().references('firms.id');
    // Random id for the address of the picture, so that firms cannot be enumerated.
    t.text('key').notNullable().unique();
    // PNG, sealed.
    t.binary('sealed_image').notNullable();
    t.text('created_at').notNullable();
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'logos of firms';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('firm_logos');
}
