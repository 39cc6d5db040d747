import type { Knex } from 'knex';

/**
 * What was recognised in each content of a firm's files: sealed, so that a stolen database shows no value. What a
 * document is and of which year stands beside it as keyed hashes, to be searched by. It goes with the text.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('document_fields', (t) => {
    t.integer('text_id').primary().references('document_texts.id').onDelete('CASCADE');
    t.integer('firm_id').notNullable().references('firms.id');
    t.text('sha256').notNullable();
    t.binary('sealed').notNullable();
    // Null for what is of no known type, or of no year.
    t.text('type_hash');
    t.text('year_hash');
    // How many values are so unsure that somebody should look.
    t.integer('unsure').notNullable().defaultTo(0);
    t.unique(['firm_id', 'sha256']);
  });
  // What was read before is read once more, for what it gives.
  await knex.raw("UPDATE document_texts SET state = 'waiting', attempts = 0 WHERE state = 'read'");
  await knex.raw(
    'CREATE INDEX document_fields_unsure ON document_fields (firm_id, text_id) WHERE unsure > 0',
  );
  await knex.raw('CREATE INDEX document_fields_types ON document_fields (firm_id, type_hash, text_id)');
  await knex.raw('CREATE INDEX document_fields_years ON document_fields (firm_id, year_hash, text_id)');
}

/** What going down takes from a vault. */
export const lost = 'what was recognised in documents; it is read again';

export async function down(knex: Knex): Promise<void> {
  // Read again once the table is there again.
  await knex.raw(
    "UPDATE document_texts SET state = 'waiting', attempts = 0 WHERE state IN ('read', 'no_text')",
  );
  await knex.schema.dropTable('document_fields');
}
