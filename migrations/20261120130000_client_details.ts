import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('clients', (t) => {
    t.dropIndex(['firm_id', 'name']);
    for (const column of ['pan', 'gstin', 'tan', 'cin', 'born_on', 'address', 'group_name', 'notes']) {
      t.text(column);
    }
    // Incremented by every change, so that the second of two people who edit one client is told.
    t.integer('version').notNullable().defaultTo(1);
    // The sort key of the name, and the text that a search compares, in folded form.
    t.text('sort_key').notNullable().defaultTo('');
    t.text('search_text').notNullable().defaultTo('');
    for (const column of ['pan', 'gstin', 'email']) t.index(['firm_id', column]);
  });
  // Approximate keys; the program computes the real ones whenever a client is saved.
  await knex.raw(
    `UPDATE clients SET sort_key = lower(name),
       search_text = lower(name || ' ' || coalesce(email, '') || ' ' || coalesce(phone, ''))`,
  );
  // A covering index of all columns that the list's filters and search read.
  await knex.raw(
    'CREATE INDEX clients_list ON clients (firm_id, sort_key, id, client_type, status, search_text)',
  );
  // Indexes for the other orders of the list, so that a page reads only its own rows.
  await knex.raw(
    `CREATE INDEX clients_by_city ON clients (firm_id, lower(coalesce(city, '')), sort_key, id, client_type, status)`,
  );
  for (const column of ['created_at', 'updated_at'])
    await knex.raw(
      `CREATE INDEX clients_by_${column} ON clients (firm_id, ${column}, sort_key, id, client_type, status)`,
    );
  await knex.schema.createTable('client_totals', (t) => {
    t.integer('firm_id').notNullable().references('firms.id');
    t.text('client_type').notNullable();
    t.text('status').notNullable();
    t.integer('clients').notNullable();
    t.primary(['firm_id', 'client_type', 'status']);
  });
  await knex.raw(
    `INSERT INTO client_totals (firm_id, client_type, status, clients)
     SELECT firm_id, client_type, status, count(*) FROM clients GROUP BY firm_id, client_type, status`,
  );
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'of clients: PAN, GSTIN, TAN, CIN, date of birth, address, group and notes';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('client_totals');
  for (const index of ['list', 'by_city', 'by_created_at', 'by_updated_at'])
    await knex.raw(`DROP INDEX clients_${index}`);
  await knex.schema.alterTable('clients', (t) => {
    for (const column of ['pan', 'gstin', 'email']) t.dropIndex(['firm_id', column]);
    t.index(['firm_id', 'name']);
  });
  // By SQL: knex would copy the table and drop the old one, which would remove the clients from their files.
  const details = ['pan', 'gstin', 'tan', 'cin', 'born_on', 'address', 'group_name', 'notes'];
  for (const column of [...details, 'version', 'sort_key', 'search_text'])
    await knex.raw(`ALTER TABLE clients DROP COLUMN ${column}`);
}
