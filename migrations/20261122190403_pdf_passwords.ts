import type { Knex } from 'knex';

/** Encrypted passwords of locked PDFs: the one that opened a content, and those remembered for a client. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('pdf_passwords', (t) => {
    t.increments('id');
    t.integer('firm_id').notNullable().references('firms.id');
    // Exactly one of the two is set.
    t.text('sha256');
    t.integer('client_id').references('clients.id').onDelete('CASCADE');
    t.binary('sealed').notNullable();
    t.text('made_at').notNullable();
    t.unique(['firm_id', 'sha256']);
    t.index(['client_id']);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'remembered passwords of PDFs; they are asked for again';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('pdf_passwords');
}
