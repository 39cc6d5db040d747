import type { Knex } from 'knex';

// All amounts are integer paise; all times ISO 8601 in UTC.
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('orders', (t) => {
    t.increments('id');
    t.integer('firm_id').notNullable().references('firms.id').index();
    t.integer('user_id').notNullable().references('users.id');
    t.integer('plan_id').notNullable().references('plans.id');
    // The plan as it was offered when it was ordered, since it may change while somebody pays.
    t.text('plan_name').notNullable();
    t.integer('storage_gb').notNullable();
    t.integer('max_users').notNullable();
    t.text('billing_cycle').notNullable();
    t.integer('amount_paise').notNullable();
    t.text('currency').notNullable();
    t.text('key_id').notNullable();
    t.text('gateway_order_id').notNullable().unique();
    t.text('status').notNullable();
    t.text('created_at').notNullable();
    t.text('offered_at').notNullable();
    t.text('paid_at');
    t.text('next_check_at').index();
    t.integer('checks').notNullable().defaultTo(0);
  });
  await knex.raw(
    `CREATE UNIQUE INDEX orders_one_open ON orders (firm_id, plan_id, billing_cycle, amount_paise, key_id)
     WHERE status = 'open'`,
  );
  await knex.schema.createTable('payments', (t) => {
    t.increments('id');
    t.integer('firm_id').notNullable().references('firms.id').index();
    t.integer('order_id').notNullable().references('orders.id').index();
    t.text('gateway_payment_id').notNullable().unique();
    t.integer('amount_paise').notNullable();
    t.integer('refunded_paise').notNullable().defaultTo(0);
    t.text('currency').notNullable();
    t.text('status').notNullable();
    t.text('method').notNullable();
    t.text('failure');
    t.text('problem');
    t.text('found_by').notNullable();
    t.text('paid_at').notNullable();
    t.text('recorded_at').notNullable();
    t.text('counted_at');
  });
  await knex.raw(
    'CREATE UNIQUE INDEX payments_count_once ON payments (order_id) WHERE counted_at IS NOT NULL',
  );
  await knex.schema.createTable('refunds', (t) => {
    t.increments('id');
    t.integer('payment_id').notNullable().references('payments.id').index();
    t.text('gateway_refund_id').notNullable().unique();
    t.integer('amount_paise').notNullable();
    t.text('status').notNullable();
    t.text('refunded_at').notNullable();
    t.text('recorded_at').notNullable();
  });
  await knex.schema.createTable('gateway_events', (t) => {
    t.text('event_id').primary();
    t.text('event').notNullable();
    t.text('gateway_order_id');
    t.text('gateway_payment_id');
    t.text('received_at').notNullable();
    t.integer('tries').notNullable().defaultTo(0);
    t.text('next_try_at').index();
    t.text('outcome');
  });
  await knex.schema.alterTable('subscriptions', (t) => {
    t.integer('payment_id').references('payments.id');
    // The limits as sold: the subscription never gives less, even if the plan changes.
    t.integer('storage_gb');
    t.integer('max_users');
    t.text('revoked_at');
  });
  await knex.raw('CREATE UNIQUE INDEX subscriptions_payment ON subscriptions (payment_id)');
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'orders, payments and refunds, and what subscriptions were sold with';

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX subscriptions_payment');
  // A refunded subscription gives nothing; without the column that marks it, it would count again.
  await knex('subscriptions').whereNotNull('revoked_at').delete();
  await knex.schema.alterTable('subscriptions', (t) => {
    for (const column of ['payment_id', 'storage_gb', 'max_users', 'revoked_at']) t.dropColumn(column);
  });
  for (const table of ['gateway_events', 'refunds', 'payments', 'orders']) await knex.schema.dropTable(table);
}
