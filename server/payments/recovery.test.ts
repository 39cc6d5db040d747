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

test('polling finds a payment when the answers of browser and webhook are both lost', async ({
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

test('"I have paid, check again" finds the payment at once, also of an abandoned order of last month', async ({
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
  test(`no payment is lost while the gateway fails: ${trouble}`, async ({ world, gateway, customer }) => {
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
    const verified = await asha.verify(order, gateway.proof(payment.id));
    assert.equal([verified.status, verified.json.code], [503, 'payment_unconfirmed']);
    assert.is((await asha.current()).status, 'free', 'a signature alone gives nothing');
    assert.is((await world.services.payments.reconcileAll()).reached, false);
    gateway.outage = null;
    world.advance(2 * MINUTE);
    await world.services.payments.reconcile();
    assert.is((await asha.current()).status, 'active');
  });
}

test('a call to a gateway that does not answer ends after ten seconds, and delays no other requests', async ({
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

test('an order that the gateway does not know any more is replaced by a new one', async ({
  gateway,
  customer,
}) => {
  const asha = await customer();
  const order = await asha.order();
  gateway.ledger.orders.delete(order.order_id);
  const fresh = await asha.order();
  assert.is.not(fresh.order_id, order.order_id);
});

test('with wrong API keys ordering fails as refused by the gateway, and nothing is charged', async ({
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
  const response = await asha.call('POST', '/api/subscription/order', {
    plan_id: 1,
    billing_cycle: 'monthly',
  });
  assert.equal([response.status, response.json.code], [502, 'gateway_refused']);
  await shop.close();
  await close();
});

test('a payment counts although the API key was replaced while the customer paid, since the account knows its orders by any key', async ({
  world,
  gateway,
  customer,
}) => {
  const asha = await customer();
  const order = await asha.order();
  // As if this server had been started with a new key since.
  await world.db('orders').update({ key_id: 'rzp_test_before' });
  const payment = gateway.ledger.pay(order.order_id);
  const proof = { ...gateway.proof(payment.id), razorpay_signature: '0'.repeat(64) };
  assert.is((await asha.verify(order, proof)).status, 200, 'the old secret signed it');
  assert.is((await asha.current()).status, 'active');

  const other = await asha.order(1);
  await world.db('orders').where({ id: other.subscription_id }).update({ key_id: 'rzp_live_other' });
  gateway.ledger.pay(other.order_id);
  assert.is((await world.services.payments.reconcileAll()).paid, 0, 'of real money test keys know nothing');
});

test('while an earlier order may have been paid unseen, nobody is told that nothing was charged', async ({
  gateway,
  customer,
}) => {
  const asha = await customer();
  gateway.ledger.pay((await asha.order()).order_id);
  gateway.outage = 'down';
  const again = { plan_id: 2, billing_cycle: 'monthly' };
  const { status, json } = await asha.call('POST', '/api/subscription/order', again);
  assert.equal([status, json.code], [503, 'payment_unconfirmed']);
  assert.not.match(json.message, /Nothing was charged/);
  assert.match(json.message, /need not pay again/);
  gateway.outage = null;
  assert.is((await asha.call('POST', '/api/subscription/order', again)).json.code, 'already_paid');
});

test('a wrong API secret abandons no order, whose payment counts once the secret is right', async ({
  world,
  gateway,
  customer,
}) => {
  const asha = await customer();
  const order = await asha.order();
  gateway.ledger.pay(order.order_id);
  gateway.outage = 'denied';
  const again = { plan_id: 2, billing_cycle: 'monthly' };
  assert.is((await asha.call('POST', '/api/subscription/order', again)).status, 503);
  assert.is((await world.services.payments.reconcileAll()).reached, false);
  assert.is((await world.db('orders').first()).status, 'open');
  gateway.outage = null;
  assert.is((await asha.call('POST', '/api/subscription/order', again)).json.code, 'already_paid');
});

test('an order is not offered again after the plan has changed, since it would give the former terms', async ({
  world,
  customer,
}) => {
  const asha = await customer();
  const before = await asha.order();
  await world.services.subscription.administration.set('Professional', { storage_gb: 50 });
  const after = await asha.order();
  assert.is.not(after.order_id, before.order_id);
  const rows = await world.db('orders').orderBy('id').select('status', 'storage_gb');
  assert.equal(
    rows.map(({ status, storage_gb }) => [status, storage_gb]),
    [
      ['abandoned', 100],
      ['open', 50],
    ],
  );
});

test('an order made while the clock was ahead can be paid after the clock is corrected', async ({
  world,
  gateway,
  customer,
}) => {
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

test('after the clock jumps by a year an open order is checked once more before it is abandoned', async ({
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
  test(`setting the clock back by ${days} days does not delay the checks of an order`, async ({
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
    assert.not(await payments.due(), 'checked once, and then by a schedule that begins now');
    gateway.ledger.pay(order.order_id);
    world.advance(60_000);
    assert.ok(await payments.due());
    await payments.poll();
    assert.is((await subscription.current(actor)).status, 'active');
    world.advance(-days * DAY);
    await payments.poll();
    assert.not(await payments.due(), 'neither is a paid order, which is checked for refunds');
  });
}

test.run();
