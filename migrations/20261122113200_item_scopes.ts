import type { Knex } from 'knex';

const ITEMS =
  'CREATE VIEW items AS SELECT * FROM item_rows WHERE id NOT IN (SELECT item_id FROM hidden_items)';

/** The client to which a row belongs: its own, or else that of its folder; 0 for none. */
const scope = `coalesce(NEW.client_id, (SELECT p.scope_client_id FROM item_rows p WHERE p.id = NEW.parent_id), 0)`;

/** Whether a row belongs to another client than its folder; also true for rows without a folder. */
const top = `NEW.parent_id IS NULL OR (SELECT p.scope_client_id FROM item_rows p WHERE p.id = NEW.parent_id) <> ${scope}`;

/** The row and all rows below it that inherit its client. */
const heirs = `WITH RECURSIVE heirs(id) AS (
    SELECT NEW.id
    UNION ALL
    SELECT c.id FROM heirs CROSS JOIN item_rows c ON c.parent_id = heirs.id WHERE c.client_id IS NULL
  ) SELECT id FROM heirs`;

/**
 * The client to which each item belongs: its own, or the nearest one above it. It decides what a person sees, so
 * triggers keep it correct, whichever code writes.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('DROP VIEW items');
  // By SQL, since knex would copy the table.
  await knex.raw('ALTER TABLE item_rows ADD COLUMN scope_client_id integer NOT NULL DEFAULT 0');
  await knex.raw('ALTER TABLE item_rows ADD COLUMN scope_top integer NOT NULL DEFAULT 1');
  await knex.raw(
    `WITH RECURSIVE scopes(id, scope, top) AS (
       SELECT id, coalesce(client_id, 0), 1 FROM item_rows WHERE parent_id IS NULL
       UNION ALL
       SELECT c.id, coalesce(c.client_id, scopes.scope), coalesce(c.client_id, scopes.scope) <> scopes.scope
       FROM scopes CROSS JOIN item_rows c ON c.parent_id = scopes.id
     )
     UPDATE item_rows SET scope_client_id = scopes.scope, scope_top = scopes.top
     FROM scopes WHERE scopes.id = item_rows.id AND (scopes.scope <> 0 OR scopes.top <> 1)`,
  );
  // A covering index for the figures of a person; only folders have no type.
  await knex.raw('CREATE INDEX items_of_scope ON item_rows (firm_id, scope_client_id, file_type, file_size)');
  // The tops of the parts of the tree that a person sees.
  await knex.raw('CREATE INDEX scope_tops ON item_rows (firm_id, scope_client_id) WHERE scope_top = 1');
  await knex.raw(ITEMS);
  await knex.raw(
    `CREATE TRIGGER item_scope_of_new AFTER INSERT ON item_rows WHEN NEW.client_id IS NOT NULL OR NEW.parent_id IS NOT NULL
     BEGIN UPDATE item_rows SET scope_client_id = ${scope}, scope_top = ${top} WHERE id = NEW.id; END`,
  );
  await knex.raw(
    `CREATE TRIGGER item_scope_of_changed AFTER UPDATE OF client_id, parent_id ON item_rows
     WHEN (SELECT scope_client_id FROM item_rows WHERE id = NEW.id) <> ${scope}
     BEGIN
       UPDATE item_rows SET scope_client_id = ${scope} WHERE id IN (${heirs});
       UPDATE item_rows SET scope_top = (client_id <> ${scope}) WHERE client_id IS NOT NULL AND parent_id IN (${heirs});
     END`,
  );
  // May run before or after the other trigger: it reads nothing that the other one changes except its own row.
  await knex.raw(
    `CREATE TRIGGER item_scope_top_of_changed AFTER UPDATE OF client_id, parent_id ON item_rows
     BEGIN UPDATE item_rows SET scope_top = ${top} WHERE id = NEW.id; END`,
  );
}

/** What a step down (`down`) deletes from a vault. */
export const lost = null;

export async function down(knex: Knex): Promise<void> {
  for (const name of ['item_scope_of_new', 'item_scope_of_changed', 'item_scope_top_of_changed'])
    await knex.raw(`DROP TRIGGER ${name}`);
  await knex.raw('DROP VIEW items');
  for (const name of ['items_of_scope', 'scope_tops']) await knex.raw(`DROP INDEX ${name}`);
  for (const column of ['scope_client_id', 'scope_top'])
    await knex.raw(`ALTER TABLE item_rows DROP COLUMN ${column}`);
  await knex.raw(ITEMS);
}
