import type { Knex } from 'knex';

const NAME = 'forget_uploaded_name';
const BODY =
  'UPDATE present_contents SET uploaded_as = NULL WHERE item_id = NEW.id AND uploaded_as IS NOT NULL;';

/**
 * A content that a process of the last release replaces, while it still runs beside newer ones, does not leave the name of its upload to
 * the content that follows: that process does not write the column. A newer one writes it after the content.
 */
export async function up(knex: Knex): Promise<void> {
  const on = `CREATE TRIGGER ${NAME} AFTER UPDATE OF blob_id ON item_rows`;
  if (knex.client.dialect === 'postgresql') {
    await knex.raw(
      `CREATE FUNCTION ${NAME}() RETURNS trigger LANGUAGE plpgsql AS $trigger$ BEGIN ${BODY} RETURN NULL; END $trigger$`,
    );
    await knex.raw(
      `${on} FOR EACH ROW WHEN (NEW.blob_id IS DISTINCT FROM OLD.blob_id) EXECUTE FUNCTION ${NAME}()`,
    );
  } else await knex.raw(`${on} WHEN NEW.blob_id IS NOT OLD.blob_id BEGIN ${BODY} END`);
}

/** What a step down (`down`) deletes from a vault. */
export const lost = null;

export async function down(knex: Knex): Promise<void> {
  const onPostgres = knex.client.dialect === 'postgresql';
  await knex.raw(`DROP TRIGGER ${NAME}${onPostgres ? ' ON item_rows' : ''}`);
  if (onPostgres) await knex.raw(`DROP FUNCTION ${NAME}`);
}
