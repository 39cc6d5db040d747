import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Event } from '../testing/gateway/webhooks.ts';
import { hmacSha256 } from '../testing/gateway/webhooks.ts';
import { openPaymentsWorld } from '../testing/payments-world.ts';
import { GATEWAY_EVENT } from './webhook-events.ts';
import type { Customer, PaymentsWorld } from '../testing/payments-world.ts';

const test = suite<PaymentsWorld>('webhook');
test.before.each(async (shop) => {
  Object.assign(shop, await openPaymentsWorld());
});
test.after.each((shop) => shop.close());

/** The number of periods that the firm was given. */
const periods = async ({ world }: PaymentsWorld, { actor }: Customer) =>
  (await world.db('subscriptions').where({ firm_id: actor.firmId })).length;

async function deliverEvents({ world, gateway }: PaymentsWorld): Promise<void> {
  await gateway.webhooks.settled();
  await world.services.payments.actOnEvents();
}

test('a webhook alone activates the plan, since the browser may be closed after paying', async (shop) => {
  const asha = await shop.customer();
  const order = await asha.order();
  shop.gateway.ledger.pay(order.order_id);
  await deliverEvents(shop);
  assert.is((await asha.current()).status, 'active');
  assert.is(await periods(shop, asha), 1);
});

test('events that come before the browser, twice and in reverse order give one period', async (shop) => {
  const { gateway } = shop;
  const asha = await shop.customer();
  const order = await asha.order();
  gateway.webhooks.held = true;
  const payment = gateway.ledger.pay(order.order_id);
  await gateway.webhooks.release((events) => [...events.toReversed(), ...events]);
  await deliverEvents(shop);
  assert.is(await periods(shop, asha), 1);
  assert.is((await asha.verify(order, gateway.proof(payment.id))).status, 200);
  assert.is(await periods(shop, asha), 1);
  const rows = await shop.world.db('gateway_events');
  assert.is(rows.length, 3, 'each event is kept once');
});

test('twenty verifications and three copies of every event at once give one period', async (shop) => {
  const { gateway } = shop;
  gateway.webhooks.copies = 3;
  const asha = await shop.customer();
  const order = await asha.order();
  const proof = gateway.proof(gateway.ledger.pay(order.order_id).id);
  const responses = await Promise.all(Array.from({ length: 20 }, () => asha.verify(order, proof)));
  assert.equal(new Set(responses.map(({ status }) => status)), new Set([200]));
  await deliverEvents(shop);
  await shop.world.services.payments.reconcileAll();
  assert.is(await periods(shop, asha), 1);
  assert.is((await shop.world.db('invoices')).length, 1);
  assert.is((await asha.current()).subscription.ends_at, '2026-12-20T10:00:00.000Z');
});

test('an event with a forged signature is refused and not stored', async (shop) => {
  const { gateway, base, world } = shop;
  gateway.webhooks.url = null;
  const asha = await shop.customer();
  const order = await asha.order();
  gateway.ledger.pay(order.order_id);
  const event = gateway.webhooks.events.at(-1)!;
  const url = `${base}/api/subscription/webhook`;
  const send = (change: Partial<Event>, signature?: string) =>
    gateway.webhooks.send(
      { ...event, ...change },
      signature === undefined ? {} : { 'x-razorpay-signature': signature },
      url,
    );
  const validSignature = hmacSha256(gateway.webhooks.secret, event.body);
  assert.is(await send({}, ''), 400);
  assert.is(await send({}, validSignature.toUpperCase()), 400);
  assert.is(
    await send({}, hmacSha256(gateway.keySecret, event.body)),
    400,
    'the API secret is another secret',
  );
  assert.is(await send({ body: event.body.replace('199900', '1') }, validSignature), 400);
  const reserialised = JSON.stringify(JSON.parse(event.body), null, 1);
  assert.is(
    await send({ body: reserialised }, validSignature),
    400,
    'the bytes are signed, not their meaning',
  );
  assert.is((await world.db('gateway_events')).length, 0);
  assert.is((await asha.current()).status, 'free');
  assert.is(await send({}), 200);
  await deliverEvents(shop);
  assert.is((await asha.current()).status, 'active');
});

test('a signed event about a payment that the gateway does not know gives nothing', async (shop) => {
  const { gateway, base } = shop;
  gateway.webhooks.url = null;
  const asha = await shop.customer();
  const order = await asha.order();
  const body = JSON.stringify({
    event: 'order.paid',
    payload: { payment: { entity: { id: 'pay_0', order_id: order.order_id, status: 'captured' } } },
  });
  const url = `${base}/api/subscription/webhook`;
  assert.is(await gateway.webhooks.send({ id: 'e', event: 'order.paid', body }, {}, url), 200);
  await deliverEvents(shop);
  assert.is((await asha.current()).status, 'free');
});

test('an event is accepted while the gateway is down, and processed when it is back', async (shop) => {
  const { gateway, world } = shop;
  const asha = await shop.customer();
  const order = await asha.order();
  gateway.outage = 'down';
  gateway.ledger.pay(order.order_id);
  await deliverEvents(shop);
  assert.ok(gateway.webhooks.deliveries.every(({ status }) => status === 200));
  assert.is((await asha.current()).status, 'free');
  gateway.outage = null;
  world.advance(2 * 60_000);
  assert.is(await world.services.payments.actOnEvents(), gateway.webhooks.events.length);
  assert.is((await asha.current()).status, 'active');
  assert.equal(await world.db('jobs').where({ kind: GATEWAY_EVENT, status: 'starting' }), []);
});

test('an event without a known order is tried again, since the order may not be committed yet, and given up after ten tries', async (shop) => {
  const { gateway, base, world } = shop;
  const url = `${base}/api/subscription/webhook`;
  const foreign = gateway.ledger.createOrder({ amount: 100, currency: 'INR' });
  gateway.ledger.pay(foreign.id);
  await deliverEvents(shop);
  const jobs = () => world.db('jobs').where({ kind: GATEWAY_EVENT });
  const events = async () => (await world.db('gateway_events')).map(({ outcome }) => outcome);
  assert.equal(
    (await jobs()).map(({ status, attempts, due_at }) => [status, attempts, due_at]),
    Array.from({ length: 3 }, () => ['starting', 1, '2026-11-20T10:01:00.000Z']),
  );
  assert.equal(await events(), [null, null, null]);
  for (let round = 0; round < 12; round++) {
    world.advance(24 * 60 * 60_000);
    await world.services.payments.actOnEvents();
  }
  assert.equal(
    (await jobs()).map(({ status, attempts, message }) => [status, attempts, message]),
    Array.from({ length: 3 }, () => ['completed', 10, 'given up']),
  );
  assert.equal(await events(), ['given up', 'given up', 'given up']);
  const text = { id: 'x', event: 'x', body: '{"event":"x","payload":{}}' };
  assert.is(await gateway.webhooks.send(text, {}, url), 200);
  assert.is(await gateway.webhooks.send({ ...text, id: 'y', body: '[]' }, {}, url), 400);
});

test('while the webhook secret is being changed, signatures with either secret are accepted', async (shop) => {
  await shop.close();
  const next = await openPaymentsWorld();
  const { gateway } = next;
  const old = await openPaymentsWorld({
    gateway: {
      keyId: gateway.keyId,
      keySecret: gateway.keySecret,
      webhookSecrets: ['new secret', gateway.webhooks.secret],
      apiUrl: gateway.url,
      checkoutUrl: gateway.url,
    },
  });
  const url = `${old.base}/api/subscription/webhook`;
  const event = { id: '1', event: 'x', body: '{"event":"x","payload":{}}' };
  assert.is(await gateway.webhooks.send(event, {}, url), 200);
  const fresh = { 'x-razorpay-signature': hmacSha256('new secret', event.body) };
  assert.is(await gateway.webhooks.send(event, fresh, url), 200);
  await next.close();
  await old.close();
});

test.run();
