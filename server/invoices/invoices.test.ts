import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SELLER, openPaymentsWorld } from '../testing/payments-world.ts';
import type { Customer, PaymentsWorld } from '../testing/payments-world.ts';
import type { InvoiceDocument } from './contract.ts';
import { refuseWrites } from '#server/testing/refuse-writes.ts';

const test = suite<PaymentsWorld>('invoices');
test.before.each(async (shop) => {
  Object.assign(shop, await openPaymentsWorld());
  shop.gateway.webhooks.url = null;
});
test.after.each((shop) => shop.close());

async function buy({ gateway }: PaymentsWorld, who: Customer, plan = 1, cycle = 'yearly') {
  const order = await who.order(plan, cycle);
  const got = await who.verify(order, gateway.proof(gateway.ledger.pay(order.order_id).id));
  assert.is(got.status, 200, got.text);
}
const documents = async ({ world }: PaymentsWorld): Promise<InvoiceDocument[]> =>
  (await world.db('invoices').orderBy('id')).map(({ document }) => JSON.parse(document));

test('fifty firms that pay at the same time get consecutive invoice numbers, without gaps and duplicates', async (shop) => {
  const firms = await Promise.all(Array.from({ length: 50 }, () => shop.customer()));
  await Promise.all(firms.map((firm) => buy(shop, firm)));
  const numbers = (await documents(shop)).map(({ number }) => number).toSorted();
  const wanted = Array.from({ length: 50 }, (_, index) => `AL/26-27/${String(index + 1).padStart(6, '0')}`);
  assert.equal(numbers, wanted);
  assert.ok(numbers.every((number) => number.length <= 16));
});

test('a payment whose transaction is rolled back uses no invoice number', async (shop) => {
  const asha = await shop.customer();
  const { db } = shop.world;
  const allow = await refuseWrites(db, 'jobs', 'INSERT');
  const order = await asha.order(1);
  const proof = shop.gateway.proof(shop.gateway.ledger.pay(order.order_id).id);
  assert.is((await asha.verify(order, proof)).status, 500);
  assert.equal(await db('invoices'), []);
  assert.equal(await db('payments'), []);
  assert.is((await asha.current()).status, 'free');
  await allow();
  assert.is((await asha.verify(order, proof)).status, 200);
  assert.is((await documents(shop))[0]!.number, 'AL/26-27/000001');
});

test('invoice numbers start again from 1 on 1 April, Indian time', async (shop) => {
  const asha = await shop.customer();
  const { payments } = shop.world.services;
  const at = async (time: string, plan: number) => {
    const order = await payments.order(asha.actor, { plan_id: plan, billing_cycle: 'monthly' });
    shop.world.advance(Date.parse(time) - shop.world.now().getTime());
    shop.gateway.ledger.pay(order.order_id);
    assert.is((await payments.reconcileAll()).paid, 1);
  };
  await at('2027-03-31T18:29:59.999Z', 1);
  await at('2027-03-31T18:30:00.000Z', 2);
  await at('2027-04-01T00:00:00.000Z', 3);
  assert.equal(
    (await documents(shop)).map(({ number }) => number),
    ['AL/26-27/000001', 'AL/27-28/000001', 'AL/27-28/000002'],
  );
});

test('customers in the seller’s state pay CGST and SGST, and customers in other states pay IGST', async (shop) => {
  const [near, far, unknown] = [await shop.customer(), await shop.customer(), await shop.customer()];
  const details = { name: 'Rao & Co', address: 'Pune', gstin: '', state: '27' };
  assert.is((await near.call('PUT', '/api/billing/details', details)).status, 200);
  const gstin = { ...details, state: '27', gstin: ' 29aaacz0000a1z5 ' };
  const saved = await far.call('PUT', '/api/billing/details', gstin);
  assert.equal(
    [saved.json.data.gstin, saved.json.data.state],
    ['29AAACZ0000A1Z5', '29'],
    'the registration says where the firm is',
  );
  for (const firm of [near, far, unknown]) await buy(shop, firm);
  const [home, away, silent] = await documents(shop);
  assert.equal(
    home!.taxes.map(({ name, paise }) => [name, paise]),
    [
      ['CGST', 76_264],
      ['SGST', 76_264],
    ],
  );
  assert.equal(
    away!.taxes.map(({ name, paise }) => [name, paise]),
    [['IGST', 152_527]],
  );
  assert.equal([away!.place_of_supply, silent!.place_of_supply], ['29', '27']);
  for (const { taxable_paise, taxes, rounding_paise, total_paise } of [home!, away!, silent!]) {
    const sum = taxes.reduce((all, { paise }) => all + paise, taxable_paise + rounding_paise);
    assert.equal([sum, total_paise], [999_900, 999_900]);
  }
});

test('the invoice of somebody who has left by then goes to an admin of the firm, not to them', async (shop) => {
  const { world, gateway } = shop;
  const asha = await shop.customer();
  const order = await asha.order();
  const { actor } = await world.build.colleague(asha.actor, { role: 'admin' });
  await world.db('orders').update({ user_id: actor.userId });
  await world.db('users').where({ id: actor.userId }).update({ deactivated_at: 'now' });
  await asha.verify(order, gateway.proof(gateway.ledger.pay(order.order_id).id));
  await world.services.invoices.sendIssued();
  const [sent] = (await world.deliverMail()).filter(({ kind }) => kind === 'invoices.issued');
  const { email } = await world.services.auth.viewer(asha.actor);
  assert.is(sent!.to.address, email);
});

test('a wrong GSTIN or state is reported at its field, and nothing is saved', async ({ customer }) => {
  const asha = await customer();
  const got = await asha.call('PUT', '/api/billing/details', { gstin: '27AAAPZ0000Q1ZM', state: 'XX' });
  assert.is(got.status, 422);
  assert.equal(Object.keys(got.json.errors).toSorted(), ['gstin', 'state']);
  for (const state of ['__proto__', 'constructor', 'toString'])
    assert.is((await asha.call('PUT', '/api/billing/details', { state })).status, 422, state);
  assert.is((await asha.call('GET', '/api/billing/details')).json.data.gstin, '');
});

test('an issued invoice does not change when the firm or the plan is renamed, and the database refuses to change it', async (shop) => {
  const asha = await shop.customer();
  await buy(shop, asha);
  const [before] = await documents(shop);
  await asha.call('PUT', '/api/billing/details', { name: 'Another name' });
  await shop.world.db('plans').where({ id: 1 }).update({ name: 'Basic' });
  assert.equal((await documents(shop))[0], before);
  for (const tamper of [
    shop.world.db('invoices').update({ number: 'x' }),
    shop.world.db('invoices').delete(),
  ])
    await tamper.then(
      () => assert.unreachable(),
      (error: Error) => assert.match(error.message, /never changed/),
    );
});

test('an invoice is downloaded as a PDF by its firm, and gives 404 to other firms and 403 without permission', async (shop) => {
  const [asha, vik] = [await shop.customer(), await shop.customer()];
  await asha.call('PUT', '/api/billing/details', { name: 'श्री गणेश ट्रेडर्स', address: 'पुणे' });
  await buy(shop, asha);
  const [{ invoice }] = (await asha.call('GET', '/api/subscription/payments')).json.data;
  assert.equal([invoice.number, invoice.title], ['AL/26-27/000001', 'Tax Invoice']);
  const got = await asha.call('GET', `/api/billing/invoices/${invoice.id}`);
  assert.is(got.headers.get('content-type'), 'application/pdf');
  assert.is(got.headers.get('content-disposition'), 'attachment; filename="AL-26-27-000001.pdf"');
  assert.ok(got.text.startsWith('%PDF-'));
  assert.is((await vik.call('GET', `/api/billing/invoices/${invoice.id}`)).status, 404);
  assert.is((await asha.call('GET', '/api/billing/invoices/99')).status, 404);
  const actor = shop.world.build.limited(asha.actor);
  for (const ask of [
    () => shop.world.services.invoices.document(actor, invoice.id),
    () => shop.world.services.payments.history(actor),
  ])
    await ask().then(
      () => assert.unreachable(),
      (error: { status: number }) => assert.is(error.status, 403),
    );
});

test('an invoice is sent once by e-mail, after the payment has been recorded', async (shop) => {
  const asha = await shop.customer();
  await buy(shop, asha);
  await shop.world.services.payments.reconcileAll();
  const emails = async () => shop.world.db('jobs').where('subject', 'like', 'invoices.%');
  assert.equal(await emails(), [], 'it is drawn after the payment has counted, and not within it');
  // Twice, as after a crash in the middle.
  for (let n = 0; n < 2; n += 1) await shop.world.services.invoices.sendIssued();
  const [sent] = (await shop.world.deliverMail()).filter(({ kind }) => kind === 'invoices.issued');
  assert.match(String(sent!.attachments[0]!.content.subarray(0, 5)), /^%PDF-/);
  assert.match(sent!.text, /Nov 20, 2026 to \w+ \d+, 202[67]/, 'dates as on the screens');
  assert.equal(
    (await emails()).map(({ subject }) => subject),
    ['invoices.issued'],
  );
});

test('without a configured seller a payment gets a receipt instead of an invoice, with its own series of numbers', async (shop) => {
  await shop.close();
  const plain = await openPaymentsWorld({ invoicing: { ...SELLER, seller: null } });
  const asha = await plain.customer();
  await buy(plain, asha);
  const [receipt] = await documents(plain);
  assert.equal([receipt!.kind, receipt!.number, receipt!.taxes], ['receipt', 'RC/26-27/000001', []]);
  await plain.close();
});

test.run();
