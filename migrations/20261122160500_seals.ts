import type { Knex } from 'knex';

const ITEMS =
  'CREATE VIEW items AS SELECT * FROM item_rows WHERE id NOT IN (SELECT item_id FROM hidden_items)';

const refuse = `BEGIN SELECT RAISE(ABORT, 'sealed'); END`;
/** A folder's seal is that of what lies directly in it. */
const ofFolder = (id: string) => `(SELECT p.sealed FROM item_rows p WHERE p.id = ${id}) IS NOT NULL`;
/** What was in Trash when its folder was sealed is not part of what was sealed. */
const standing = (row: string) => `NOT EXISTS (SELECT 1 FROM hidden_items h WHERE h.item_id = ${row}.id)`;
const covered = (row: string) =>
  `(${row}.sealed IS NOT NULL OR (${ofFolder(`${row}.parent_id`)} AND ${standing(row)}))`;
const anySeal = 'EXISTS (SELECT 1 FROM seals WHERE broken_at IS NULL)';
/** Of a tree of any size the topmost row is looked at closely: all else in it lies under a seal only below a sealed one. */
const isTop = (row: string) => `(${row}.trash = ${row}.item_id OR ${row}.trash IS NULL)`;

const TRIGGERS: Record<string, string> = {
  sealed_no_new: `BEFORE INSERT ON item_rows WHEN NEW.parent_id IS NOT NULL AND ${ofFolder('NEW.parent_id')} ${refuse}`,
  sealed_no_change: `BEFORE UPDATE OF firm_id, parent_id, type, name, name_key, file_type, file_size, blob_id, sha256, client_id,
       created_at, modified_at, original_at ON item_rows
     WHEN ${covered('OLD')} OR (NEW.parent_id IS NOT OLD.parent_id AND ${ofFolder('NEW.parent_id')}) ${refuse}`,
  // Their client comes from above, perhaps.
  sealed_no_other_scope: `BEFORE UPDATE OF scope_client_id ON item_rows
     WHEN OLD.sealed IS NOT NULL AND NEW.scope_client_id <> OLD.scope_client_id ${refuse}`,
  sealed_no_delete: `BEFORE DELETE ON item_rows WHEN ${covered('OLD')} ${refuse}`,
  // What is being staged is nothing yet.
  sealed_no_hiding: `BEFORE INSERT ON hidden_items WHEN NEW.planting IS NULL AND ${anySeal} AND (
         EXISTS (SELECT 1 FROM seals WHERE item_id = NEW.item_id AND broken_at IS NULL)
         OR (${isTop('NEW')} AND EXISTS (SELECT 1 FROM item_rows i WHERE i.id = NEW.item_id AND (i.sealed IS NOT NULL OR ${ofFolder('i.parent_id')}))))
     ${refuse}`,
  sealed_no_showing: `BEFORE DELETE ON hidden_items WHEN ${isTop('OLD')} AND ${anySeal}
       AND EXISTS (SELECT 1 FROM item_rows i WHERE i.id = OLD.item_id AND ${ofFolder('i.parent_id')})
     ${refuse}`,
  // Nobody takes a seal off without saying who and why.
  seal_stays: `BEFORE UPDATE OF sealed ON item_rows
     WHEN OLD.sealed IS NOT NULL AND NEW.sealed IS NOT OLD.sealed
       AND (SELECT broken_at FROM seals WHERE id = OLD.sealed) IS NULL ${refuse}`,
  seals_no_delete: `BEFORE DELETE ON seals ${refuse}`,
  seals_no_change: `BEFORE UPDATE OF id, firm_id, item_id, name, reason, sealed_by, sealed_at, files, bytes, digest ON seals ${refuse}`,
  seals_broken_once: `BEFORE UPDATE ON seals WHEN OLD.broken_at IS NOT NULL ${refuse}`,
};

/**
 * A sealed file or folder is not changed by anybody. Its id stands in `sealed` of the item itself and of every folder
 * below: so a seal on a folder of any size is a small change, and what it covers is known by the row and its folder.
 * The services say it in words; the database refuses what any of them forgets.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('seals', (t) => {
    t.increments('id');
    t.integer('firm_id').notNullable().references('firms.id');
    // No reference: of a broken seal the item may be gone.
    t.integer('item_id').notNullable();
    // What it was called then.
    t.text('name').notNullable();
    t.text('reason').notNullable();
    t.integer('sealed_by').notNullable().references('users.id');
    t.text('sealed_at').notNullable();
    t.integer('files').notNullable();
    t.bigInteger('bytes').notNullable();
    // SHA-256 of the list of its files, each with its own SHA-256, path and size.
    t.text('digest').notNullable();
    t.integer('broken_by').references('users.id');
    t.text('broken_at');
    t.text('break_reason');
    t.index(['item_id']);
    t.index(['firm_id', 'broken_at']);
  });
  await knex.raw('CREATE UNIQUE INDEX seals_standing ON seals (item_id) WHERE broken_at IS NULL');
  await knex.raw('DROP VIEW items');
  // In place: knex would make the table anew.
  await knex.raw('ALTER TABLE item_rows ADD COLUMN sealed integer');
  await knex.raw('CREATE INDEX sealed_items ON item_rows (sealed, scope_client_id) WHERE sealed IS NOT NULL');
  await knex.raw(ITEMS);
  for (const [name, text] of Object.entries(TRIGGERS)) await knex.raw(`CREATE TRIGGER ${name} ${text}`);
}

/** What going down takes from a vault. */
export const lost = 'which files and folders are sealed, and the record of it';

export async function down(knex: Knex): Promise<void> {
  for (const name of Object.keys(TRIGGERS)) await knex.raw(`DROP TRIGGER ${name}`);
  await knex.raw('DROP VIEW items');
  await knex.raw('DROP INDEX sealed_items');
  await knex.raw('ALTER TABLE item_rows DROP COLUMN sealed');
  await knex.raw(ITEMS);
  await knex.schema.dropTable('seals');
}
