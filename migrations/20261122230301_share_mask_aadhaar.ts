import type { Knex } from 'knex';

/** Whether a link masks Aadhaar numbers. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable(
    'share_links',
    (t) => void t.integer('mask_aadhaar').notNullable().defaultTo(0),
  );
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'which links cover Aadhaar numbers; those links are revoked';

export async function down(knex: Knex): Promise<void> {
  // Revoked, since without the column these links would show the documents unmasked.
  await knex('share_links')
    .where({ mask_aadhaar: 1, revoked_at: null })
    .update({ revoked_at: new Date().toISOString() });
  await knex.raw('ALTER TABLE share_links DROP COLUMN mask_aadhaar');
}
