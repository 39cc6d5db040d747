import type { Knex } from 'knex';

/** A key by which a program finds its upload again if it never received the response to its start. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('resumable_uploads', (t) => {
    t.text('upload_key');
    t.unique(['user_id', 'upload_key']);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'by which key a program finds an upload again that it has begun';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('resumable_uploads', (t) => t.dropUnique(['user_id', 'upload_key']));
  await knex.raw('ALTER TABLE resumable_uploads DROP COLUMN upload_key');
}
