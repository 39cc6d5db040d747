import type { Knex } from 'knex';

/** How often a drop link was opened, when last, and from where. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('drop_links', (t) => {
    t.integer('opened').notNullable().defaultTo(0);
    t.text('last_opened_at');
    t.text('last_opened_ip');
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'how often links by which clients send anything were opened';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('drop_links', (t) => {
    t.dropColumns('opened', 'last_opened_at', 'last_opened_ip');
  });
}
