import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Outage } from '../testing/gateway/emulator.ts';
import { openPaymentsWorld } from '../testing/payments-world.ts';
import type { PaymentsWorld } from '../testing/payments-world.ts';

const test = suite<PaymentsWorld>('recovery');
test.before.each(async (shop) => {
  Object.assign(shop, await openPaymentsWorld());
  shop.gateway.webhooks.url = null;
});
test.after.each((shop) => shop.close());

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

test('when browser and webhooks are all lost, asking finds the payment', async ({
  world,
  gateway,
  customer,
}) => {
  const asha = await customer();
  const order = await asha.order();
  await world.services.payments.reconcile();
  gateway.ledger.pay(order.order_id);
  world.advance(MINUTE);
  const { paid } = await world.services.payments.reconcile();
  assert.is(paid, 1);
  assert.is((await asha.current()).status, 'active');
  world.advance(MINUTE);
  assert.is((await world.services.payments.reconcile()).paid, 0);
});

test('"I have paid, check again" finds it at once, also in an order of last month', async ({
  world,
  gateway,
  customer,
}) => {
  const asha = await customer();
  const order = await asha.order();
  const check = async () => (await asha.call('POST', '/api/subscription/check-payments')).json.data;
  assert.equal(await check(), { found: 0, pending: false });
  world.advance(29 * DAY);
  await world.services.payments.reconcile();
  assert.is((await world.db('orders').first()).status, 'abandoned');
  gateway.ledger.pay(order.order_id);
  assert.equal(await check(), { found: 1, pending: false });
  assert.is((await asha.current()).status, 'active');
});

for (const trouble of ['down', 'html', 'html-ok', 'server-error', 'lost'] satisfies Outage[]) {
  test(`a gateway that is ${trouble} costs nobody a payment`, async ({ world, gateway, customer }) => {
    const asha = await customer();
    gateway.outage = trouble;
    const ordering = await asha.call('POST', '/api/subscription/order', {
      plan_id: 2,
      billing_cycle: 'monthly',
    });
    assert.equal([ordering.status, ordering.json.code], [503, 'gateway_unreachable']);
    assert.match(ordering.json.message, /Nothing was charged/);
    gateway.outage = null;
    const order = await asha.order();
    const payment = gateway.ledger.pay(order.order_id);
    gateway.outage = trouble;
    const got = await asha.verify(order, gateway.proof(payment.id));
    assert.equal([got.status, got.json.code], [503, 'payment_unconfirmed']);
    assert.is((await asha.current()).status, 'free', 'a signature alone gives nothing');
    assert.is((await world.services.payments.reconcileAll()).reached, false);
    gateway.outage = null;
    world.advance(2 * MINUTE);
    await world.services.payments.reconcile();
    assert.is((await asha.current()).status, 'active');
  });
}

test('a silent gateway is given up after ten seconds, while the server answers others', async ({
  base,
  gateway,
  customer,
}) => {
  const asha = await customer();
  gateway.outage = 'silent';
  const ordering = asha.call('POST', '/api/subscription/order', { plan_id: 1, billing_cycle: 'monthly' });
  assert.is((await fetch(`${base}/api/subscription/plans`)).status, 200);
  assert.is((await ordering).status, 503);
});

test('an order that the gateway lost does not stand in the way of a new one', async ({
  gateway,
  customer,
}) => {
  const asha = await customer();
  const order = await asha.order();
  gateway.ledger.orders.delete(order.order_id);
  const fresh = await asha.order();
  assert.is.not(fresh.order_id, order.order_id);
});

test('wrong keys are our trouble and not the customer’s: nothing is charged, and it is said so', async ({
  close,
  gateway,
}) => {
  const shop = await openPaymentsWorld({
    gateway: {
      keyId: 'rzp_test_other',
      keySecret: 'x',
      webhookSecrets: [],
      apiUrl: gateway.url,
      checkoutUrl: gateway.url,
    },
  });
  const asha = await shop.customer();
  const got = await asha.call('POST', '/api/subscription/order', { plan_id: 1, billing_cycle: 'monthly' });
  assert.equal([got.status, got.json.code], [502, 'gateway_refused']);
  await shop.close();
  await close();
});

test('a clock that runs ahead and is put back loses no payment', async ({ world, gateway, customer }) => {
  const { actor } = await customer();
  const current = () => world.services.subscription.current(actor);
  world.advance(400 * DAY);
  const order = await world.services.payments.order(actor, { plan_id: 2, billing_cycle: 'monthly' });
  world.advance(-400 * DAY);
  gateway.ledger.pay(order.order_id);
  await world.services.payments.reconcile();
  assert.is((await current()).status, 'active');
  assert.is((await current()).subscription?.ends_at, '2026-12-20T10:00:00.000Z');
  world.advance(31 * DAY);
  assert.is((await current()).status, 'expired');
  world.advance(-31 * DAY);
  assert.is((await current()).status, 'active');
});

test('a clock that jumps a year gives up an order only after asking once more', async ({
  world,
  gateway,
  customer,
}) => {
  const asha = await customer();
  const order = await asha.order();
  gateway.ledger.pay(order.order_id);
  world.advance(365 * DAY);
  await world.services.payments.reconcile();
  assert.is((await world.services.subscription.current(asha.actor)).status, 'active');
});

for (const days of [2, 400]) {
  test(`a clock that is put back by ${days} days delays no question about an order by that`, async ({
    world,
    gateway,
    customer,
  }) => {
    const { payments, subscription } = world.services;
    const { actor } = await customer();
    await payments.poll();
    const order = await payments.order(actor, { plan_id: 2, billing_cycle: 'monthly' });
    world.advance(-days * DAY);
    assert.ok(await payments.due());
    await payments.poll();
    assert.not(await payments.due(), 'it is asked about once, and then by a schedule that begins now');
    gateway.ledger.pay(order.order_id);
    world.advance(60_000);
    assert.ok(await payments.due());
    await payments.poll();
    assert.is((await subscription.current(actor)).status, 'active');
    world.advance(-days * DAY);
    await payments.poll();
    assert.not(await payments.due(), 'nor a paid one, which is looked at for refunds');
  });
}

test.run();
