import type { Knex } from 'knex';

/**
 * The values recognised in each content of a firm's files, encrypted, so that a stolen database shows none. Type and year
 * of the document are stored as keyed hashes too, for searching. Deleted with the text.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('document_fields', (t) => {
    t.integer('text_id').primary().references('document_texts.id').onDelete('CASCADE');
    t.integer('firm_id').notNullable().references('firms.id');
    t.text('sha256').notNullable();
    t.binary('sealed').notNullable();
    // Null without a known type or year.
    t.text('type_hash');
    t.text('year_hash');
    // The number of values that are so uncertain that a person should check them.
    t.integer('unsure').notNullable().defaultTo(0);
    t.unique(['firm_id', 'sha256']);
  });
  // Documents read before are read again for their values.
  await knex.raw("UPDATE document_texts SET state = 'waiting', attempts = 0 WHERE state = 'read'");
  await knex.raw(
    'CREATE INDEX document_fields_unsure ON document_fields (firm_id, text_id) WHERE unsure > 0',
  );
  await knex.raw('CREATE INDEX document_fields_types ON document_fields (firm_id, type_hash, text_id)');
  await knex.raw('CREATE INDEX document_fields_years ON document_fields (firm_id, year_hash, text_id)');
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'what was recognised in documents; it is read again';

export async function down(knex: Knex): Promise<void> {
  // So that they are read again after a new migration up.
  await knex.raw(
    "UPDATE document_texts SET state = 'waiting', attempts = 0 WHERE state IN ('read', 'no_text')",
  );
  await knex.schema.dropTable('document_fields');
}
