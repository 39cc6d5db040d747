import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('folder_templates', (t) => {
    t.increments('id');
    t.integer('firm_id').notNullable().references('firms.id');
    t.text('name').notNullable();
    // The name as compared, ignoring case.
    t.text('name_key').notNullable();
    // One folder a line, two spaces for each level.
    t.text('outline').notNullable();
    // Counts up with every change, so that of two people who edit one template the second is told.
    t.integer('version').notNullable().defaultTo(1);
    t.text('created_at').notNullable();
    t.text('updated_at').notNullable();
    t.unique(['firm_id', 'name_key']);
  });
}

/** What going down takes from a vault. */
export const lost = "folder templates of the firms' own";

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('folder_templates');
}
