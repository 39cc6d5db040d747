import type { Knex } from 'knex';

/** Temporary files that programs store next to documents by WebDAV; they do not become documents. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('dav_scratch', (t) => {
    t.integer('firm_id').notNullable().references('firms.id').onDelete('CASCADE');
    // The folder and the name without case, for comparison.
    t.text('place').notNullable();
    t.integer('folder_id');
    t.text('name').notNullable();
    t.integer('app_password_id').notNullable();
    // Its bytes as JSON; null for a document that was moved aside.
    t.text('blob');
    t.integer('size').notNullable();
    t.integer('aside');
    t.text('at').notNullable();
    t.primary(['firm_id', 'place']);
    t.index(['at']);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'what programs keep for themselves while they save through the drive';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('dav_scratch');
}
