import type { Knex } from 'knex';

/** The documents that connected upload programs made, with the user whose program it was: it replaces no others. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('program_documents', (t) => {
    t.bigInteger('item_id').primary().references('item_rows.id').onDelete('CASCADE');
    t.bigInteger('user_id').notNullable();
  });
  // The history knows it of those made before. A quotation mark inside of a name is escaped there.
  await knex.raw(
    `INSERT INTO program_documents (item_id, user_id)
     SELECT i.id, min(a.user_id) FROM audit_events a
     JOIN item_rows i ON i.firm_id = a.firm_id
       AND i.id = CASE WHEN a.subject LIKE 'item:%' THEN CAST(substr(a.subject, 6) AS bigint) END
     WHERE a.did = 'document.upload' AND a.user_id IS NOT NULL AND a.detail LIKE '%"browser":"Almirah Uploader on %'
     GROUP BY i.id`,
  );
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'which documents upload programs made';

export const down = (knex: Knex): Promise<void> => knex.schema.dropTable('program_documents');
