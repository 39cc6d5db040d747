import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hmacSha256 } from '../testing/gateway/webhooks.ts';
import { openPaymentsWorld } from '../testing/payments-world.ts';
import type { Customer, PaymentsWorld } from '../testing/payments-world.ts';
import { isPaymentSignature, isWebhookSignature } from './signatures.ts';

const test = suite<PaymentsWorld>('signatures');
test.before.each(async (shop) => {
  Object.assign(shop, await openPaymentsWorld());
  shop.gateway.webhooks.url = null;
});
test.after.each((shop) => shop.close());

const UNVERIFIED = 'Payment verification failed. Please contact support if amount was deducted.';

async function refused(customer: Customer, order: Parameters<Customer['verify']>[0], proof: object) {
  const response = await customer.verify(order, proof as Record<string, unknown>);
  assert.is(response.status, 422, response.text);
  assert.is(response.json.message, UNVERIFIED);
  assert.is((await customer.current()).status, 'free');
}

test('known signatures of the published scheme are accepted', () => {
  const payment = '203b3cb2d07eeb33128a90a98a654325be90844a088d3cce5871fa09d096a169';
  assert.ok(isPaymentSignature('sek', { orderId: 'order_1', paymentId: 'pay_1' }, payment));
  const webhook = '07f81e23e15d4daaea44149bc1edbc0d3ded8518974ae191c47173203e589325';
  assert.ok(isWebhookSignature(['other', 'wh'], Buffer.from('{"a":1}'), webhook));
  assert.not(isWebhookSignature([], Buffer.from('{"a":1}'), webhook));
});

test('a signature in any other notation is refused: upper case, padded, cut, empty, not text', async ({
  gateway,
  customer,
}) => {
  const asha = await customer();
  const order = await asha.order();
  const proof = gateway.proof(gateway.ledger.pay(order.order_id).id);
  const valid = proof.razorpay_signature;
  const invalidSignatures: unknown[] = [
    valid.toUpperCase(),
    ` ${valid}`,
    `${valid}\n`,
    `${valid}00`,
    valid.slice(0, 62),
    '',
    '0'.repeat(64),
    'ü'.repeat(64),
    [valid],
    { $ne: '' },
    null,
    true,
    'x'.repeat(100_000),
  ];
  for (const razorpay_signature of invalidSignatures)
    await refused(asha, order, { ...proof, razorpay_signature });
  for (const name of Object.keys(proof)) await refused(asha, order, { ...proof, [name]: undefined });
  assert.is((await asha.verify(order, proof)).status, 200);
});

test('a signature for a cheaper order of the same firm does not pay a dearer one', async ({
  gateway,
  customer,
}) => {
  const asha = await customer();
  const [cheap, dear] = [await asha.order(1, 'monthly'), await asha.order(3, 'yearly')];
  const paid = gateway.ledger.pay(cheap.order_id);
  await refused(asha, dear, gateway.proof(paid.id));
  const mixed = { ...gateway.proof(paid.id), razorpay_order_id: dear.order_id };
  await refused(asha, dear, mixed);
  // Signed with the real secret, as if it leaked: the gateway still knows of no such payment.
  const forged = hmacSha256(gateway.keySecret, `${dear.order_id}|${paid.id}`);
  await refused(asha, dear, { ...mixed, razorpay_signature: forged });
});

test('an order of another firm cannot be verified, even with a valid signature', async ({
  gateway,
  customer,
}) => {
  const [asha, vik] = [await customer(), await customer()];
  const [hers, his] = [await asha.order(), await vik.order()];
  const paid = gateway.proof(gateway.ledger.pay(hers.order_id).id);
  assert.is((await vik.verify(hers, paid)).status, 404);
  await refused(vik, his, paid);
  assert.is((await asha.verify(hers, paid)).status, 200);
  await refused(vik, his, paid);
});

test('a valid signature gives nothing when the gateway reports a failed or different payment', async ({
  gateway,
  customer,
}) => {
  const asha = await customer();
  const order = await asha.order();
  const failed = gateway.ledger.fail(order.order_id);
  await refused(asha, order, gateway.proof(failed.id));
  for (const change of [{ amount: 100 }, { currency: 'USD' }]) {
    const wrong = gateway.ledger.pay(order.order_id, { ...change, status: 'captured', captured: true });
    await refused(asha, order, gateway.proof(wrong.id));
  }
  const history = (await asha.call('GET', '/api/subscription/payments')).json.data;
  assert.equal(history.map(({ status }: { status: string }) => status).toSorted(), [
    'failed',
    'under_review',
    'under_review',
  ]);
});

test('verifying a payment requires a session', async ({ base, gateway, customer }) => {
  const asha = await customer();
  const order = await asha.order();
  const proof = gateway.proof(gateway.ledger.pay(order.order_id).id);
  const response = await fetch(`${base}/api/subscription/verify-payment`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer nobody' },
    body: JSON.stringify({ subscription_id: order.subscription_id, ...proof }),
  });
  assert.is(response.status, 401);
});

test.run();
