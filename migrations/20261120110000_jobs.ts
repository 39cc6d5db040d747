import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('jobs', (t) => {
    t.increments('id');
    t.text('kind').notNullable();
    t.integer('firm_id').notNullable().references('firms.id');
    t.integer('user_id').notNullable().references('users.id');
    // The object of the job, such as `item:17`.
    t.text('subject').notNullable();
    // The permissions of the actor when the job was created.
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
  // Storage reserved for running work, which counts as used when more is reserved.
  await knex.schema.createTable('storage_reservations', (t) => {
    t.increments('id');
    t.integer('firm_id').notNullable().references('firms.id').index();
    t.bigInteger('bytes').notNullable();
    t.text('made_at').notNullable();
  });
  // Rows of an unfinished extraction belong to firm 0, so that no firm sees them before all are there.
  await knex('firms').insert({ id: 0, name: '', created_at: '' });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'the list of jobs, running and done';

export async function down(knex: Knex): Promise<void> {
  // Deleted clients that are not yet removed from all their files.
  await knex('clients').where({ firm_id: 0 }).delete();
  await knex('firms').where({ id: 0 }).delete();
  for (const table of ['storage_reservations', 'jobs']) await knex.schema.dropTable(table);
}
