import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openPaymentsWorld } from '../testing/payments-world.ts';
import type { PaymentsWorld } from '../testing/payments-world.ts';

const test = suite<PaymentsWorld>('administration');
test.before.each(async (shop) => {
  Object.assign(shop, await openPaymentsWorld());
});
test.after.each((shop) => shop.close());

test('a grant gives a plan without a payment, and is recorded', async ({ world, customer }) => {
  const asha = await customer();
  const { email } = await world.services.auth.viewer(asha.actor);
  const { administration } = world.services.subscription;
  assert.is(await administration.grant(email, 'professional', 2), '2027-01-20T10:00:00.000Z');
  const { status, subscription } = await asha.current();
  assert.equal([status, subscription.amount_paid], ['active', 0]);
  const [entry] = await world.db('audit_events').where({ did: 'subscription.grant' });
  assert.is(entry.firm_id, asha.actor.firmId);
  assert.equal(await world.db('payments'), []);
});

test('a smaller plan does not affect firms that have paid, and a larger one benefits all', async ({
  world,
  gateway,
  customer,
}) => {
  const asha = await customer();
  const { administration } = world.services.subscription;
  const order = await asha.order(1);
  await asha.verify(order, gateway.proof(gateway.ledger.pay(order.order_id).id));
  await administration.set('Starter', { storage_gb: 5 });
  assert.is((await asha.current()).subscription.storage_gb, 25);
  await administration.set('Starter', { storage_gb: 50, max_users: 4 });
  assert.equal((await asha.current()).user_limit, 4);
  assert.is((await asha.current()).subscription.storage_gb, 50);
});

test('a retired plan is not shown until it is sold again, whatever changes, and each change is recorded', async ({
  world,
  customer,
}) => {
  const asha = await customer();
  const { administration } = world.services.subscription;
  const terms = { monthly_price: 99, yearly_price: 990, storage_gb: 5, max_users: 1, is_popular: false };
  await administration.add('Mini', terms);
  await administration.add('mini', terms).then(
    () => assert.unreachable(),
    (error) => assert.match(error.message, 'already'),
  );
  await administration.retire('MINI');
  const names = (await asha.call('GET', '/api/subscription/plans')).json.data.map(
    ({ name }: { name: string }) => name,
  );
  assert.equal(names, ['Starter', 'Professional', 'Enterprise']);
  await administration.set('Mini', { monthly_price: 89 });
  assert.ok(!(await asha.call('GET', '/api/subscription/plans')).text.includes('Mini'));
  await administration.sell('Mini');
  assert.ok((await asha.call('GET', '/api/subscription/plans')).text.includes('Mini'));
  assert.equal(
    (await world.db('audit_events').where('did', 'like', 'plans.%').orderBy('id')).map(({ did }) => did),
    ['plans.add', 'plans.retire', 'plans.set', 'plans.sell'],
  );
});

test('after a plan has expired reading and deleting still work, and uploads over the limit are refused with the reason', async ({
  world,
  customer,
}) => {
  const asha = await customer();
  const file = await world.build.file(asha.actor);
  await world
    .db('firm_usage')
    .where({ firm_id: asha.actor.firmId })
    .update({ bytes: 2 * 1024 ** 3 });
  await world.build.file(asha.actor, { name: 'more.txt' }).then(
    () => assert.unreachable(),
    (error) => {
      assert.is(error.code, 'quota_exceeded');
      assert.match(error.message, '1 GB');
    },
  );
  assert.is((await asha.call('GET', '/api/documents')).json.data.items.length, 1);
  assert.is((await asha.call('DELETE', `/api/documents/${file.id}`)).status, 200);
});

test.run();
