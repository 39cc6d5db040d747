import type { Knex } from 'knex';

/** Downloads started by a link, each counted once, so that they can resume after a lost connection or a restart. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('share_grants', (t) => {
    t.increments('id');
    t.integer('link_id').notNullable().references('share_links.id').onDelete('CASCADE');
    t.text('token_hash').notNullable().unique();
    // Ids of items as JSON.
    t.text('items').notNullable();
    t.text('expires_at').notNullable();
    t.index(['link_id']);
    t.index(['expires_at']);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'downloads under way by shared links';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('share_grants');
}
