import type { Knex } from 'knex';

/** WebDAV properties that programs have set on files and folders. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('dav_properties', (t) => {
    t.integer('item_id').notNullable().references('item_rows.id').onDelete('CASCADE');
    // Its namespace and its name.
    t.text('property').notNullable();
    // XML.
    t.text('value').notNullable();
    t.primary(['item_id', 'property']);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'properties that programs have set on files through the drive';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('dav_properties');
}
