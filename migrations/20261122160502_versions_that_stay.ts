import type { Knex } from 'knex';

const held = `EXISTS (SELECT 1 FROM legal_holds l WHERE l.client_id = i.scope_client_id AND l.lifted_at IS NULL)`;
const sealed = `(i.sealed IS NOT NULL OR (SELECT p.sealed FROM item_rows p WHERE p.id = i.parent_id) IS NOT NULL)`;
/** The versions of a purged file are deleted with it; files in Trash before their folder was sealed are not sealed. */
const hidden = (condition = '') =>
  `EXISTS (SELECT 1 FROM hidden_items h WHERE h.item_id = OLD.item_id${condition})`;

const TRIGGERS: Record<string, string> = {
  sealed_version_stays: `BEFORE DELETE ON versions WHEN NOT ${hidden()}
       AND EXISTS (SELECT 1 FROM item_rows i WHERE i.id = OLD.item_id AND ${sealed})
     BEGIN SELECT RAISE(ABORT, 'sealed'); END`,
  held_version_stays: `BEFORE DELETE ON versions WHEN NOT ${hidden(' AND h.trash IS NULL')}
       AND EXISTS (SELECT 1 FROM item_rows i WHERE i.id = OLD.item_id AND ${held})
     BEGIN SELECT RAISE(ABORT, 'held'); END`,
};

/** Earlier versions are kept like the file itself while it is sealed or its client is under a legal hold. */
export async function up(knex: Knex): Promise<void> {
  for (const [name, text] of Object.entries(TRIGGERS)) await knex.raw(`CREATE TRIGGER ${name} ${text}`);
}

/** What a step down (`down`) deletes from a vault. */
export const lost = null;

export async function down(knex: Knex): Promise<void> {
  for (const name of Object.keys(TRIGGERS)) await knex.raw(`DROP TRIGGER ${name}`);
}
