import type { Knex } from 'knex';

/** The recipients named by a link, and the last code with which each proved the e-mail address. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('share_recipients', (t) => {
    t.increments('id');
    t.integer('link_id').notNullable().references('share_links.id').onDelete('CASCADE');
    // Lower case.
    t.text('email').notNullable();
    t.text('code_hash');
    t.text('code_expires_at');
    t.integer('code_tries').notNullable().defaultTo(0);
    // A hash of the cookie of the browser that asked for the code.
    t.text('code_visitor');
    t.text('last_opened_at');
    // The day in India on which the link's maker was last told of this person.
    t.text('told_on');
    t.unique(['link_id', 'email']);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'the people to whom files were shared by name';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('share_recipients');
}
