import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('billing_details', (t) => {
    t.integer('firm_id').primary().references('firms.id');
    t.text('name').notNullable();
    t.text('address').notNullable();
    t.text('gstin').notNullable();
    t.text('state').notNullable();
    t.text('updated_at').notNullable();
  });
  await knex.schema.createTable('invoices', (t) => {
    t.increments('id');
    t.integer('firm_id').notNullable().references('firms.id').index();
    t.integer('payment_id').notNullable().references('payments.id').unique();
    // The series of the invoice, such as `AL/26-27`, and its number in it, from 1 without gaps.
    t.text('series').notNullable();
    t.integer('place').notNullable();
    t.text('number').notNullable().unique();
    t.text('issued_at').notNullable();
    // JSON of everything that is printed, so that the invoice never changes.
    t.text('document').notNullable();
    t.unique(['series', 'place']);
  });
  // An issued invoice is never changed. On PostgreSQL UPDATE and DELETE are not granted instead.
  for (const verb of ['UPDATE', 'DELETE']) {
    await knex.raw(
      `CREATE TRIGGER invoices_no_${verb.toLowerCase()} BEFORE ${verb} ON invoices
       BEGIN SELECT RAISE(ABORT, 'invoices are never changed'); END`,
    );
  }
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'invoices and billing details';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('invoices');
  await knex.schema.dropTable('billing_details');
}
