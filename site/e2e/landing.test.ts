import * as assert from 'uvu/assert';
import { load } from '#server/testing/browser.ts';
import { violations } from './axe.ts';
import type { Office } from './office.ts';
import { waitForValue, officeSuite, pathOf, waitForText, textOf } from './office.ts';

const test = officeSuite('the public pages');

const open = ({ page, url }: Office, path = '/') => load(page, url + path);

test('the landing page shows the plans of the database, with monthly and yearly prices', async (office) => {
  const { page, world } = office;
  await world.db('plans').where({ name: 'Starter' }).update({ monthly_price: 123_456 });
  await open(office);
  assert.match(await textOf(page, '[data-offer=Starter]'), /₹1,23,456/);
  assert.is((await page.$$('[data-offer] a[href="/register"]')).length, 3);
  const cardText = () => page.$eval('[data-offer=Professional]', (card) => (card as HTMLElement).innerText);
  assert.match(await cardText(), /₹1,999\s*a month/);
  await page.click('.choice:has([value=yearly])');
  assert.match(await cardText(), /₹19,999\s*a year[\s\S]*Save 17%/);
  assert.not.match(await cardText(), /a month/);
});

test('when prices cannot be loaded, built-in prices are shown and the request can be repeated', async (office) => {
  const { page, world } = office;
  await world.db.raw('ALTER TABLE plans RENAME TO away');
  await open(office);
  await waitForText(page, 'Failed to load latest pricing');
  assert.match(await textOf(page, '[data-offer=Starter]'), /₹999/);
  assert.match(await textOf(page, '[data-offer=Enterprise]'), /₹49,999/);
  await page.click('::-p-text(Try again)');
  await waitForText(page, 'HTTP error! status: 500');
  await world.db.raw('ALTER TABLE away RENAME TO plans');
  await world.db('plans').where({ name: 'Starter' }).update({ monthly_price: 1111 });
  await page.click('::-p-text(Try again)');
  await waitForText(page, '₹1,111');
  assert.not(await page.$('[data-failed]:not([hidden])'));
});

test('the header leads to the sections, and custom plans and demos are asked for by e-mail', async (office) => {
  const { page } = office;
  await open(office);
  await page.click('header a[href="#pricing"]');
  await page.waitForFunction(() => {
    const { top } = document.querySelector('#pricing')!.getBoundingClientRect();
    return top >= 0 && top < 200;
  });
  const hrefs = await page.$$eval('a[href^="mailto:"]', (links) =>
    links.map((link) => link.getAttribute('href')),
  );
  assert.ok(hrefs.includes('mailto:help@example.in?subject=A%20custom%20plan%20of%20Almirah'));
  assert.ok(hrefs.includes('mailto:help@example.in?subject=A%20demo%20of%20Almirah'));
});

test('the landing page is complete without JavaScript', async (office) => {
  const { page } = office;
  await page.setJavaScriptEnabled(false);
  await open(office);
  assert.match(await textOf(page, '[data-offer=Professional]'), /Most Popular/);
  await page.click('.choice:has([value=yearly])');
  const text = await page.$eval('[data-offer=Professional]', (card) => (card as HTMLElement).innerText);
  assert.match(text, /a year/);
});

test('the landing page leads signed-in users to the drive instead of the sign-in', async (office) => {
  const { page, asha, url } = office;
  await page.setExtraHTTPHeaders({ authorization: `Bearer ${asha.token}` });
  await page.goto(url);
  assert.match(await textOf(page, 'header'), /Open your drive/);
});

test('each public page can be read without signing in, loads nothing from another host and fits every screen, and axe finds nothing wrong with it', async (office) => {
  const { page, url } = office;
  const foreign: string[] = [];
  page.on('request', (request) => {
    const address = request.url();
    if (!address.startsWith(url) && !/^(?:data|blob):/.test(address)) foreign.push(address);
  });
  for (const [path, title] of [
    ['/', 'Every client’s documents. One secure place.'],
    ['/terms', 'Terms of Service'],
    ['/privacy', 'Privacy Policy'],
    ['/help', 'Help'],
    ['/forgot-password', 'Forgot'],
  ] as const) {
    await open(office, path);
    await waitForValue(() => pathOf(page), path);
    assert.match(await textOf(page, 'h1'), title);
    assert.equal(await violations(page), [], path);
    for (const width of [390, 768, 1366]) {
      await page.setViewport({ width, height: 800 });
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(excess <= 0, `${path} is ${excess} px too wide for ${width} px`);
    }
  }
  for (const path of ['/login', '/register']) await open(office, path);
  assert.equal(foreign, []);
});

test.run();
