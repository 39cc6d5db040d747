import type { Knex } from 'knex';

/**
 * In which folder something happened: what was deleted there is found by it. Of what happened before, only what is
 * still there can be known, and by where it lies now.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `INSERT INTO audit_links (event_id, kind, ref)
     SELECT l.event_id, 'folder', i.parent_id FROM audit_links l JOIN item_rows i ON i.id = l.ref
     WHERE l.kind = 'item' AND i.parent_id IS NOT NULL ON CONFLICT DO NOTHING`,
  );
}

/** What going down takes from a vault. */
export const lost = 'in which folder each thing of the history happened';

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`DELETE FROM audit_links WHERE kind = 'folder'`);
}
