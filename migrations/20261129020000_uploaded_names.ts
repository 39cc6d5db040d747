import type { Knex } from 'knex';

/** The name under which a content was uploaded as a new version of a file of another name, for the list of versions. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE versions ADD COLUMN uploaded_as text');
  await knex.raw('ALTER TABLE present_contents ADD COLUMN uploaded_as text');
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'under which name a version was uploaded, except in the history';

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE versions DROP COLUMN uploaded_as');
  await knex.raw('ALTER TABLE present_contents DROP COLUMN uploaded_as');
}
