import type { Knex } from 'knex';

/** The clients and groups of clients that are assigned to a person. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('user_clients', (t) => {
    t.integer('user_id').notNullable().references('users.id').onDelete('CASCADE');
    t.integer('client_id').notNullable().references('clients.id').onDelete('CASCADE');
    t.primary(['user_id', 'client_id']);
    t.index(['client_id']);
  });
  await knex.schema.createTable('user_client_groups', (t) => {
    t.integer('user_id').notNullable().references('users.id').onDelete('CASCADE');
    t.integer('firm_id').notNullable().references('firms.id');
    // The group name as stored in the clients, so that clients who join or leave the group are included or excluded.
    t.text('group_name').notNullable();
    t.primary(['user_id', 'group_name']);
    t.index(['firm_id', 'group_name']);
  });
  await knex.raw(
    'CREATE INDEX clients_of_group ON clients (firm_id, group_name) WHERE group_name IS NOT NULL',
  );
  await knex.raw(
    `CREATE VIEW client_access AS
     SELECT user_id, client_id FROM user_clients
     UNION ALL
     SELECT g.user_id, c.id FROM user_client_groups g JOIN clients c
       ON c.firm_id = g.firm_id AND c.group_name = g.group_name AND c.group_name IS NOT NULL`,
  );
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'who works for which clients';

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP VIEW client_access');
  await knex.raw('DROP INDEX clients_of_group');
  await knex.schema.dropTable('user_client_groups');
  await knex.schema.dropTable('user_clients');
}
