import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('clients', (t) => {
    t.dropIndex(['firm_id', 'name']);
    for (const column of ['pan', 'gstin', 'tan', 'cin', 'born_on', 'address', 'group_name', 'notes']) {
      t.text(column);
    }
    // Counts up with every change, so that of two people who edit one client the second is told.
    t.integer('version').notNullable().defaultTo(1);
    // The name as ordered, and all that a search looks at, folded.
    t.text('sort_key').notNullable().defaultTo('');
    t.text('search_text').notNullable().defaultTo('');
    for (const column of ['pan', 'gstin', 'email']) t.index(['firm_id', column]);
  });
  // Replaced by the program's own keys whenever a client is saved.
  await knex.raw(
    `UPDATE clients SET sort_key = lower(name),
       search_text = lower(name || ' ' || coalesce(email, '') || ' ' || coalesce(phone, ''))`,
  );
  // Holds all that the list's filters and its search ask, so that they read the index alone.
  await knex.raw(
    'CREATE INDEX clients_list ON clients (firm_id, sort_key, id, client_type, status, search_text)',
  );
  // The other orders of the list, so that a page reads its own rows only.
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

/** What going down takes from a vault. */
export const lost = 'of clients: PAN, GSTIN, TAN, CIN, date of birth, address, group and notes';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('client_totals');
  for (const index of ['list', 'by_city', 'by_created_at', 'by_updated_at'])
    await knex.raw(`DROP INDEX clients_${index}`);
  await knex.schema.alterTable('clients', (t) => {
    for (const column of ['pan', 'gstin', 'email']) t.dropIndex(['firm_id', column]);
    t.index(['firm_id', 'name']);
  });
  // In place: knex would make the table anew and delete the old one, which takes the clients off their files.
  const details = ['pan', 'gstin', 'tan', 'cin', 'born_on', 'address', 'group_name', 'notes'];
  for (const column of [...details, 'version', 'sort_key', 'search_text'])
    await knex.raw(`ALTER TABLE clients DROP COLUMN ${column}`);
}
