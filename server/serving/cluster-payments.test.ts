import { setTimeout as wait } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ASHA } from '../testing/http-world.ts';
import { openGateway } from '../testing/gateway/emulator.ts';
import { postgresOnly } from '../testing/postgres.ts';
import { startCluster } from '../testing/cluster/cluster.ts';
import { until } from '../testing/until.ts';
import { Visitor } from '../testing/visitor.ts';

const test = suite('payments with several processes');

/** Ms after the webhook was sent at which the process that received it is killed. */
const MOMENTS = [0, 5, 15, 40, 100];

test('a webhook whose process is killed before it responds, and that is retried at another, counts once', async () => {
  const gateway = await openGateway();
  const vault = await startCluster(2, {
    RAZORPAY_KEY_ID: gateway.keyId,
    RAZORPAY_KEY_SECRET: gateway.keySecret,
    RAZORPAY_WEBHOOK_SECRET: gateway.webhooks.secret,
    RAZORPAY_API_URL: gateway.url,
    RAZORPAY_CHECKOUT_URL: `${gateway.url}/v1/checkout.js`,
  });
  try {
    const [first, second] = vault.servers;
    const webhook = (base: string) => `${base}/api/subscription/webhook`;
    gateway.webhooks.url = null;
    const asha = await new Visitor(second!.base).arrive();
    assert.is((await asha.post('/api/auth/register', ASHA)).status, 201);
    const given = async () => (await vault.db('subscriptions')).length;
    const ends: string[] = [];
    for (const [n, moment] of MOMENTS.entries()) {
      const asked = { plan_id: 1, billing_cycle: 'monthly' };
      const order = await asha.post('/api/subscription/order', asked);
      assert.is(order.status, 200, order.text);
      gateway.ledger.pay(order.json.data.order_id);
      const event = gateway.webhooks.events.findLast((one) => one.event === 'payment.captured')!;
      const sending = gateway.webhooks.send(event, {}, webhook(first!.base));
      await wait(moment);
      await first!.kill();
      await sending;
      // The gateway does not know whether its webhook was processed, and retries several times at the next process.
      for (const _ of [0, 1, 2])
        assert.is(await gateway.webhooks.send(event, {}, webhook(second!.base)), 200);
      await until(async () => (await given()) === n + 1, 60_000);
      ends.push((await asha.get('/api/subscription/current')).json.data.subscription.ends_at);
      await first!.start();
    }
    const { data: history } = (await asha.get('/api/subscription/payments')).json;
    assert.is(history.length, MOMENTS.length);
    assert.is(new Set(history.map((row: { invoice: { number: string } }) => row.invoice.number)).size, 5);
    assert.is((await vault.db('subscriptions')).length, MOMENTS.length);
    assert.is(new Set(ends).size, MOMENTS.length, 'each payment prolongs by one month');
  } finally {
    await vault.stop();
    await gateway.close();
  }
});

postgresOnly(test).run();
