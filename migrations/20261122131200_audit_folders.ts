import type { Knex } from 'knex';

/**
 * The folder in which an event happened, so that deletions in a folder can be found. For earlier events it is known only
 * if the item still exists, and is its present folder.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `INSERT INTO audit_links (event_id, kind, ref)
     SELECT l.event_id, 'folder', i.parent_id FROM audit_links l JOIN item_rows i ON i.id = l.ref
     WHERE l.kind = 'item' AND i.parent_id IS NOT NULL ON CONFLICT DO NOTHING`,
  );
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'in which folder each thing of the history happened';

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`DELETE FROM audit_links WHERE kind = 'folder'`);
}
