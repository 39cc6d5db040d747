import type { Page } from 'puppeteer';
import * as assert from 'uvu/assert';
import { HYDRATED, load, networkIdle } from '#server/testing/browser.ts';
import { violations } from './axe.ts';
import type { Office } from './office.ts';
import { ASHA, officeSuite, pathOf, waitForText, textOf } from './office.ts';

const test = officeSuite('a forgotten password, on the screen');

/** Not puppeteer's wait for an idle network: what a navigation cut off would be waited for until the time is over. */
async function listening(page: Page): Promise<void> {
  await page.waitForFunction(HYDRATED);
  await networkIdle(page);
}

async function ask({ page, url }: Office, email: string): Promise<void> {
  await load(page, `${url}/login`);
  await Promise.all([page.waitForNavigation(), page.locator('::-p-text(Forgot your password?)').click()]);
  await listening(page);
  await page.type('[name=email]', email);
  await page.keyboard.press('Enter');
}

async function link({ world, url }: Office): Promise<string> {
  const letter = (await world.deliverMail()).findLast(({ kind }) => kind === 'auth.reset');
  const [address = ''] = /http\S+reset-password\S+/.exec(letter?.text ?? '') ?? [];
  return url + new URL(address).pathname + new URL(address).search;
}

async function choose(page: Page, password: string, again = password): Promise<void> {
  await page.waitForSelector('[name=password]');
  await page.type('[name=password]', password);
  await page.type('[name=password_confirmation]', again);
  await page.keyboard.press('Enter');
}

test('the letter leads to a new password, and the new one in', async (office) => {
  const { page, url } = office;
  await ask(office, ASHA.email);
  await waitForText(page, 'Check your e-mail');
  const address = await link(office);
  await load(page, address);
  await choose(page, 'a new long phrase');
  await page.waitForFunction(() => location.pathname === '/login');
  await waitForText(page, 'Your password has been set');
  await listening(page);
  await page.type('[name=email]', ASHA.email);
  await page.type('[name=password]', 'a new long phrase');
  await page.keyboard.press('Enter');
  await waitForText(page, 'Welcome back!');
  await page.goto(address);
  assert.is(await textOf(page, 'h1'), 'This link is no longer valid');
  assert.is(pathOf(page).startsWith('/reset-password'), true);
  assert.ok(url);
});

test('an address without an account is told exactly the same', async (office) => {
  const { page } = office;
  await ask(office, ASHA.email);
  await waitForText(page, 'Check your e-mail');
  const known = await textOf(page, 'main');
  await ask(office, 'nobody@rao.in');
  await waitForText(page, 'Check your e-mail');
  assert.is(await textOf(page, 'main'), known);
});

test('mistakes are told under the field, and the link stays good', async (office) => {
  const { page } = office;
  await ask(office, 'asha@rao,in');
  await waitForText(page, 'Invalid email');
  await ask(office, ASHA.email);
  await waitForText(page, 'Check your e-mail');
  await load(page, await link(office));
  await choose(page, 'short', 'other');
  await waitForText(page, 'Password must be 8+ characters');
  await waitForText(page, 'Passwords do not match');
  await page.waitForFunction(() => (document.activeElement as HTMLInputElement).name === 'password');
});

test('a link that ends while the form is open leads to a new one', async (office) => {
  const { page, world } = office;
  await ask(office, ASHA.email);
  await waitForText(page, 'Check your e-mail');
  await load(page, await link(office));
  await world.db('password_resets').delete();
  await choose(page, 'a new long phrase');
  assert.match(await textOf(page, '[role=alert]'), /no longer valid.*Request a new link/);
});

test('a request that fails says so', async (office) => {
  const { page, url } = office;
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    if (!request.url().endsWith('/api/auth/forgot-password')) return void request.continue();
    return void request.respond({ status: 500, contentType: 'application/json', body: '{}' });
  });
  await load(page, `${url}/forgot-password`);
  await page.type('[name=email]', ASHA.email);
  await page.keyboard.press('Enter');
  assert.is(await textOf(page, '[role=alert]'), 'Password reset request failed');
});

test('axe finds nothing', async (office) => {
  const { page, url } = office;
  await load(page, `${url}/forgot-password`);
  assert.equal(await violations(page), []);
  await ask(office, ASHA.email);
  await waitForText(page, 'Check your e-mail');
  assert.equal(await violations(page), []);
  await load(page, await link(office));
  assert.equal(await violations(page), []);
  await load(page, `${url}/reset-password`);
  assert.equal(await violations(page), []);
});

test.run();
