import * as assert from 'uvu/assert';
import { load } from '#server/testing/browser.ts';
import { violations } from './axe.ts';
import type { Office } from './office.ts';
import { waitForValue, officeSuite, pathOf, waitForText, textOf } from './office.ts';

const test = officeSuite('the public pages');

const arrive = ({ page, url }: Office, path = '/') => load(page, url + path);

test('the landing page shows the plans as they are in the database, by the month and by the year', async (office) => {
  const { page, world } = office;
  await world.db('plans').where({ name: 'Starter' }).update({ monthly_price: 123_456 });
  await arrive(office);
  assert.match(await textOf(page, '[data-offer=Starter]'), /₹1,23,456/);
  assert.is((await page.$$('[data-offer] a[href="/register"]')).length, 3);
  const shown = () => page.$eval('[data-offer=Professional]', (card) => (card as HTMLElement).innerText);
  assert.match(await shown(), /₹1,999\s*a month/);
  await page.click('.choice:has([value=yearly])');
  assert.match(await shown(), /₹19,999\s*a year[\s\S]*Save 17%/);
  assert.not.match(await shown(), /a month/);
});

test('prices that cannot be loaded are replaced by the built-in ones, and can be asked for again', async (office) => {
  const { page, world } = office;
  await world.db.raw('ALTER TABLE plans RENAME TO away');
  await arrive(office);
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

test('a section is reached from the header, and a custom plan is asked for by mail', async (office) => {
  const { page } = office;
  await arrive(office);
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

test('no page asks another host for anything', async (office) => {
  const { page, url } = office;
  const foreign: string[] = [];
  page.on('request', (request) => {
    const address = request.url();
    if (!address.startsWith(url) && !/^(?:data|blob):/.test(address)) foreign.push(address);
  });
  for (const path of ['/', '/terms', '/privacy', '/help', '/login', '/register']) await arrive(office, path);
  assert.equal(foreign, []);
});

test('it is whole without JavaScript', async (office) => {
  const { page } = office;
  await page.setJavaScriptEnabled(false);
  await arrive(office);
  assert.match(await textOf(page, '[data-offer=Professional]'), /Most Popular/);
  await page.click('.choice:has([value=yearly])');
  const text = await page.$eval('[data-offer=Professional]', (card) => (card as HTMLElement).innerText);
  assert.match(text, /a year/);
});

test('who is signed in is led to the drive instead of to the sign-in', async (office) => {
  const { page, asha, url } = office;
  await page.setExtraHTTPHeaders({ authorization: `Bearer ${asha.token}` });
  await page.goto(url);
  assert.match(await textOf(page, 'header'), /Open your drive/);
});

test('the terms on the last step of registration and the help are there to be read', async (office) => {
  const { page } = office;
  for (const [path, title] of [
    ['/terms', 'Terms of Service'],
    ['/privacy', 'Privacy Policy'],
    ['/help', 'Help'],
  ] as const) {
    await arrive(office, path);
    assert.is(await textOf(page, 'h1'), title);
    await waitForValue(() => pathOf(page), path);
  }
});

for (const width of [390, 768, 1366]) {
  test(`nothing sticks out at ${width} px`, async (office) => {
    const { page } = office;
    await page.setViewport({ width, height: 800 });
    for (const path of ['/', '/terms', '/privacy', '/help', '/forgot-password']) {
      await arrive(office, path);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(over <= 0, `${path}: ${over} px`);
    }
  });
}

test('axe finds nothing', async (office) => {
  const { page } = office;
  for (const path of ['/', '/terms', '/privacy', '/help']) {
    await arrive(office, path);
    assert.equal(await violations(page), [], path);
  }
});

test.run();
