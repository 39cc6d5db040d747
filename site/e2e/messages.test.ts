import type { Page } from 'puppeteer';
import * as assert from 'uvu/assert';
import { load } from '#server/testing/browser.ts';
import type { Office } from './office.ts';
import { ASHA, waitForValue, officeSuite, pathOf, waitForText, textOf } from './office.ts';

// Answers that our server rarely or never gives, and what the screen shows for them.
const test = officeSuite('messages about failed calls');

interface Answer {
  status: number;
  body?: unknown;
}

/** Answers calls of `path` in place of the server. @returns sets the answer. */
async function answerCalls(page: Page, path: string): Promise<(answer: Answer) => void> {
  let { status, body }: Answer = { status: 500 };
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    if (!new URL(request.url()).pathname.endsWith(path) || request.method() === 'GET') {
      return void request.continue();
    }
    const text = typeof body === 'string' ? body : JSON.stringify(body ?? {});
    return void request.respond({ status, contentType: 'application/json', body: text });
  });
  return (answer) => ({ status, body } = answer);
}

/** The text of the only alert; null while there is none. */
const alertOf = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.querySelector('[role=alert]')?.textContent?.trim() ?? null);

async function signIn({ page, url }: Office): Promise<void> {
  await load(page, `${url}/login`);
  await page.type('[name=email]', ASHA.email);
  await page.type('[name=password]', ASHA.password);
  await page.keyboard.press('Enter');
}

test('each failed sign-in shows its own message, which is that of the server if there is one', async (office) => {
  const { page } = office;
  const answerNext = await answerCalls(page, '/api/auth/login');
  for (const [answer, message] of [
    [{ status: 422, body: { message: 'Not like this' } }, 'Not like this'],
    [{ status: 503, body: { message: 'Back at ten' } }, 'Back at ten'],
    [{ status: 500 }, 'Login failed. Please try again.'],
    [{ status: 200, body: { success: false } }, 'Login failed'],
    [{ status: 200, body: '<html>' }, 'Unable to connect to the server. Please try again.'],
  ] satisfies [Answer, string][]) {
    answerNext(answer);
    if (!page.url().endsWith('/login')) await signIn(office);
    else await page.locator('button[type=submit]').click();
    await waitForValue(() => alertOf(page), message);
  }
});

/** Replaces the XSRF token of every call by one that the server refuses. */
async function breakTokens(page: Page): Promise<void> {
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const headers = request.headers();
    const changed = headers['x-xsrf-token'] ? { ...headers, 'x-xsrf-token': 'not this one' } : headers;
    void request.continue({ headers: changed });
  });
}

test('signing in: an XSRF token that is refused twice asks to try again', async (office) => {
  await breakTokens(office.page);
  await signIn(office);
  assert.is(await textOf(office.page, '[role=alert]'), 'Session expired. Please try again.');
});

test('signing in: a server that cannot be reached is named with its address', async (office) => {
  const { page, url } = office;
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    if (request.url().endsWith('/api/auth/login')) void request.abort('connectionrefused');
    else void request.continue();
  });
  await signIn(office);
  assert.is(
    await textOf(page, '[role=alert]'),
    `Cannot connect to server. Please make sure that it is running at ${url}.`,
  );
});

async function register({ page, url }: Office): Promise<void> {
  await load(page, `${url}/register`);
  for (const step of [
    { name: 'Priya Nair', email: 'priya@nair.in' },
    { ca_license_number: 'MRN77', phone: '+91 98765 43210', firm_name: '=<b>Nair</b>' },
    { password: 'मेरा लंबा पासवर्ड', password_confirmation: 'मेरा लंबा पासवर्ड' },
  ]) {
    for (const [field, text] of Object.entries(step)) {
      await page.waitForSelector(`[name=${field}]`);
      // The whole text at once, as when it is pasted.
      await page.focus(`[name=${field}]`);
      await page.keyboard.sendCharacter(text);
    }
    await page.keyboard.press('Enter');
  }
  await page.waitForSelector('[name=terms_accepted]');
  await page.focus('[name=terms_accepted]');
  await page.keyboard.press('Space');
  await page.locator('button[type=submit]').click();
}

test('each failed registration shows its own message on the last step, which is that of the server if there is one', async (office) => {
  const { page } = office;
  const answerNext = await answerCalls(page, '/api/auth/register');
  for (const [answer, message] of [
    [{ status: 409, body: { message: 'Closed for today' } }, 'Closed for today'],
    [{ status: 500 }, 'Registration failed. Please try again.'],
    [{ status: 200, body: { success: false } }, 'Registration failed'],
  ] satisfies [Answer, string][]) {
    answerNext(answer);
    if (!page.url().endsWith('/register')) await register(office);
    else await page.locator('button[type=submit]').click();
    await waitForValue(() => alertOf(page), message);
    assert.ok(await page.$('[name=terms_accepted]'));
  }
});

test('registering: an XSRF token that is refused twice asks to try again', async (office) => {
  await breakTokens(office.page);
  await register(office);
  assert.is(await textOf(office.page, '[role=alert]'), 'Session expired. Please try again.');
});

test('a pasted number with +91, a firm name of HTML and a Hindi password are accepted, and the HTML is shown as text', async (office) => {
  const { page, world } = office;
  await register(office);
  await waitForText(page, 'Welcome to Almirah, Priya Nair!');
  const user = await world.db('users').where({ email: 'priya@nair.in' }).first();
  assert.is(user.phone, '9876543210');
  const { name } = await world.db('firms').where({ id: user.firm_id }).first();
  assert.is(name, '=<b>Nair</b>');
  await load(page, `${office.url}/settings`);
  assert.is(await page.$eval('[name=firm_name]', (input) => (input as HTMLInputElement).value), name);
  assert.not.match((await world.deliverMail())[0]!.html, /<b>Nair/);
});

test('with cookies blocked the form says so, since nobody could sign in', async (office) => {
  const { page } = office;
  await page.evaluateOnNewDocument(`
    Object.defineProperty(navigator, 'cookieEnabled', { get: () => false });
    Object.defineProperty(document, 'cookie', { get: () => '', set: () => {} });
  `);
  await page.setExtraHTTPHeaders({ cookie: '' });
  await signIn(office);
  assert.match(await textOf(page, '[role=alert]'), /^Your browser blocks cookies for this site/);
});

test('signing in works with a clock that is years wrong', async (office) => {
  const { page } = office;
  await page.evaluateOnNewDocument('Date.now = () => 0');
  await signIn(office);
  await waitForText(page, 'Welcome back!');
  await waitForValue(() => pathOf(page), '/dashboard');
});

test.run();
