import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('jobs', (t) => {
    t.increments('id');
    t.text('kind').notNullable();
    t.integer('firm_id').notNullable().references('firms.id');
    t.integer('user_id').notNullable().references('users.id');
    // What it works on, such as `item:17`.
    t.text('subject').notNullable();
    // The actor's rights when it was asked for.
    t.text('actor').notNullable();
    t.text('input').notNullable();
    t.text('status').notNullable();
    t.integer('progress').notNullable();
    t.text('message').notNullable();
    t.text('code');
    t.text('data').notNullable();
    t.integer('attempts').notNullable();
    t.text('leased_until');
    t.text('created_at').notNullable();
    t.text('started_at');
    t.text('finished_at');
    t.index(['status', 'id']);
    t.index(['firm_id', 'user_id', 'id']);
    t.index(['finished_at']);
  });
  // Room that work under way has been promised; counted as used wherever room is given.
  await knex.schema.createTable('storage_reservations', (t) => {
    t.increments('id');
    t.integer('firm_id').notNullable().references('firms.id').index();
    t.bigInteger('bytes').notNullable();
    t.text('made_at').notNullable();
  });
  // Rows that are being made and are nobody's yet belong to firm 0, so that no firm sees them before all are there.
  await knex('firms').insert({ id: 0, name: '', created_at: '' });
}

/** What going down takes from a vault. */
export const lost = 'the list of jobs, running and done';

export async function down(knex: Knex): Promise<void> {
  // Clients that were deleted and not yet taken off all their files.
  await knex('clients').where({ firm_id: 0 }).delete();
  await knex('firms').where({ id: 0 }).delete();
  for (const table of ['storage_reservations', 'jobs']) await knex.schema.dropTable(table);
}
