import type { Knex } from 'knex';

const anySeal = 'EXISTS (SELECT 1 FROM seals WHERE broken_at IS NULL)';
const anyRule = 'EXISTS (SELECT 1 FROM retention_rules WHERE removed_at IS NULL)';

const above = (id: string) => `WITH RECURSIVE up(id) AS (
      SELECT ${id}
      UNION ALL
      SELECT a.parent_id FROM up CROSS JOIN item_rows a ON a.id = up.id WHERE a.parent_id IS NOT NULL
    )`;

// Each refusal has the conditions of the separate trigger that it replaces.
const sealed = `NEW.planting IS NULL AND ${anySeal} AND (
         EXISTS (SELECT 1 FROM seals WHERE item_id = NEW.item_id AND broken_at IS NULL)
         OR ((NEW.trash = NEW.item_id OR NEW.trash IS NULL) AND EXISTS (SELECT 1 FROM item_rows i WHERE i.id = NEW.item_id AND (i.sealed IS NOT NULL OR (SELECT p.sealed FROM item_rows p WHERE p.id = i.parent_id) IS NOT NULL))))`;
const held = `NEW.planting IS NULL AND NEW.trash IS NULL AND EXISTS (SELECT 1 FROM item_rows i CROSS JOIN legal_holds l ON l.client_id = i.scope_client_id
     WHERE i.id = NEW.item_id AND l.lifted_at IS NULL)`;
const underRule = `${anyRule} AND EXISTS (
    SELECT 1 FROM item_rows i CROSS JOIN retention_rules r ON r.firm_id = i.firm_id
    WHERE i.id = NEW.item_id AND i.type = 'file' AND r.removed_at IS NULL
      AND CASE r.applies_to
        WHEN 'everything' THEN 1
        WHEN 'client_type' THEN EXISTS (SELECT 1 FROM clients c
          WHERE c.id = i.scope_client_id AND c.firm_id = i.firm_id AND c.client_type = r.client_type)
        WHEN 'folder' THEN r.item_id IN (${above('i.id')} SELECT id FROM up)
        ELSE EXISTS (SELECT 1 FROM item_labels l WHERE l.label_id = r.label_id AND l.item_id IN (${above('i.id')} SELECT id FROM up))
      END
      AND NOT EXISTS (SELECT 1 FROM retention_marks m WHERE m.exempt_reason IS NOT NULL AND m.item_id IN (${above('i.id')} SELECT id FROM up))
  ) AND NOT EXISTS (SELECT 1 FROM destruction_files d WHERE d.item_id = NEW.item_id AND d.destroyed_at IS NOT NULL)`;
const hiddenForGood = 'NEW.planting IS NULL AND NEW.trash IS NULL';
const topInTrash = 'NEW.trash = NEW.item_id';

const BEFORE = 'BEFORE INSERT ON hidden_items WHEN';
const refuse = (why: string) => `BEGIN SELECT RAISE(ABORT, '${why}'); END`;

const SINGLE: Record<string, string> = {
  sealed_no_hiding: `${BEFORE} ${sealed} ${refuse('sealed')}`,
  held_not_hidden: `${BEFORE} ${held} ${refuse('held')}`,
  kept_not_hidden: `${BEFORE} ${hiddenForGood} AND ${underRule} ${refuse('kept')}`,
  kept_not_in_trash: `${BEFORE} ${topInTrash} AND ${underRule} ${refuse('kept')}`,
};

/**
 * When a folder is moved to Trash, each row below it makes one check instead of four: whether there is any seal. The
 * topmost row, and purged rows, are checked as before.
 */
export async function up(knex: Knex): Promise<void> {
  for (const name of Object.keys(SINGLE)) await knex.raw(`DROP TRIGGER ${name}`);
  await knex.raw(`CREATE TRIGGER hiding_refused ${BEFORE} ${topInTrash} OR NEW.trash IS NULL OR ${anySeal} BEGIN
    SELECT RAISE(ABORT, 'sealed') WHERE ${sealed};
    SELECT RAISE(ABORT, 'held') WHERE ${held};
    SELECT RAISE(ABORT, 'kept') WHERE ((${hiddenForGood}) OR ${topInTrash}) AND ${underRule};
  END`);
}

/** What a step down (`down`) deletes from a vault. */
export const lost = null;

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TRIGGER hiding_refused');
  for (const [name, text] of Object.entries(SINGLE)) await knex.raw(`CREATE TRIGGER ${name} ${text}`);
}
