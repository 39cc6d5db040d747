import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('backup_runs', (t) => {
    t.increments('id');
    t.text('kind').notNullable();
    t.text('place').notNullable();
    t.text('status').notNullable();
    t.text('started_at').notNullable();
    t.text('finished_at');
    t.text('moment');
    t.integer('files').notNullable().defaultTo(0);
    t.integer('bytes').notNullable().defaultTo(0);
    t.integer('fresh_bytes').notNullable().defaultTo(0);
    t.integer('tenth');
    t.integer('mended').notNullable().defaultTo(0);
    t.text('message').notNullable().defaultTo('');
    t.text('faults').notNullable().defaultTo('[]');
    t.index(['kind', 'started_at']);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('backup_runs');
}

/** The backups themselves stay where they are. */
export const lost = 'which backups were made and proven';
