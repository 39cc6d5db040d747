import type { Knex } from 'knex';

/** The client to which a row belongs: its own, or else that of its folder; 0 for none. */
const scope = `coalesce(NEW.client_id, (SELECT p.scope_client_id FROM item_rows p WHERE p.id = NEW.parent_id), 0)`;

/** The row and all rows below it that inherit its client. */
const heirs = `WITH RECURSIVE heirs(id) AS (
    SELECT NEW.id
    UNION ALL
    SELECT c.id FROM heirs CROSS JOIN item_rows c ON c.parent_id = heirs.id WHERE c.client_id IS NULL
  ) SELECT id FROM heirs`;

/** Updates the totals when an item becomes visible or hidden, for all rows that belong to it. */
const rescope = `UPDATE item_rows SET scope_client_id = ${scope} WHERE id IN (${heirs});
       UPDATE item_rows SET scope_top = (client_id <> ${scope}) WHERE client_id IS NOT NULL AND parent_id IN (${heirs});`;

const scopeOfChanged = (body: string): string =>
  `CREATE TRIGGER item_scope_of_changed AFTER UPDATE OF client_id, parent_id ON item_rows
     WHEN (SELECT scope_client_id FROM item_rows WHERE id = NEW.id) <> ${scope}
     BEGIN
       ${body}
     END`;

const INTO = 'INSERT INTO scope_usage (firm_id, scope_client_id, file_type, items, bytes)';
const ADD = `ON CONFLICT (firm_id, scope_client_id, file_type)
       DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes`;

/** Adds one row to the totals, or with a minus subtracts it. */
const count = (row: 'OLD' | 'NEW', sign: '' | '-', ofScope = `${row}.scope_client_id`): string =>
  `${INTO} VALUES (${row}.firm_id, ${ofScope}, ${row}.file_type, ${sign}1, ${sign}coalesce(${row}.file_size, 0))
       ${ADD};`;

/** The same for the rows with these ids; missing rows count nothing. */
const countEach = (sign: '' | '-', ids: string): string =>
  `${INTO} SELECT firm_id, scope_client_id, file_type, ${sign}count(*), ${sign}coalesce(sum(file_size), 0)
       FROM item_rows WHERE ${ids} AND file_type IS NOT NULL GROUP BY 1, 2, 3
       ${ADD};`;

const isShown = (id: string): string => `NOT EXISTS (SELECT 1 FROM hidden_items h WHERE h.item_id = ${id})`;
const shownHeirs = `id IN (${heirs}) AND id NOT IN (SELECT item_id FROM hidden_items)`;

/**
 * The number and bytes of files of each type and client, of which the figures of a person with assigned clients are the
 * sum. Triggers keep them correct, whichever code writes; only Trash counts by itself, a tree at once and not row by row.
 */
export async function up(knex: Knex): Promise<void> {
  // Client 0 stands for items without a client.
  await knex.raw(
    `CREATE TABLE scope_usage (
       firm_id integer NOT NULL,
       scope_client_id integer NOT NULL,
       file_type text NOT NULL,
       items integer NOT NULL,
       bytes integer NOT NULL,
       PRIMARY KEY (firm_id, scope_client_id, file_type)
     ) WITHOUT ROWID`,
  );
  await knex.raw(
    `${INTO} SELECT firm_id, scope_client_id, file_type, count(*), coalesce(sum(file_size), 0)
     FROM items WHERE file_type IS NOT NULL GROUP BY 1, 2, 3`,
  );
  await knex.raw(
    `CREATE TRIGGER scope_usage_none AFTER UPDATE ON scope_usage WHEN NEW.items = 0 AND NEW.bytes = 0
     BEGIN DELETE FROM scope_usage
       WHERE firm_id = NEW.firm_id AND scope_client_id = NEW.scope_client_id AND file_type = NEW.file_type; END`,
  );
  // May run before or after the scope of the row is written, so the scope is computed here too.
  await knex.raw(
    `CREATE TRIGGER scope_usage_of_new AFTER INSERT ON item_rows
     WHEN NEW.file_type IS NOT NULL AND ${isShown('NEW.id')}
     BEGIN ${count('NEW', '', scope)} END`,
  );
  await knex.raw(
    `CREATE TRIGGER scope_usage_of_changed AFTER UPDATE OF file_type, file_size ON item_rows
     WHEN (OLD.file_type IS NOT NEW.file_type OR OLD.file_size IS NOT NEW.file_size) AND ${isShown('NEW.id')}
     BEGIN ${count('OLD', '-')} ${count('NEW', '')} END`,
  );
  await knex.raw(
    `CREATE TRIGGER scope_usage_of_removed AFTER DELETE ON item_rows
     WHEN OLD.file_type IS NOT NULL AND ${isShown('OLD.id')}
     BEGIN ${count('OLD', '-')} END`,
  );
  await knex.raw(
    `CREATE TRIGGER scope_usage_of_hidden AFTER INSERT ON hidden_items WHEN NEW.trash IS NULL
     BEGIN ${countEach('-', 'id = NEW.item_id')} END`,
  );
  await knex.raw(
    `CREATE TRIGGER scope_usage_of_shown AFTER DELETE ON hidden_items WHEN OLD.planting IS NOT NULL
     BEGIN ${countEach('', 'id = OLD.item_id')} END`,
  );
  await knex.raw('DROP TRIGGER item_scope_of_changed');
  await knex.raw(
    scopeOfChanged(`${countEach('-', shownHeirs)}
       ${rescope}
       ${countEach('', shownHeirs)}`),
  );
}

/** What a step down (`down`) deletes from a vault. */
export const lost = null;

export async function down(knex: Knex): Promise<void> {
  for (const name of ['new', 'changed', 'removed', 'hidden', 'shown'])
    await knex.raw(`DROP TRIGGER scope_usage_of_${name}`);
  await knex.raw('DROP TRIGGER item_scope_of_changed');
  await knex.raw(scopeOfChanged(rescope));
  await knex.schema.dropTable('scope_usage');
}
