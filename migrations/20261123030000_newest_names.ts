import type { Knex } from 'knex';

/**
 * For PostgreSQL: searches by name start with the newest of the firm, hidden rows are looked up by their key, and the
 * contents of a folder are counted by a covering index, as in SQLite.
 */
export async function up(knex: Knex): Promise<void> {
  if (knex.client.dialect !== 'postgresql') return;
  await knex.raw(String.raw`
    CREATE FUNCTION asked_firm(question text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN substring(question FROM U&'"([0-9a-z]+)\E100');
    CREATE FUNCTION firm_of(grams tsvector) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN split_part((tsvector_to_array(grams))[1], U&'\E100', 1);
    ALTER TABLE item_search ADD COLUMN firm text COLLATE "C" GENERATED ALWAYS AS (firm_of(grams)) STORED;
    CREATE INDEX item_search_newest ON item_search (firm, id);
    DROP INDEX items_inside;
    CREATE INDEX items_inside ON item_rows (parent_id, file_type, file_size, client_id, scope_client_id) INCLUDE (id);
    CREATE OR REPLACE VIEW items AS SELECT * FROM item_rows
      WHERE NOT EXISTS (SELECT 1 FROM hidden_items WHERE hidden_items.item_id = item_rows.id)`);
}

export const lost = null;

export async function down(): Promise<void> {}
