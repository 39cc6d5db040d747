import type { Knex } from 'knex';

/** Files from people outside the firm that nobody in the firm has opened or changed yet. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('unseen_items', (t) => {
    t.integer('item_id').primary().references('item_rows.id').onDelete('CASCADE');
    t.integer('firm_id').notNullable().references('firms.id').index();
  });
  await knex.raw(
    `INSERT INTO unseen_items (item_id, firm_id)
     SELECT DISTINCT a.item_id, a.firm_id FROM arrivals a WHERE a.item_id IS NOT NULL
     AND NOT EXISTS (SELECT 1 FROM touches t WHERE t.item_id = a.item_id)`,
  );
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'which files from outside nobody has looked at yet';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('unseen_items');
}
