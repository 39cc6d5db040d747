import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openPaymentsWorld } from '../testing/payments-world.ts';
import type { PaymentsWorld } from '../testing/payments-world.ts';

const test = suite<PaymentsWorld>('paying');
test.before.each(async (shop) => {
  Object.assign(shop, await openPaymentsWorld());
});
test.after.each((shop) => shop.close());

test('a paid order is verified, checked at the gateway, and gives the plan', async ({
  gateway,
  customer,
}) => {
  gateway.webhooks.url = null;
  const asha = await customer();
  const order = await asha.order();
  assert.is(order.amount, 1999);
  assert.is(order.currency, 'INR');
  assert.is(order.plan, 'Professional');
  assert.is(order.razorpay_key, gateway.keyId);
  assert.is(gateway.ledger.order(order.order_id).amount, 199_900);
  const payment = gateway.ledger.pay(order.order_id);
  const response = await asha.verify(order, gateway.proof(payment.id));
  assert.is(response.status, 200, response.text);
  assert.is(response.json.message, 'Subscription activated successfully! Welcome to premium!');
  const current = await asha.current();
  assert.is(current.status, 'active');
  assert.is(current.subscription.plan_name, 'Professional');
  assert.is(current.subscription.amount_paid, 1999);
  assert.is(current.subscription.ends_at, '2026-12-20T10:00:00.000Z');
  assert.is(current.user_limit, 3);
});

test('plan and price come from the server, so that a tampered request changes nothing', async ({
  gateway,
  customer,
}) => {
  const asha = await customer();
  const response = await asha.call('POST', '/api/subscription/order', {
    plan_id: 3,
    billing_cycle: 'yearly',
    amount: 1,
    currency: 'USD',
    monthly_price: 1,
    storage_gb: 9999,
    firm_id: 99,
  });
  assert.is(response.json.data.amount, 49_999);
  const { amount, currency } = gateway.ledger.order(response.json.data.order_id);
  assert.equal([amount, currency], [4_999_900, 'INR']);
});

test('an order of an unknown plan or billing cycle is refused', async ({ customer }) => {
  const asha = await customer();
  const order = (body: unknown) => asha.call('POST', '/api/subscription/order', body);
  assert.is((await order({ plan_id: 99, billing_cycle: 'monthly' })).status, 422);
  assert.is((await order({ plan_id: [1], billing_cycle: 'monthly' })).status, 422);
  assert.is((await order({ plan_id: 1, billing_cycle: 'weekly' })).status, 422);
  assert.is((await order({ plan_id: 1.5, billing_cycle: 'monthly' })).status, 422);
  assert.is((await order({})).json.errors.plan_id[0], 'Choose a plan');
});

test('a retired plan cannot be ordered, but an open order of it can still be paid', async ({
  world,
  gateway,
  customer,
}) => {
  const asha = await customer();
  const order = await asha.order(1);
  await world.db('plans').where({ id: 1 }).update({ retired_at: world.now().toISOString() });
  const again = await asha.call('POST', '/api/subscription/order', { plan_id: 1, billing_cycle: 'monthly' });
  assert.is(again.status, 422);
  const payment = gateway.ledger.pay(order.order_id);
  assert.is((await asha.verify(order, gateway.proof(payment.id))).status, 200);
  assert.is((await asha.current()).subscription.plan_name, 'Starter');
});

test('an open order is reused, also by ten requests at once, so that nobody pays twice', async ({
  gateway,
  customer,
}) => {
  const asha = await customer();
  const orders = await Promise.all(Array.from({ length: 10 }, () => asha.order()));
  assert.is(new Set(orders.map(({ subscription_id }) => subscription_id)).size, 1);
  assert.is((await asha.order()).order_id, orders[0]!.order_id);
  const yearly = await asha.order(2, 'yearly');
  assert.is.not(yearly.order_id, orders[0]!.order_id);
  assert.is(gateway.ledger.taken(), 0);
});

test('after a plan changes a new order is made, and the old one still gives the old terms', async ({
  world,
  gateway,
  customer,
}) => {
  const asha = await customer();
  const old = await asha.order(1);
  await world.db('plans').where({ id: 1 }).update({ monthly_price: 1499, storage_gb: 5 });
  const fresh = await asha.order(1);
  assert.equal([old.amount, fresh.amount], [999, 1499]);
  const payment = gateway.ledger.pay(old.order_id);
  assert.is((await asha.verify(old, gateway.proof(payment.id))).status, 200);
  assert.is((await asha.current()).subscription.storage_gb, 25);
});

test('ordering again finds an earlier payment whose answer was lost, so that nobody pays twice', async ({
  gateway,
  customer,
}) => {
  gateway.webhooks.url = null;
  const asha = await customer();
  const order = await asha.order();
  gateway.ledger.pay(order.order_id);
  const again = await asha.call('POST', '/api/subscription/order', { plan_id: 1, billing_cycle: 'yearly' });
  assert.is(again.status, 409);
  assert.is(again.json.code, 'already_paid');
  assert.is((await asha.current()).subscription.plan_name, 'Professional');
});

test('a renewal begins where the paid period ends, and another plan immediately', async ({
  gateway,
  customer,
}) => {
  gateway.webhooks.url = null;
  const asha = await customer();
  const buy = async (plan: number, cycle: string) => {
    const order = await asha.order(plan, cycle);
    const response = await asha.verify(order, gateway.proof(gateway.ledger.pay(order.order_id).id));
    assert.is(response.status, 200, response.text);
    return asha.current();
  };
  assert.is((await buy(1, 'monthly')).subscription.ends_at, '2026-12-20T10:00:00.000Z');
  assert.is((await buy(1, 'yearly')).subscription.ends_at, '2027-12-20T10:00:00.000Z');
  const pro = await buy(2, 'monthly');
  assert.equal(
    [pro.subscription.plan_name, pro.subscription.ends_at],
    ['Professional', '2026-12-20T10:00:00.000Z'],
  );
});

test('without API keys ordering fails with 503, and the plans are still shown', async ({ close }) => {
  await close();
  const shop = await openPaymentsWorld({ gateway: null });
  const asha = await shop.customer();
  const response = await asha.call('POST', '/api/subscription/order', {
    plan_id: 1,
    billing_cycle: 'monthly',
  });
  assert.is(response.status, 503);
  assert.is(response.json.message, 'Online payment is not set up on this server.');
  assert.is((await asha.call('GET', '/api/subscription/plans')).status, 200);
  assert.is((await asha.call('POST', '/api/subscription/webhook', {})).status, 503);
  await shop.close();
});

test('only users with permission to manage billing may order', async ({ world, customer }) => {
  const asha = await customer();
  await world.services.payments
    .order(world.build.limited(asha.actor), { plan_id: 1, billing_cycle: 'monthly' })
    .then(
      () => assert.unreachable(),
      (error) => assert.is(error.status, 403),
    );
});

test.run();
