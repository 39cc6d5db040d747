import type { Knex } from 'knex';

const LEAVES_HOLD = `NEW.client_id IS DISTINCT FROM OLD.client_id
  AND EXISTS (SELECT 1 FROM legal_holds l WHERE l.client_id = OLD.client_id AND l.lifted_at IS NULL)
  AND NOT EXISTS (SELECT 1 FROM hidden_items h WHERE h.item_id = OLD.id AND h.trash IS NULL)`;

/**
 * What is linked to a client under a legal hold stays linked to it. In a folder of that client, an unlinked document belonged
 * to the client still, but was missing from its lists and counts.
 */
export async function up(knex: Knex): Promise<void> {
  if (knex.client.dialect === 'postgresql') {
    await knex.raw(`CREATE FUNCTION held_stays_linked() RETURNS trigger LANGUAGE plpgsql AS $trigger$ BEGIN
      IF ${LEAVES_HOLD} THEN
        RAISE EXCEPTION 'held' USING ERRCODE = 'integrity_constraint_violation';
      END IF;
      RETURN NEW;
      END $trigger$`);
    await knex.raw(
      'CREATE TRIGGER held_stays_linked BEFORE UPDATE OF client_id ON item_rows FOR EACH ROW EXECUTE FUNCTION held_stays_linked()',
    );
    return;
  }
  await knex.raw(
    `CREATE TRIGGER held_stays_linked BEFORE UPDATE OF client_id ON item_rows WHEN ${LEAVES_HOLD} BEGIN SELECT RAISE(ABORT, 'held'); END`,
  );
}

export const lost = null;

export async function down(knex: Knex): Promise<void> {
  const pg = knex.client.dialect === 'postgresql';
  await knex.raw(`DROP TRIGGER held_stays_linked${pg ? ' ON item_rows' : ''}`);
  if (pg) await knex.raw('DROP FUNCTION held_stays_linked');
}
