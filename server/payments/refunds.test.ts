import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openPaymentsWorld } from '../testing/payments-world.ts';
import type { Customer, PaymentsWorld } from '../testing/payments-world.ts';

const test = suite<PaymentsWorld>('refunds');
test.before.each(async (shop) => {
  Object.assign(shop, await openPaymentsWorld());
});
test.after.each((shop) => shop.close());

async function deliverEvents({ world, gateway }: PaymentsWorld): Promise<void> {
  await gateway.webhooks.settled();
  await world.services.payments.actOnEvents();
}
async function buy(shop: PaymentsWorld, who: Customer, plan = 2, cycle = 'monthly') {
  const order = await who.order(plan, cycle);
  const payment = shop.gateway.ledger.pay(order.order_id);
  assert.is((await who.verify(order, shop.gateway.proof(payment.id))).status, 200);
  await deliverEvents(shop);
  return { order, payment };
}
const history = async (who: Customer) => (await who.call('GET', '/api/subscription/payments')).json.data;

test('a full refund revokes the plan, and the payment and its invoice remain', async (shop) => {
  const asha = await shop.customer();
  const { payment } = await buy(shop, asha);
  shop.gateway.ledger.refund(payment.id);
  await deliverEvents(shop);
  assert.is((await asha.current()).status, 'free');
  const [row] = await history(asha);
  assert.equal([row.status, row.refunded_paise], ['refunded', 199_900]);
  assert.is((await shop.world.db('refunds')).length, 1);
  assert.is((await shop.world.db('invoices')).length, 1);
});

test('a partial refund is recorded and leaves the plan active', async (shop) => {
  const asha = await shop.customer();
  const { payment } = await buy(shop, asha);
  shop.gateway.ledger.refund(payment.id, 50_000);
  await deliverEvents(shop);
  assert.is((await asha.current()).status, 'active');
  assert.equal((await history(asha))[0].refunded_paise, 50_000);
  shop.gateway.ledger.refund(payment.id);
  await deliverEvents(shop);
  assert.is((await asha.current()).status, 'free');
});

test('a refund whose event arrives before that of the payment leaves nothing active', async (shop) => {
  const { gateway } = shop;
  gateway.webhooks.held = true;
  const asha = await shop.customer();
  const order = await asha.order();
  const payment = gateway.ledger.pay(order.order_id);
  gateway.ledger.refund(payment.id);
  await gateway.webhooks.release((events) => events.toReversed());
  await deliverEvents(shop);
  assert.is((await asha.current()).status, 'free');
  assert.is((await asha.verify(order, gateway.proof(payment.id))).status, 422);
  assert.is((await history(asha))[0].status, 'refunded');
});

test('without webhooks a refund is found by polling', async (shop) => {
  const { gateway, world } = shop;
  gateway.webhooks.url = null;
  const asha = await shop.customer();
  const { payment } = await buy(shop, asha);
  gateway.ledger.refund(payment.id);
  await world.services.payments.reconcile();
  assert.is((await asha.current()).status, 'active', 'the next check is not due yet');
  world.advance(7 * 60 * 60_000);
  await world.services.payments.reconcile();
  assert.is((await asha.current()).status, 'free');
});

test('when the first of two paid periods is refunded, the second moves forward into the gap', async (shop) => {
  const asha = await shop.customer();
  const first = await buy(shop, asha);
  await buy(shop, asha);
  assert.is((await asha.current()).subscription.ends_at, '2027-01-20T10:00:00.000Z');
  shop.world.advance(10 * 24 * 60 * 60_000);
  shop.gateway.ledger.refund(first.payment.id);
  await deliverEvents(shop);
  const { status, subscription } = await asha.current();
  assert.equal([status, subscription.ends_at], ['active', '2026-12-31T10:00:00.000Z']);
});

test('a second payment for an order is refunded automatically, and only once', async (shop) => {
  const { gateway, world } = shop;
  const asha = await shop.customer();
  const { order } = await buy(shop, asha);
  gateway.outage = null;
  const second = gateway.ledger.captureTwice(order.order_id);
  await deliverEvents(shop);
  await world.services.payments.reconcileAll();
  await world.services.payments.reconcileAll();
  assert.is(gateway.ledger.payment(second.id).refund_status, 'full');
  assert.is(gateway.ledger.taken(), 199_900);
  assert.is((await asha.current()).subscription.ends_at, '2026-12-20T10:00:00.000Z');
  assert.is(gateway.ledger.refundsOf(second.id).length, 1);
});

test('a failed payment is recorded with its reason, and the order can still be paid', async (shop) => {
  const asha = await shop.customer();
  const order = await asha.order();
  shop.gateway.ledger.fail(order.order_id, 'Insufficient funds');
  await deliverEvents(shop);
  assert.is((await asha.current()).status, 'free');
  assert.equal(
    (await history(asha)).map((row: { failure: string }) => row.failure),
    ['Insufficient funds'],
  );
  assert.is((await asha.order()).order_id, order.order_id);
  shop.gateway.ledger.pay(order.order_id);
  await deliverEvents(shop);
  assert.is((await asha.current()).status, 'active');
});

test('an authorized payment is captured when the gateway account does not capture automatically', async (shop) => {
  const { gateway } = shop;
  gateway.ledger.autoCapture = false;
  const asha = await shop.customer();
  const order = await asha.order();
  const payment = gateway.ledger.pay(order.order_id);
  await deliverEvents(shop);
  assert.is(gateway.ledger.payment(payment.id).captured, true);
  assert.is((await asha.current()).status, 'active');
});

test('one firm never sees the payments of another', async (shop) => {
  const [asha, vik] = [await shop.customer(), await shop.customer()];
  await buy(shop, asha);
  assert.equal(await history(vik), []);
});

test.run();
