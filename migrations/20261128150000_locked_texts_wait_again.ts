import type { Knex } from 'knex';

const NAME = 'locked_text_of_linked';

/** Marks locked contents as waiting to be read. */
const WAIT = `UPDATE document_texts SET state = 'waiting', attempts = 0, reason = NULL
  WHERE state = 'refused' AND reason = 'locked'`;

const isOther = (differs: string): string =>
  `NEW.file_type = 'pdf' AND NEW.sha256 IS NOT NULL AND NEW.scope_client_id <> 0
   AND (NEW.scope_client_id <> OLD.scope_client_id OR NEW.sha256 ${differs} OLD.sha256)`;

const BODY = `${WAIT} AND firm_id = NEW.firm_id AND sha256 = NEW.sha256;`;

/**
 * A locked PDF that gets a client is read again, since the passwords of portals are derived from the client's data: by a
 * trigger, since files get clients in many ways, such as with their folders. Those of clients are tried once more now.
 */
export async function up(knex: Knex): Promise<void> {
  if (knex.client.dialect === 'postgresql') {
    await knex.raw(
      `CREATE FUNCTION ${NAME}() RETURNS trigger LANGUAGE plpgsql AS $trigger$ BEGIN ${BODY} RETURN NULL; END $trigger$`,
    );
    await knex.raw(
      `CREATE TRIGGER ${NAME} AFTER UPDATE OF scope_client_id, sha256 ON item_rows
       FOR EACH ROW WHEN (${isOther('IS DISTINCT FROM')}) EXECUTE FUNCTION ${NAME}()`,
    );
  } else {
    await knex.raw(
      `CREATE TRIGGER ${NAME} AFTER UPDATE OF scope_client_id, sha256 ON item_rows
       WHEN ${isOther('IS NOT')} BEGIN ${BODY} END`,
    );
  }
  await knex.raw(
    `${WAIT} AND EXISTS (SELECT 1 FROM item_rows i
       WHERE i.firm_id = document_texts.firm_id AND i.sha256 = document_texts.sha256 AND i.scope_client_id <> 0)`,
  );
}

/** What a step down (`down`) deletes from a vault. */
export const lost = null;

export async function down(knex: Knex): Promise<void> {
  const onPostgres = knex.client.dialect === 'postgresql';
  await knex.raw(onPostgres ? `DROP TRIGGER ${NAME} ON item_rows` : `DROP TRIGGER ${NAME}`);
  if (onPostgres) await knex.raw(`DROP FUNCTION ${NAME}`);
}
