import type { Browser, Frame, Page } from 'puppeteer';
import * as assert from 'uvu/assert';
import { builtSite, load, openBrowser, openPage, signIn } from '#server/testing/browser.ts';
import type { WatchedPage } from '#server/testing/browser.ts';
import { PASSWORD } from '#server/testing/build.ts';
import type { PaymentsWorld } from '#server/testing/payments-world.ts';
import { openPaymentsWorld } from '#server/testing/payments-world.ts';
import type { WorldOptions } from '#server/testing/world.ts';
import { violations } from './axe.ts';
import { waitForText, textOf } from './office.ts';
import { closePages, watchedSuite } from './watched.ts';

interface Store extends PaymentsWorld {
  browser: Browser;
  page: WatchedPage;
}

const EMAIL = 'asha@rao.in';
const DAY = 24 * 60 * 60_000;
const test = watchedSuite<Store>('plans');

async function open(store: Store, options: WorldOptions = {}): Promise<void> {
  Object.assign(store, await openPaymentsWorld(options, { site: await builtSite() }));
  await store.world.build.account({ email: EMAIL });
  store.page = await openPage(store.browser);
}
async function close(store: Store): Promise<void> {
  await closePages(store);
  await store.close();
}
test.before(async (store) => {
  store.browser = await openBrowser();
});
test.before.each((store) => open(store));
test.after.each(close);
test.after(({ browser }) => browser.close());

/** Signs in and opens the plans screen. */
async function enter({ page, base }: Store): Promise<void> {
  await signIn(page, base, { email: EMAIL, password: PASSWORD }, '/subscription-plans');
}
const press = (page: Page, name: string) => page.locator(`::-p-aria(${name})`).click();
const choose = (page: Page, label: string) => press(page, label);

async function gatewayFrame(page: Page): Promise<Frame> {
  const element = await page.waitForSelector('iframe.razorpay-checkout-frame');
  const frame = await element!.contentFrame();
  await frame.waitForSelector('button[value=success]');
  return frame;
}
const clickInGateway = async (page: Page, outcome: string) =>
  (await gatewayFrame(page)).click(`button[value=${outcome}]`);
const PRO = 'Monthly Plan, Professional, ₹1,999';

test('plan cards show prices and limits, and a click pays for a plan', async (store) => {
  const { page, gateway } = store;
  gateway.webhooks.url = null;
  await enter(store);
  const card = await textOf(page, 'article:nth-of-type(2)');
  for (const text of ['Professional', 'Most Popular', '₹1,999', '₹19,999', 'Save 17%', '100 GB', '3 users'])
    assert.match(card, text);
  assert.match(await textOf(page, '.topbar'), 'Free Plan Upgrade');
  assert.is(await planEntry(page), 'Upgrade Now PRO');
  assert.equal(await violations(page), []);
  await choose(page, PRO);
  const frame = await gatewayFrame(page);
  const bill = await frame.$eval('main', (node) => node.textContent);
  assert.match(bill, '₹1,999.00');
  assert.match(bill, EMAIL);
  await waitForText(page, "Please don't close this window");
  await clickInGateway(page, 'success');
  await waitForText(page, 'Subscription activated successfully! Welcome to premium!');
  await waitForText(page, 'Current Plan');
  assert.is(
    await textOf(page, '.topbar a[href="/subscription-plans"]'),
    'Premium Active',
    'the badge offers nothing',
  );
  assert.is(await planEntry(page), 'Premium Plan');
  await waitForText(page, 'AL/26-27/000001');
  assert.equal(await violations(page), []);
  assert.is(gateway.ledger.taken(), 199_900);
});

test('the GSTIN can be given before the first payment, since its invoice cannot be changed later', async (store) => {
  const { page, gateway, world } = store;
  await enter(store);
  await load(page, new URL('/storage', page.url()).href);
  await page.locator('::-p-text(Billing and invoices)').click();
  await press(page, 'invoice details');
  const gstin = await page.waitForSelector('#billing input[name=gstin]');
  await gstin!.type('29aaacz0000a1z5');
  await press(page, 'Save');
  await waitForText(page, 'Taken from the GSTIN.');
  await waitForText(page, 'Saved');
  await choose(page, PRO);
  await clickInGateway(page, 'success');
  await waitForText(page, 'AL/26-27/000001');
  const { document } = await world.db('invoices').first();
  const { buyer, place_of_supply } = JSON.parse(document);
  assert.equal([buyer.gstin, place_of_supply], ['29AAACZ0000A1Z5', '29']);
  assert.is(gateway.ledger.taken(), 199_900);
});

test('closing the window of the payment gateway charges nothing, a declined payment says why, and a second attempt in the same window succeeds', async (store) => {
  const { page, gateway } = store;
  await enter(store);
  await choose(page, PRO);
  await clickInGateway(page, 'dismiss');
  await waitForText(page, 'Payment cancelled');
  await page.waitForFunction(() => !document.body.innerText.includes("Please don't close this window"));
  assert.is(gateway.ledger.taken(), 0);
  await choose(page, PRO);
  await clickInGateway(page, 'failure');
  await waitForText(page, 'Payment failed: Your payment was declined by the bank.');
  assert.is(gateway.ledger.orders.size, 1, 'the next attempt uses the same order');
  await clickInGateway(page, 'success');
  await waitForText(page, 'Subscription activated successfully! Welcome to premium!');
});

test('when the answer of the gateway is lost, the page finds out about the payment by itself', async (store) => {
  const { page, gateway } = store;
  gateway.webhooks.url = null;
  await enter(store);
  await choose(page, PRO);
  await clickInGateway(page, 'vanish');
  await page.waitForFunction(() => document.body.innerText.includes('Current Plan'));
});

test('a payment made before the browser was closed is recognised when another plan is chosen, so that nobody pays twice', async (store) => {
  const { page, base, gateway, world } = store;
  gateway.webhooks.url = null;
  await enter(store);
  await choose(page, PRO);
  await clickInGateway(page, 'vanish');
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto('about:blank');
  await load(page, `${base}/subscription-plans`);
  await choose(page, 'Yearly Plan, Starter, ₹9,999');
  await waitForText(page, 'Your earlier payment for Professional has arrived');
  assert.is((await world.db('subscriptions')).length, 1);
});

test('the page says at once when the gateway cannot be reached, before and after paying', async (store) => {
  const { page, gateway } = store;
  await enter(store);
  gateway.outage = 'down';
  await choose(page, PRO);
  await waitForText(page, 'The payment gateway is not answering. Nothing was charged.');
  gateway.outage = null;
  await choose(page, PRO);
  const frame = await gatewayFrame(page);
  gateway.outage = 'html';
  await frame.click('button[value=success]');
  await waitForText(page, 'we keep asking, and the plan starts by itself');
  gateway.outage = null;
  await press(page, 'I have paid, check again');
  await waitForText(page, 'Current Plan');
});

test('each failed step of a payment shows its own message', async (store) => {
  const { page, world, base } = store;
  await world.db.raw('ALTER TABLE plans RENAME COLUMN retired_at TO away');
  await enter(store);
  await waitForText(page, 'Failed to load subscription plans');
  await world.db.raw('ALTER TABLE plans RENAME COLUMN away TO retired_at');
  await press(page, 'Retry');
  await page.waitForSelector(`::-p-aria(${PRO})`);
  await page.setOfflineMode(true);
  await choose(page, PRO);
  await waitForText(page, 'Failed to process subscription. Please try again.');
  await press(page, 'Start Trial');
  await waitForText(page, 'Failed to start trial. Please try again.');
  await page.setOfflineMode(false);

  await page.setRequestInterception(true);
  page.on('request', (request) => {
    if (request.url() === `${base}/api/subscription/verify-payment`)
      return void request.respond({ status: 500, contentType: 'application/json', body: '{}' });
    return void request.continue();
  });
  await choose(page, PRO);
  await clickInGateway(page, 'success');
  await waitForText(page, 'Payment verification failed. Please contact support if amount was deducted.');
});

/** The text of the entry for plans in the menu of the account. */
async function planEntry(page: Page): Promise<string> {
  await page.locator('.user-button').click();
  const text = await textOf(page, '[role=menuitem][href="/subscription-plans"]');
  await page.keyboard.press('Escape');
  return text;
}

test('when the script of the gateway does not load, the page says so', async (store) => {
  await close(store);
  const otherStore = await openPaymentsWorld();
  const { gateway } = otherStore;
  await open(store, {
    gateway: {
      keyId: gateway.keyId,
      keySecret: gateway.keySecret,
      webhookSecrets: [],
      apiUrl: gateway.url,
      checkoutUrl: `${gateway.url}/v1/nothing.js`,
    },
  });
  await enter(store);
  await choose(store.page, PRO);
  await waitForText(store.page, 'Failed to load payment gateway');
  await otherStore.close();
});

test('the trial is offered once, and the badge counts its days', async (store) => {
  const { page, world, base } = store;
  await enter(store);
  await press(page, 'Start Trial');
  await waitForText(page, 'Free trial started successfully! Enjoy 14 days of premium features.');
  assert.match(await textOf(page, '.topbar'), 'Trial: 14 days left Upgrade Now');
  assert.is(await planEntry(page), 'Trial Plan');
  assert.is(await page.$('#trial-title'), null);
  world.advance(10 * DAY);
  await load(page, `${base}/dashboard`);
  assert.match(await textOf(page, '.topbar'), 'Trial ends in 4 days! Upgrade Now');
  world.advance(5 * DAY);
  await load(page, `${base}/subscription-plans`);
  assert.match(await textOf(page, '.topbar'), 'Free Plan Upgrade');
  assert.is(await page.$('#trial-title'), null);
});

test('a plan can be renewed shortly before it expires, and afterwards the badge says that it has expired', async (store) => {
  const { page, world, base } = store;
  await enter(store);
  await choose(page, PRO);
  await clickInGateway(page, 'success');
  await waitForText(page, 'Current Plan');
  assert.is(await page.$(`::-p-aria(Renew: ${PRO})`), null);
  world.advance(25 * DAY);
  await load(page, `${base}/subscription-plans`);
  assert.match(await textOf(page, '.topbar'), 'Expires in 5 days Renew');
  await choose(page, `Renew: ${PRO}`);
  await clickInGateway(page, 'success');
  await waitForText(page, 'Expires On Jan 20, 2027');
  world.advance(40 * DAY);
  await enter(store);
  assert.match(await textOf(page, '.topbar'), 'Premium Expired Renew');
  await waitForText(page, 'Professional (Expired)');
});

test("only the plans screen has a policy that allows the gateway's scripts, so it is entered and left by full page loads", async (store) => {
  const { page, base, gateway } = store;
  const policies = new Map<string, string>();
  page.on('response', (response) => {
    const policy = response.headers()['content-security-policy'];
    if (policy) policies.set(new URL(response.url()).pathname, policy);
  });
  await enter(store);
  await page.evaluate(() => Object.assign(window, { loadedBefore: true }));
  await Promise.all([page.waitForNavigation(), page.locator('.sidebar a[href="/dashboard"]').click()]);
  await page.waitForFunction(
    () => document.title.startsWith('Dashboard') || location.pathname === '/dashboard',
  );
  assert.is(await page.evaluate(() => 'loadedBefore' in window), false);
  assert.match(policies.get('/subscription-plans')!, gateway.url);
  assert.not.match(policies.get('/dashboard')!, gateway.url);
  await page.evaluate(() => Object.assign(window, { loadedBefore: true }));
  await Promise.all([
    page.waitForNavigation(),
    page.locator('.topbar a[href="/subscription-plans"]').click(),
  ]);
  await page.waitForFunction((url) => location.href.startsWith(url), {}, `${base}/subscription-plans`);
  await page.waitForFunction(() => !('loadedBefore' in window));
});

test('without keys of a gateway the screen offers plans by e-mail instead of payment', async (store) => {
  await close(store);
  await open(store, { gateway: null });
  await enter(store);
  await waitForText(store.page, 'Online payment is not set up on this server.');
  await waitForText(store.page, 'help@example.in');
  const links = await store.page.$$eval('article a', (elements) => elements.map((link) => link.href));
  assert.ok(links.length >= 6, 'each plan is asked for by e-mail');
  assert.ok(links.every((href) => href.startsWith('mailto:help@example.in?subject=')));
  assert.is(await store.page.$('article button[disabled]'), null, 'there are no disabled buttons');
  assert.not(await store.page.$eval('main', (node) => /Free Plan\s*Free Plan/.test(node.innerText)));
  assert.equal(
    await violations(store.page),
    [],
    'axe finds nothing, such as an area that cannot be scrolled by keyboard',
  );
});

test.run();
