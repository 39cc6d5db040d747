import type { Knex } from 'knex';

/** When each picture was last shown, so that unused ones are deleted first when a firm's pictures take too much space. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('renditions', (t) => void t.text('used_at'));
  await knex('renditions').update({ used_at: knex.ref('made_at') });
  // With the bytes, as a covering index for their sum.
  await knex.schema.alterTable('renditions', (t) => void t.index(['firm_id', 'used_at', 'bytes']));
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'when small pictures of files were last looked at';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('renditions', (t) => void t.dropIndex(['firm_id', 'used_at', 'bytes']));
  await knex.raw('ALTER TABLE renditions DROP COLUMN used_at');
}
