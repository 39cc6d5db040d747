import type { Knex } from 'knex';

/** What the office sends back one by one is told to the client in one e-mail, when a few minutes have passed without another. */
export async function up(knex: Knex): Promise<void> {
  // Since when something was sent back of which the client has not been told; null without.
  await knex.raw('ALTER TABLE requests ADD COLUMN returned_since text');
  // When the client will be told.
  await knex.raw('ALTER TABLE requests ADD COLUMN tell_at text');
  // When the office last sent the row back as a whole.
  await knex.raw('ALTER TABLE request_rows ADD COLUMN returned_at text');
  await knex.raw('CREATE INDEX requests_tell_at ON requests (tell_at) WHERE tell_at IS NOT NULL');
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'what clients have still to be told of files that were sent back in the last minutes';

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX requests_tell_at');
  await knex.raw('ALTER TABLE request_rows DROP COLUMN returned_at');
  for (const column of ['tell_at', 'returned_since'])
    await knex.raw(`ALTER TABLE requests DROP COLUMN ${column}`);
}
