import type { Knex } from 'knex';

const LEAVES_HOLD = `NEW.scope_client_id <> OLD.scope_client_id
  AND EXISTS (SELECT 1 FROM legal_holds l WHERE l.client_id = OLD.scope_client_id AND l.lifted_at IS NULL)`;
const hidden = (condition: string) =>
  `EXISTS (SELECT 1 FROM hidden_items h WHERE h.item_id = OLD.id${condition})`;

async function replaceTrigger(knex: Knex, exception: string): Promise<void> {
  const leaves = `${LEAVES_HOLD} AND NOT ${exception}`;
  if (knex.client.dialect === 'postgresql') {
    await knex.raw(`CREATE OR REPLACE FUNCTION held_keeps_client() RETURNS trigger LANGUAGE plpgsql AS $trigger$ BEGIN
      IF ${leaves} THEN
        RAISE EXCEPTION 'held' USING ERRCODE = 'integrity_constraint_violation';
      END IF;
      RETURN NEW;
      END $trigger$`);
    return;
  }
  await knex.raw('DROP TRIGGER held_keeps_client');
  await knex.raw(
    `CREATE TRIGGER held_keeps_client BEFORE UPDATE OF scope_client_id ON item_rows WHEN ${leaves} BEGIN SELECT RAISE(ABORT, 'held'); END`,
  );
}

/**
 * What is in Trash keeps its client under a legal hold too: restored to a place of another client, it could be deleted
 * for ever. Only rows that are no documents, or not any more, may change.
 */
export const up = (knex: Knex): Promise<void> => replaceTrigger(knex, hidden(' AND h.trash IS NULL'));

export const lost = null;

export const down = (knex: Knex): Promise<void> => replaceTrigger(knex, hidden(''));
