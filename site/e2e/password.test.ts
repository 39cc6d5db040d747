import type { Page } from 'puppeteer';
import * as assert from 'uvu/assert';
import { HYDRATED, load, networkIdle } from '#server/testing/browser.ts';
import { violations } from './axe.ts';
import type { Office } from './office.ts';
import { ASHA, officeSuite, pathOf, replaceText, waitForText, textOf } from './office.ts';

const test = officeSuite('resetting a forgotten password');

/** Not puppeteer's wait for an idle network, which times out on requests that a navigation has cut off. */
async function waitUntilReady(page: Page): Promise<void> {
  await page.waitForFunction(HYDRATED);
  await networkIdle(page);
}

async function requestReset({ page, url }: Office, email: string): Promise<void> {
  await load(page, `${url}/login`);
  await Promise.all([page.waitForNavigation(), page.locator('::-p-text(Forgot your password?)').click()]);
  await waitUntilReady(page);
  await page.type('[name=email]', email);
  await page.keyboard.press('Enter');
}

async function linkInMail({ world, url }: Office): Promise<string> {
  const mail = (await world.deliverMail()).findLast(({ kind }) => kind === 'auth.reset');
  const [address = ''] = /http\S+reset-password\S+/.exec(mail?.text ?? '') ?? [];
  return url + new URL(address).pathname + new URL(address).search;
}

async function submitPassword(page: Page, password: string, confirmation = password): Promise<void> {
  await page.waitForSelector('[name=password]');
  await page.type('[name=password]', password);
  await page.type('[name=password_confirmation]', confirmation);
  await page.keyboard.press('Enter');
}

test('the link in the e-mail sets a new password, with which the user signs in, and works only once', async (office) => {
  const { page } = office;
  await requestReset(office, ASHA.email);
  await waitForText(page, 'Check your e-mail');
  assert.equal(await violations(page), []);
  const address = await linkInMail(office);
  await load(page, address);
  assert.equal(await violations(page), []);
  await submitPassword(page, 'a new long phrase');
  await page.waitForFunction(() => location.pathname === '/login');
  await waitForText(page, 'Your password has been set');
  await waitUntilReady(page);
  await page.type('[name=email]', ASHA.email);
  await page.type('[name=password]', 'a new long phrase');
  await page.keyboard.press('Enter');
  await waitForText(page, 'Welcome back!');
  await page.goto(address);
  assert.is(await textOf(page, 'h1'), 'This link is no longer valid');
  assert.equal(await violations(page), []);
  assert.is(pathOf(page).startsWith('/reset-password'), true);
});

test('invalid values are reported under their fields, the first of which gets the focus, and a link that expires meanwhile offers to request a new one', async (office) => {
  const { page, world } = office;
  await requestReset(office, 'asha@rao,in');
  await waitForText(page, 'Invalid email');
  await requestReset(office, ASHA.email);
  await waitForText(page, 'Check your e-mail');
  await load(page, await linkInMail(office));
  await submitPassword(page, 'short', 'other');
  await waitForText(page, 'Password must be 8+ characters');
  await waitForText(page, 'Passwords do not match');
  await page.waitForFunction(() => (document.activeElement as HTMLInputElement).name === 'password');
  await world.db('password_resets').delete();
  await replaceText(page, '[name=password]', 'a new long phrase');
  await replaceText(page, '[name=password_confirmation]', 'a new long phrase');
  await page.keyboard.press('Enter');
  assert.match(await textOf(page, '[role=alert]'), /no longer valid.*Request a new link/);
});

test('a failed request for a reset says so', async (office) => {
  const { page, url } = office;
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    if (!request.url().endsWith('/api/auth/forgot-password')) return void request.continue();
    return void request.respond({ status: 500, contentType: 'application/json', body: '{}' });
  });
  await load(page, `${url}/forgot-password`);
  assert.equal(await violations(page), []);
  await page.type('[name=email]', ASHA.email);
  await page.keyboard.press('Enter');
  assert.is(await textOf(page, '[role=alert]'), 'Password reset request failed');
});

test.run();
