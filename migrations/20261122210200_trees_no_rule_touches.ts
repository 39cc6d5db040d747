import type { Knex } from 'knex';

const refuse = `BEGIN SELECT RAISE(ABORT, 'kept'); END`;
const anyRule = 'EXISTS (SELECT 1 FROM retention_rules WHERE removed_at IS NULL)';

const above = (id: string) => `WITH RECURSIVE up(id) AS (
      SELECT ${id}
      UNION ALL
      SELECT a.parent_id FROM up CROSS JOIN item_rows a ON a.id = up.id WHERE a.parent_id IS NOT NULL
    )`;
const kept = (id: string) => `${anyRule} AND EXISTS (
    SELECT 1 FROM item_rows i CROSS JOIN retention_rules r ON r.firm_id = i.firm_id
    WHERE i.id = ${id} AND i.type = 'file' AND r.removed_at IS NULL
      AND CASE r.applies_to
        WHEN 'everything' THEN 1
        WHEN 'client_type' THEN EXISTS (SELECT 1 FROM clients c
          WHERE c.id = i.scope_client_id AND c.firm_id = i.firm_id AND c.client_type = r.client_type)
        WHEN 'folder' THEN r.item_id IN (${above('i.id')} SELECT id FROM up)
        ELSE EXISTS (SELECT 1 FROM item_labels l WHERE l.label_id = r.label_id AND l.item_id IN (${above('i.id')} SELECT id FROM up))
      END
      AND NOT EXISTS (SELECT 1 FROM retention_marks m WHERE m.exempt_reason IS NOT NULL AND m.item_id IN (${above('i.id')} SELECT id FROM up))
  ) AND NOT EXISTS (SELECT 1 FROM destruction_files d WHERE d.item_id = ${id} AND d.destroyed_at IS NOT NULL)`;

const NOT_PURGED = 'OLD.trash IS NOT NULL AND NEW.trash IS NULL';
const cleared = 'EXISTS (SELECT 1 FROM cleared_of_rules c WHERE c.item_id = OLD.trash)';

/** Whether an item is the top of a tree in Trash, or in the tree or above it. */
const touches = (id: string) => `(${id} IN (${above('NEW.item_id')} SELECT id FROM up)
        OR EXISTS (SELECT 1 FROM hidden_items h WHERE h.item_id = ${id} AND h.trash = NEW.item_id))`;
const ofFirm = 'r.firm_id = (SELECT firm_id FROM item_rows WHERE id = NEW.item_id) AND r.removed_at IS NULL';

/** Whether a rule may apply to any file of a tree in Trash; exemptions are not considered. */
const touched = `EXISTS (SELECT 1 FROM retention_rules r WHERE ${ofFirm} AND CASE r.applies_to
        WHEN 'everything' THEN 1
        WHEN 'client_type' THEN 0
        WHEN 'folder' THEN ${touches('r.item_id')}
        ELSE EXISTS (SELECT 1 FROM item_labels l WHERE l.label_id = r.label_id AND ${touches('l.item_id')})
      END)
    OR (EXISTS (SELECT 1 FROM retention_rules r WHERE ${ofFirm} AND r.applies_to = 'client_type')
      AND EXISTS (
        SELECT 1 FROM (
          SELECT DISTINCT i.scope_client_id AS client FROM hidden_items h CROSS JOIN item_rows i ON i.id = h.item_id
          WHERE h.trash = NEW.item_id
        ) AS own CROSS JOIN clients c ON c.id = own.client CROSS JOIN retention_rules r ON r.client_type = c.client_type
        WHERE ${ofFirm} AND r.applies_to = 'client_type'))`;

/**
 * Deletions from Trash are checked once per tree and not for each file: this table accepts only trees to which no rule
 * may apply, and a tree whose top is in it is deleted without another check. The row is removed in the same transaction.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('CREATE TABLE cleared_of_rules (item_id integer PRIMARY KEY)');
  await knex.raw(
    `CREATE TRIGGER cleared_if_untouched BEFORE INSERT ON cleared_of_rules WHEN ${touched} BEGIN SELECT RAISE(IGNORE); END`,
  );
  await knex.raw('DROP TRIGGER kept_not_purged');
  await knex.raw(`CREATE TRIGGER kept_not_purged BEFORE UPDATE OF trash ON hidden_items
     WHEN ${NOT_PURGED} AND ${anyRule} AND NOT ${cleared} AND ${kept('OLD.item_id')} ${refuse}`);
}

/** What a step down (`down`) deletes from a vault. */
export const lost = null;

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TRIGGER kept_not_purged');
  await knex.raw(`CREATE TRIGGER kept_not_purged BEFORE UPDATE OF trash ON hidden_items
     WHEN ${NOT_PURGED} AND ${kept('OLD.item_id')} ${refuse}`);
  await knex.raw('DROP TABLE cleared_of_rules');
}
