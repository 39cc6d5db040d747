import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('folder_templates', (t) => {
    t.increments('id');
    t.integer('firm_id').notNullable().references('firms.id');
    t.text('name').notNullable();
    // The name for comparison, without case.
    t.text('name_key').notNullable();
    // One folder per line, indented by two spaces per level.
    t.text('outline').notNullable();
    // Incremented by every change, so that the second of two people who edit one template is told.
    t.integer('version').notNullable().defaultTo(1);
    t.text('created_at').notNullable();
    t.text('updated_at').notNullable();
    t.unique(['firm_id', 'name_key']);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = "folder templates of the firms' own";

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('folder_templates');
}
