import type { Knex } from 'knex';

/** The items that each user opened or changed last; a few hundred rows per user. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('touches', (t) => {
    t.integer('user_id').notNullable().references('users.id').onDelete('CASCADE');
    t.integer('item_id').notNullable().references('items.id').onDelete('CASCADE').index();
    t.text('touched_at').notNullable();
    t.primary(['user_id', 'item_id']);
    t.index(['user_id', 'touched_at']);
  });
  await knex.raw(
    `INSERT INTO touches (user_id, item_id, touched_at)
     SELECT owner_id, id, modified_at FROM (
       SELECT owner_id, id, modified_at,
         row_number() OVER (PARTITION BY owner_id ORDER BY modified_at DESC, id DESC) AS place
       FROM items
     ) AS newest WHERE place <= 200`,
  );
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'what each user opened last';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('touches');
}
