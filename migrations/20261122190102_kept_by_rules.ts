import type { Knex } from 'knex';

const refuse = `BEGIN SELECT RAISE(ABORT, 'kept'); END`;
const anyRule = 'EXISTS (SELECT 1 FROM retention_rules WHERE removed_at IS NULL)';

/** The file itself and the folders above it. */
const above = (id: string) => `WITH RECURSIVE up(id) AS (
      SELECT ${id}
      UNION ALL
      SELECT a.parent_id FROM up CROSS JOIN item_rows a ON a.id = up.id WHERE a.parent_id IS NOT NULL
    )`;

/** Whether an item is a file under a rule. It stays so until its destruction is confirmed, even after the period. */
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
const hidden = (id: string, condition: string) =>
  `EXISTS (SELECT 1 FROM hidden_items h WHERE h.item_id = ${id}${condition})`;

const TRIGGERS: Record<string, string> = {
  kept_not_purged: `BEFORE UPDATE OF trash ON hidden_items
     WHEN OLD.trash IS NOT NULL AND NEW.trash IS NULL AND ${kept('OLD.item_id')} ${refuse}`,
  kept_not_hidden: `BEFORE INSERT ON hidden_items
     WHEN NEW.planting IS NULL AND NEW.trash IS NULL AND ${kept('NEW.item_id')} ${refuse}`,
  // The service checks the contents of a folder at once; from Trash nothing under a rule is deleted anyway.
  kept_not_in_trash: `BEFORE INSERT ON hidden_items
     WHEN NEW.trash = NEW.item_id AND ${kept('NEW.item_id')} ${refuse}`,
  // Items that were purged before the rule existed may still be in the course of deletion.
  kept_not_deleted: `BEFORE DELETE ON item_rows
     WHEN NOT ${hidden('OLD.id', ' AND h.trash IS NULL')} AND ${kept('OLD.id')} ${refuse}`,
  kept_version_stays: `BEFORE DELETE ON versions
     WHEN NOT ${hidden('OLD.item_id', ' AND h.trash IS NULL')} AND ${kept('OLD.item_id')} ${refuse}`,
  // A file without its client would no longer be under the rule of the client's type.
  kept_client_stays: `BEFORE UPDATE OF firm_id ON clients
     WHEN NEW.firm_id <> OLD.firm_id AND ${anyRule}
       AND EXISTS (SELECT 1 FROM retention_rules r WHERE r.firm_id = OLD.firm_id AND r.removed_at IS NULL AND r.client_type = OLD.client_type)
       AND EXISTS (SELECT 1 FROM item_rows i WHERE i.firm_id = OLD.firm_id AND i.scope_client_id = OLD.id AND i.type = 'file') ${refuse}`,
  rules_no_delete: `BEFORE DELETE ON retention_rules ${refuse}`,
  rules_end_once: `BEFORE UPDATE ON retention_rules WHEN OLD.removed_at IS NOT NULL ${refuse}`,
};

/**
 * Items under a retention rule are deleted only by a confirmed destruction. The services refuse other deletions with a
 * message; triggers refuse those that a service forgets.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`CREATE INDEX rules_standing ON retention_rules (firm_id) WHERE removed_at IS NULL`);
  for (const [name, text] of Object.entries(TRIGGERS)) await knex.raw(`CREATE TRIGGER ${name} ${text}`);
}

/** What a step down (`down`) deletes from a vault. */
export const lost = null;

export async function down(knex: Knex): Promise<void> {
  for (const name of Object.keys(TRIGGERS)) await knex.raw(`DROP TRIGGER ${name}`);
  await knex.raw('DROP INDEX rules_standing');
}
