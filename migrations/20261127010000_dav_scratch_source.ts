import type { Knex } from 'knex';

/** The document of which a program's temporary file is a copy: whoever no longer sees it gets no copy either. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('dav_scratch', (t) => void t.bigInteger('source'));
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('dav_scratch', (t) => void t.dropColumn('source'));
}
