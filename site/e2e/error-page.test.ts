import * as assert from 'uvu/assert';
import { signIn } from '#server/testing/browser.ts';
import { violations } from './axe.ts';
import { ASHA, officeSuite, textOf } from './office.ts';

const test = officeSuite('a page that fails');

test('a page that fails looks like the product, shows its request id and offers to try again, all without JavaScript', async (office) => {
  const { page, url, world } = office;
  await signIn(page, url, ASHA, '/recent');
  const { dashboard } = world.services;
  const { stats } = dashboard;
  dashboard.stats = () => Promise.reject(new Error('the disk is away'));
  page.expected.push(/status of 500/);
  await page.goto(`${url}/storage`);
  assert.equal(await violations(page), []);
  await page.setJavaScriptEnabled(false);
  const answer = (await page.goto(`${url}/storage?from=test`))!;
  assert.is(answer.status(), 500);
  assert.is(answer.headers()['cache-control'], 'no-store');
  assert.is(await textOf(page, 'h1'), 'This page could not be shown');
  assert.is(await textOf(page, 'main code'), answer.headers()['x-request-id']);
  assert.not.match(await textOf(page, 'body'), /the disk is away/);
  dashboard.stats = stats;
  await Promise.all([page.waitForNavigation(), page.click('main a[href="/storage?from=test"]')]);
  assert.is(await textOf(page, 'h1'), 'Storage & Subscription');

  const { senders } = world.services.requests;
  senders.page = () => Promise.reject(new Error('the database is away'));
  await page.setExtraHTTPHeaders({ 'accept-language': 'hi' });
  await page.goto(`${url}/r/token?said=fault`);
  assert.is(
    await page.$eval('html', ({ lang }) => lang),
    'hi',
    'a client reads another language than the firm',
  );
  assert.match(await textOf(page, 'main'), 'वह शायद नहीं पहुँचा');
  assert.is(await page.$('a[href="/dashboard"]'), null);
});

test.run();
