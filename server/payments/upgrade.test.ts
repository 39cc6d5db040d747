import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { down, up } from '../../migrations/20261122111300_gateway_events_as_jobs.ts';
import { openPaymentsWorld } from '../testing/payments-world.ts';
import type { PaymentsWorld } from '../testing/payments-world.ts';
import { GATEWAY_EVENT } from './webhook-events.ts';

const test = suite<PaymentsWorld>('gateway events across an upgrade');
test.before.each(async (shop) => {
  Object.assign(shop, await openPaymentsWorld());
});
test.after.each((shop) => shop.close());

test('an event that waited before the upgrade is processed after it, and a downgrade loses none', async (shop) => {
  const { world, gateway } = shop;
  const { db } = world;
  const asha = await shop.customer();
  gateway.webhooks.url = null;
  const order = await asha.order();
  gateway.ledger.pay(order.order_id);
  await down(db);
  const event = {
    gateway_order_id: order.order_id,
    gateway_payment_id: null,
    received_at: '2026-11-20T09:00:00.000Z',
    tries: 0,
    next_try_at: null as string | null,
    outcome: null as string | null,
  };
  await db('gateway_events').insert([
    { ...event, event_id: 'a', event: 'order.paid', tries: 3, next_try_at: '2026-11-20T09:58:00.000Z' },
    { ...event, event_id: 'b', event: 'payment.captured', outcome: 'settled' },
  ]);
  const before = await db('gateway_events').orderBy('event_id');

  await up(db);
  await down(db);
  assert.equal(await db('gateway_events').orderBy('event_id'), before);
  assert.equal(await db('jobs').where({ kind: GATEWAY_EVENT }), [], 'the older version has no such jobs');

  await up(db);
  assert.is((await asha.current()).status, 'free');
  assert.is(await world.services.payments.actOnEvents(), 1);
  assert.is((await asha.current()).status, 'active');
  const [job] = await db('jobs').where({ kind: GATEWAY_EVENT });
  assert.equal([job.status, job.attempts, job.message], ['completed', 4, 'settled']);
});

test('an event whose job was interrupted by a stop is processed after the next start', async (shop) => {
  const { world, gateway } = shop;
  const asha = await shop.customer();
  const order = await asha.order();
  // The state left by a process that was killed during its call to the gateway.
  gateway.ledger.pay(order.order_id);
  await gateway.webhooks.settled();
  await world.db('jobs').where({ kind: GATEWAY_EVENT }).update({ status: 'processing', attempts: 1 });
  assert.is((await asha.current()).status, 'free');
  await world.services.jobs.start();
  await world.services.jobs.idle();
  assert.is((await asha.current()).status, 'active');
  const outcomes = (await world.db('gateway_events')).map(({ outcome }) => outcome);
  assert.equal(outcomes, ['settled', 'settled', 'settled']);
});

test.run();
