import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('plans', (t) => {
    t.increments('id');
    t.text('name').notNullable().unique();
    t.integer('monthly_price').notNullable();
    t.integer('yearly_price').notNullable();
    t.integer('storage_gb').notNullable();
    t.integer('max_users').notNullable();
    t.boolean('is_popular').notNullable();
    t.text('features').notNullable();
    t.text('retired_at');
  });
  const features = JSON.stringify(['Secure File Sharing']);
  const plan = (
    name: string,
    monthly: number,
    yearly: number,
    gb: number,
    users: number,
    popular: boolean,
  ) => ({
    name,
    monthly_price: monthly,
    yearly_price: yearly,
    storage_gb: gb,
    max_users: users,
    is_popular: popular,
    features,
  });
  await knex('plans').insert([
    plan('Starter', 999, 9999, 25, 1, false),
    plan('Professional', 1999, 19999, 100, 3, true),
    plan('Enterprise', 4999, 49999, 500, 10, false),
  ]);
  await knex.schema.createTable('trials', (t) => {
    t.integer('firm_id').primary().references('firms.id');
    t.text('started_at').notNullable();
    t.text('ends_at').notNullable();
  });
  await knex.schema.createTable('subscriptions', (t) => {
    t.increments('id');
    t.integer('firm_id').notNullable().references('firms.id').index();
    t.integer('plan_id').notNullable().references('plans.id');
    t.text('billing_cycle').notNullable();
    // The amount paid, in integer paise.
    t.integer('amount_paise').notNullable();
    t.text('starts_at').notNullable();
    t.text('ends_at').notNullable();
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'plans, trials and subscriptions';

export async function down(knex: Knex): Promise<void> {
  for (const table of ['subscriptions', 'trials', 'plans']) await knex.schema.dropTable(table);
}
