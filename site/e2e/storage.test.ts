import * as assert from 'uvu/assert';
import { load, signIn } from '#server/testing/browser.ts';
import { violations } from './axe.ts';
import type { Office } from './office.ts';
import { ASHA, officeSuite, waitForText, waitForValue, textOf } from './office.ts';

const test = officeSuite('the storage screen');

const DAY = 86_400_000;
const GIB = 1024 ** 3;
/** A day relative to now, by the clock of the machine, as the page uses it; the clock of the world is set to it in `enter`. */
const dayFromNow = (days: number) => new Date(Date.now() + days * DAY - 60_000).toISOString();

/** By keyboard, since the welcome toast covers the button for some seconds. */
async function refresh({ page }: Office): Promise<void> {
  await page.focus('main header button');
  await page.keyboard.press('Enter');
}
async function enter(office: Office): Promise<void> {
  const difference = Date.now() - office.world.now().getTime();
  office.world.advance(difference);
  await signIn(office.page, office.url, ASHA, '/storage');
}
const card = ({ page }: Office, title: string) =>
  page.$$eval(
    'main section',
    (sections, wanted) =>
      sections.find((section) => section.querySelector('h2')?.textContent === wanted)?.innerText ?? '',
    title,
  );
const badge = ({ page }: Office) => textOf(page, '.topbar a[href="/subscription-plans"]');
/** Gives the firm a plan that ends in so many days, in place of the one it has. */
async function setSubscription({ world, asha }: Office, days: number): Promise<void> {
  const plan = await world.db('plans').where('name', 'Professional').first('id');
  await world.db('subscriptions').delete();
  await world.db('subscriptions').insert({
    firm_id: asha.actor.firmId,
    plan_id: plan.id,
    billing_cycle: 'yearly',
    amount_paise: 1_999_900,
    starts_at: dayFromNow(days - 365),
    ends_at: dayFromNow(days),
  });
}
const setUsage = ({ world, asha }: Office, bytes: number) =>
  world.db('firm_usage').insert({ firm_id: asha.actor.firmId, file_type: 'pdf', files: 3, bytes });

test('a new firm is on Free and is offered the trial, which says how long it lasts', async (office) => {
  const { page } = office;
  await enter(office);
  const plan = await card(office, 'Current Subscription');
  for (const text of ['Free Plan', '1 GB', '1 user']) assert.match(plan, text);
  assert.is(await textOf(page, 'main h1'), 'Storage & Subscription');
  assert.match(await card(office, 'Storage Usage'), '0.0%');
  assert.match(await card(office, 'File Types'), 'No files yet');
  assert.is(await page.$('a[href$="#billing"]'), null, 'without payments the plans have no such part');
  assert.is(await page.$eval('a ::-p-text(View Plans)', (a) => a.closest('a')?.target), '_blank');
  assert.equal(await violations(page), []);
  await page.locator('main ::-p-text(Start Free Trial)').click();
  await waitForText(page, 'Free trial started successfully! Enjoy 14 days of premium features.');
  await page.waitForFunction(() => document.querySelector('main')?.innerText.includes('14 days left'));
  const trial = await card(office, 'Current Subscription');
  for (const text of ['Free Trial', '5 GB', '3 users', 'Expires On', '14 days left'])
    assert.match(trial, text);
  assert.not(await page.$('main ::-p-text(Start Free Trial)'), 'one trial a firm');
});

test('a paid plan is shown with its limits and billing, is offered for renewal shortly before it expires, and then says so', async (office) => {
  const { page } = office;
  await setSubscription(office, 200);
  await enter(office);
  const plan = await card(office, 'Current Subscription');
  for (const text of ['Professional', 'Active', '100 GB', '3 users', '₹19999 / yearly', '200 days left'])
    assert.match(plan, text);
  await waitForText(page, 'Premium Active');
  assert.not(await page.$('#upgrade'));
  assert.equal(await violations(page), []);

  await setSubscription(office, 5);
  await load(page, page.url());
  assert.is(await badge(office), 'Expires in 5 days Renew');
  assert.is(await textOf(page, '#upgrade'), 'Renew your plan');

  await setSubscription(office, -3);
  await load(page, page.url());
  const expired = await card(office, 'Current Subscription');
  for (const text of ['Professional (Expired)', 'Expired On', '0 days left', '₹19999 / yearly'])
    assert.match(expired, text);
  await waitForText(page, "Until then your limit is the Free Plan's, 1 GB.");
  assert.is(await badge(office), 'Premium Expired Renew');
  assert.equal(await violations(page), []);
});

test('the screen warns when the storage is 75 and 90 percent full', async (office) => {
  const { page, world, asha } = office;
  await setUsage(office, 0.76 * GIB);
  await enter(office);
  await waitForText(page, 'Storage getting full. Consider upgrading your plan.');
  await world
    .db('firm_usage')
    .where('firm_id', asha.actor.firmId)
    .update({ bytes: Math.ceil(0.8995 * GIB) });
  await refresh(office);
  await waitForText(page, '90.0%');
  await waitForText(page, 'Storage getting full. Consider upgrading your plan.');
  await world
    .db('firm_usage')
    .where('firm_id', asha.actor.firmId)
    .update({ bytes: 0.9 * GIB });
  await refresh(office);
  await waitForText(page, 'Storage almost full! Upgrade your plan or delete files.');
  await waitForText(page, 'Data refreshed successfully!');
});

test('the chart of file types has a text alternative, and large files can be deleted from the screen', async (office) => {
  const { page, world, asha } = office;
  await world.build.file(asha.actor, { name: 'film.mp4', content: 'x'.repeat(3000) });
  await world.build.file(asha.actor, { name: 'note.txt', content: 'x'.repeat(1000) });
  await world.db('touches').delete();
  await enter(office);
  const alternative = await page.$eval('svg[role=img]', (svg) => svg.getAttribute('aria-label'));
  assert.is(alternative, 'Storage by type: Video 75.0 percent, Text 25.0 percent');
  assert.match(await card(office, 'Storage Usage'), /Files\s+2/);
  assert.equal(await violations(page), []);
  const [first] = await page.$$eval('[aria-label="Largest files"], [aria-label^="Duplicate"]', (lists) =>
    lists.map((list) => list.ariaLabel),
  );
  assert.is(first, 'Largest files', 'they come before duplicates, which may be small');
  await page.locator('[aria-label="Largest files"] li:first-child label').click();
  await page.locator('main ::-p-text(Delete 1)').click();
  await page.waitForSelector('[role=alertdialog]');
  await page.locator('[role=alertdialog] footer button:last-child').click();
  await waitForText(page, '1 item moved to Trash');
  await page.waitForFunction(
    () => !document.querySelector('[aria-label="File types"]')?.textContent?.includes('mp4'),
  );
  // Loaded again by itself, before or after the types.
  await waitForValue(async () => /Files\s+1/.test(await card(office, 'Storage Usage')), true);
});

test('each failed call shows its own message', async (office) => {
  const { page } = office;
  // Loaded a while after the page.
  const toasts = page.waitForResponse((response) => response.url().includes('/_astro/toasts.'));
  await enter(office);
  await toasts;
  await page.setOfflineMode(true);
  await refresh(office);
  await waitForText(page, 'Failed to load data');
  await page.locator('main ::-p-text(Start Free Trial)').click();
  await waitForText(page, 'Failed to start trial. Please try again.');
  await page.setOfflineMode(false);
});

test.run();
