import type { Knex } from 'knex';

const refuse = `BEGIN SELECT RAISE(ABORT, 'destruction'); END`;
const TRIGGERS: Record<string, string> = {
  // A confirmed destruction cannot be changed.
  destructions_no_delete: `BEFORE DELETE ON destructions ${refuse}`,
  destructions_no_change: `BEFORE UPDATE OF id, firm_id, firm_name, reason, confirmed_by, confirmed_by_name, confirmed_at, confirmed_on, listed ON destructions ${refuse}`,
  destruction_ends_once: `BEFORE UPDATE ON destructions WHEN OLD.finished_at IS NOT NULL ${refuse}`,
  destroyed_no_delete: `BEFORE DELETE ON destruction_files ${refuse}`,
  destroyed_no_change: `BEFORE UPDATE OF destruction_id, item_id, name, path, client, rule, until, file_size, sha256, versions ON destruction_files ${refuse}`,
  destroyed_once: `BEFORE UPDATE ON destruction_files WHEN OLD.destroyed_at IS NOT NULL OR OLD.kept_because IS NOT NULL ${refuse}`,
  // No item is listed before its period is over.
  not_before_its_day: `BEFORE INSERT ON destruction_files
     WHEN NEW.until >= (SELECT confirmed_on FROM destructions WHERE id = NEW.destruction_id) ${refuse}`,
};

/** Confirmed destructions with the list of destroyed items, of which certificates are made. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('destructions', (t) => {
    t.increments('id');
    t.integer('firm_id').notNullable().references('firms.id');
    // The name at that time.
    t.text('firm_name').notNullable();
    t.text('reason').notNullable();
    t.integer('confirmed_by').notNullable().references('users.id');
    // The names at that time.
    t.text('confirmed_by_name').notNullable();
    t.text('confirmed_at').notNullable();
    // The day in India.
    t.text('confirmed_on').notNullable();
    // The number of files on the list.
    t.integer('listed').notNullable();
    t.text('finished_at');
    t.integer('files').notNullable().defaultTo(0);
    t.bigInteger('bytes').notNullable().defaultTo(0);
    // SHA-256 of the list of destroyed items.
    t.text('digest');
    t.index(['firm_id', 'id']);
  });
  await knex.schema.createTable('destruction_files', (t) => {
    t.integer('destruction_id').notNullable().references('destructions.id');
    // No foreign key: the item is deleted.
    t.integer('item_id').notNullable();
    t.text('name').notNullable();
    t.text('path').notNullable();
    t.text('client');
    t.text('rule').notNullable();
    // The last day on which it had to be kept.
    t.text('until').notNullable();
    t.bigInteger('file_size').notNullable();
    t.text('sha256');
    // Its earlier versions as JSON, which are destroyed with it.
    t.text('versions').notNullable();
    t.text('destroyed_at');
    t.text('kept_because');
    t.primary(['destruction_id', 'item_id']);
    t.index(['item_id']);
  });
  for (const [name, text] of Object.entries(TRIGGERS)) await knex.raw(`CREATE TRIGGER ${name} ${text}`);
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'the certificates of what was destroyed, and the lists behind them';

export async function down(knex: Knex): Promise<void> {
  for (const name of Object.keys(TRIGGERS)) await knex.raw(`DROP TRIGGER ${name}`);
  await knex.schema.dropTable('destruction_files');
  await knex.schema.dropTable('destructions');
}
