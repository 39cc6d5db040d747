import type { Knex } from 'knex';

/**
 * What the office has decided about each received file, and why: before, only that it was sent before its document was asked for again.
 * `superseded`, which said that, is written on for processes of the last release that run beside newer ones.
 */
export async function up(knex: Knex): Promise<void> {
  // Null, `accepted` or `returned`.
  await knex.raw('ALTER TABLE arrivals ADD COLUMN judged text');
  await knex.raw('ALTER TABLE arrivals ADD COLUMN judged_reason text');
  await knex.raw('ALTER TABLE arrivals ADD COLUMN judged_at text');
  // When and why is not known for these; whatever was filed later has taken their place.
  await knex.raw("UPDATE arrivals SET judged = 'returned', judged_at = touched_at WHERE superseded = 1");
  // Every list of the drive asks for it.
  await knex.raw("CREATE INDEX arrivals_returned ON arrivals (item_id) WHERE judged = 'returned'");
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'which single files of a requested document were accepted, and why files were sent back';

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX arrivals_returned');
  for (const column of ['judged', 'judged_reason', 'judged_at'])
    await knex.raw(`ALTER TABLE arrivals DROP COLUMN ${column}`);
}
