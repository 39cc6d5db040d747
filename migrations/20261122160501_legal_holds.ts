import type { Knex } from 'knex';

const refuse = `BEGIN SELECT RAISE(ABORT, 'held'); END`;
const held = (client: string) =>
  `EXISTS (SELECT 1 FROM legal_holds l WHERE l.client_id = ${client} AND l.lifted_at IS NULL)`;
const itemHeld = (id: string) =>
  `EXISTS (SELECT 1 FROM item_rows i CROSS JOIN legal_holds l ON l.client_id = i.scope_client_id
     WHERE i.id = ${id} AND l.lifted_at IS NULL)`;
const hidden = (condition: string) =>
  `EXISTS (SELECT 1 FROM hidden_items h WHERE h.item_id = OLD.id${condition})`;

const TRIGGERS: Record<string, string> = {
  // Items can be moved to Trash, but not deleted from it or without it.
  held_not_purged: `BEFORE UPDATE OF trash ON hidden_items
     WHEN OLD.trash IS NOT NULL AND NEW.trash IS NULL AND ${itemHeld('OLD.item_id')} ${refuse}`,
  held_not_hidden: `BEFORE INSERT ON hidden_items
     WHEN NEW.planting IS NULL AND NEW.trash IS NULL AND ${itemHeld('NEW.item_id')} ${refuse}`,
  // Items that were purged before the hold may still be in the course of deletion.
  held_not_deleted: `BEFORE DELETE ON item_rows
     WHEN ${held('OLD.scope_client_id')} AND NOT ${hidden(' AND h.trash IS NULL')} ${refuse}`,
  // Documents cannot leave the hold by a change of their client. A restored item gets its client once it has its place.
  held_keeps_client: `BEFORE UPDATE OF scope_client_id ON item_rows
     WHEN NEW.scope_client_id <> OLD.scope_client_id AND ${held('OLD.scope_client_id')} AND NOT ${hidden('')} ${refuse}`,
  held_client_stays: `BEFORE UPDATE OF firm_id ON clients
     WHEN NEW.firm_id <> OLD.firm_id AND ${held('OLD.id')} ${refuse}`,
  holds_no_delete: `BEFORE DELETE ON legal_holds ${refuse}`,
  holds_no_change: `BEFORE UPDATE OF id, firm_id, client_id, reason, placed_by, placed_at ON legal_holds ${refuse}`,
  holds_lifted_once: `BEFORE UPDATE ON legal_holds WHEN OLD.lifted_at IS NOT NULL ${refuse}`,
};

/** While a client is under a legal hold, none of its documents is purged. Triggers enforce it too. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('legal_holds', (t) => {
    t.increments('id');
    t.integer('firm_id').notNullable().references('firms.id');
    // No foreign key, since the client may be deleted after the hold was lifted.
    t.integer('client_id').notNullable();
    t.text('reason').notNullable();
    t.integer('placed_by').notNullable().references('users.id');
    t.text('placed_at').notNullable();
    t.integer('lifted_by').references('users.id');
    t.text('lifted_at');
    t.text('lift_reason');
    t.index(['client_id']);
  });
  await knex.raw('CREATE UNIQUE INDEX holds_standing ON legal_holds (client_id) WHERE lifted_at IS NULL');
  for (const [name, text] of Object.entries(TRIGGERS)) await knex.raw(`CREATE TRIGGER ${name} ${text}`);
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'which clients are under a legal hold, and the record of it';

export async function down(knex: Knex): Promise<void> {
  for (const name of Object.keys(TRIGGERS)) await knex.raw(`DROP TRIGGER ${name}`);
  await knex.schema.dropTable('legal_holds');
}
