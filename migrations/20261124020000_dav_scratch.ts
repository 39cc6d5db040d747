import type { Knex } from 'knex';

/** Files that programs put beside documents for themselves, for as long as they do; no documents. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('dav_scratch', (t) => {
    t.integer('firm_id').notNullable().references('firms.id').onDelete('CASCADE');
    // The folder and the name, so that case makes no difference.
    t.text('place').notNullable();
    t.integer('folder_id');
    t.text('name').notNullable();
    t.integer('app_password_id').notNullable();
    // Its bytes as JSON; null for a document that was set aside.
    t.text('blob');
    t.integer('size').notNullable();
    t.integer('aside');
    t.text('at').notNullable();
    t.primary(['firm_id', 'place']);
    t.index(['at']);
  });
}

/** What going down takes from a vault. */
export const lost = 'what programs keep for themselves while they save through the drive';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('dav_scratch');
}
