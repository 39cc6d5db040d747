import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openPaymentsWorld } from '../testing/payments-world.ts';
import type { Customer, PaymentsWorld } from '../testing/payments-world.ts';

interface Shop extends PaymentsWorld {
  asha: Customer;
  buy(plan: number, cycle: 'monthly' | 'yearly'): Promise<string>;
  /** The plan that runs on a day, and the day until which it is paid. */
  on(day: string): Promise<[plan: string | null, until: string | null]>;
}
const test = suite<Shop>('purchases one after another');
test.before.each(async (shop) => {
  Object.assign(shop, await openPaymentsWorld());
  shop.asha = await shop.customer();
  const { world, gateway, asha } = shop;
  shop.buy = async (plan, cycle) => {
    const order = await asha.order(plan, cycle);
    const { id } = gateway.ledger.pay(order.order_id);
    assert.is((await asha.verify(order, gateway.proof(id))).status, 200);
    return id;
  };
  shop.on = async (day) => {
    world.shiftClock(Date.parse(`${day}T12:00:00.000Z`) - world.now().getTime());
    const { status, subscription } = await world.services.subscription.current(asha.actor);
    return status === 'active' ? [subscription!.plan_name, subscription!.ends_at.slice(0, 10)] : [null, null];
  };
});
test.after.each((shop) => shop.close());
const [STARTER, PROFESSIONAL] = [1, 2];

test('a larger plan bought after an early renewal of the smaller one runs to its end, and then the renewal has its whole length', async ({
  buy,
  on,
}) => {
  await buy(STARTER, 'monthly');
  await on('2026-12-15');
  await buy(STARTER, 'yearly');
  await on('2026-12-17');
  await buy(PROFESSIONAL, 'yearly');
  assert.equal(await on('2026-12-21'), ['Professional', '2027-12-17']);
  assert.equal(await on('2027-12-17'), ['Starter', '2028-12-19']);
  assert.equal(await on('2028-12-21'), [null, null]);
});

test('a smaller plan that is bought again while a larger one runs continues after it', async ({
  buy,
  on,
}) => {
  await buy(STARTER, 'monthly');
  await on('2026-11-30');
  await buy(PROFESSIONAL, 'monthly');
  await buy(STARTER, 'monthly');
  assert.equal(await on('2026-12-25'), ['Professional', '2026-12-30']);
  // What was left of the first month, and then the second one.
  assert.equal(await on('2026-12-31'), ['Starter', '2027-02-19']);
});

test('a renewal of the larger plan comes before what is left of the smaller one', async ({ buy, on }) => {
  await buy(STARTER, 'monthly');
  await on('2026-11-30');
  await buy(PROFESSIONAL, 'monthly');
  await on('2026-12-28');
  await buy(PROFESSIONAL, 'monthly');
  assert.equal(await on('2027-01-15'), ['Professional', '2027-01-30']);
  assert.equal(await on('2027-01-31'), ['Starter', '2027-02-19']);
});

test('after a refund of the larger plan the smaller one goes on where it was interrupted', async ({
  buy,
  on,
  gateway,
  world,
}) => {
  await buy(STARTER, 'monthly');
  await on('2026-11-30');
  const payment = await buy(PROFESSIONAL, 'yearly');
  await on('2026-12-02');
  gateway.ledger.refund(payment);
  await gateway.webhooks.settled();
  await world.services.payments.actOnEvents();
  assert.equal(await on('2026-12-02'), ['Starter', '2026-12-22']);
});

test.run();
