import type { Knex } from 'knex';

const ITEMS =
  'CREATE VIEW items AS SELECT * FROM item_rows WHERE id NOT IN (SELECT item_id FROM hidden_items)';

const refuse = `BEGIN SELECT RAISE(ABORT, 'sealed'); END`;
/** Items directly in a folder have the seal of the folder. */
const ofFolder = (id: string) => `(SELECT p.sealed FROM item_rows p WHERE p.id = ${id}) IS NOT NULL`;
/** Items in Trash when their folder was sealed are not sealed with it. */
const standing = (row: string) => `NOT EXISTS (SELECT 1 FROM hidden_items h WHERE h.item_id = ${row}.id)`;
const covered = (row: string) =>
  `(${row}.sealed IS NOT NULL OR (${ofFolder(`${row}.parent_id`)} AND ${standing(row)}))`;
const anySeal = 'EXISTS (SELECT 1 FROM seals WHERE broken_at IS NULL)';
/** Only the topmost row of a tree is checked completely; rows below it are under a seal only if a folder above them is. */
const isTop = (row: string) => `(${row}.trash = ${row}.item_id OR ${row}.trash IS NULL)`;

const TRIGGERS: Record<string, string> = {
  sealed_no_new: `BEFORE INSERT ON item_rows WHEN NEW.parent_id IS NOT NULL AND ${ofFolder('NEW.parent_id')} ${refuse}`,
  sealed_no_change: `BEFORE UPDATE OF firm_id, parent_id, type, name, name_key, file_type, file_size, blob_id, sha256, client_id,
       created_at, modified_at, original_at ON item_rows
     WHEN ${covered('OLD')} OR (NEW.parent_id IS NOT OLD.parent_id AND ${ofFolder('NEW.parent_id')}) ${refuse}`,
  // Their client may be inherited from a folder.
  sealed_no_other_scope: `BEFORE UPDATE OF scope_client_id ON item_rows
     WHEN OLD.sealed IS NOT NULL AND NEW.scope_client_id <> OLD.scope_client_id ${refuse}`,
  sealed_no_delete: `BEFORE DELETE ON item_rows WHEN ${covered('OLD')} ${refuse}`,
  // Rows of an unfinished extraction are not visible yet.
  sealed_no_hiding: `BEFORE INSERT ON hidden_items WHEN NEW.planting IS NULL AND ${anySeal} AND (
         EXISTS (SELECT 1 FROM seals WHERE item_id = NEW.item_id AND broken_at IS NULL)
         OR (${isTop('NEW')} AND EXISTS (SELECT 1 FROM item_rows i WHERE i.id = NEW.item_id AND (i.sealed IS NOT NULL OR ${ofFolder('i.parent_id')}))))
     ${refuse}`,
  sealed_no_showing: `BEFORE DELETE ON hidden_items WHEN ${isTop('OLD')} AND ${anySeal}
       AND EXISTS (SELECT 1 FROM item_rows i WHERE i.id = OLD.item_id AND ${ofFolder('i.parent_id')})
     ${refuse}`,
  // A seal is removed only with a person and a reason.
  seal_stays: `BEFORE UPDATE OF sealed ON item_rows
     WHEN OLD.sealed IS NOT NULL AND NEW.sealed IS NOT OLD.sealed
       AND (SELECT broken_at FROM seals WHERE id = OLD.sealed) IS NULL ${refuse}`,
  seals_no_delete: `BEFORE DELETE ON seals ${refuse}`,
  seals_no_change: `BEFORE UPDATE OF id, firm_id, item_id, name, reason, sealed_by, sealed_at, files, bytes, digest ON seals ${refuse}`,
  seals_broken_once: `BEFORE UPDATE ON seals WHEN OLD.broken_at IS NOT NULL ${refuse}`,
};

/**
 * Nobody can change a sealed file or folder. Its id is in `sealed` of the item itself and of every folder below, so
 * sealing a folder of any size is a small change, and a row and its folder show whether the row is sealed. The services
 * refuse changes with a message; triggers refuse those that a service forgets.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('seals', (t) => {
    t.increments('id');
    t.integer('firm_id').notNullable().references('firms.id');
    // No foreign key, since the item of a broken seal may be deleted.
    t.integer('item_id').notNullable();
    // The name at that time.
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
  // By SQL, since knex would copy the table.
  await knex.raw('ALTER TABLE item_rows ADD COLUMN sealed integer');
  await knex.raw('CREATE INDEX sealed_items ON item_rows (sealed, scope_client_id) WHERE sealed IS NOT NULL');
  await knex.raw(ITEMS);
  for (const [name, text] of Object.entries(TRIGGERS)) await knex.raw(`CREATE TRIGGER ${name} ${text}`);
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'which files and folders are sealed, and the record of it';

export async function down(knex: Knex): Promise<void> {
  for (const name of Object.keys(TRIGGERS)) await knex.raw(`DROP TRIGGER ${name}`);
  await knex.raw('DROP VIEW items');
  await knex.raw('DROP INDEX sealed_items');
  await knex.raw('ALTER TABLE item_rows DROP COLUMN sealed');
  await knex.raw(ITEMS);
  await knex.schema.dropTable('seals');
}
