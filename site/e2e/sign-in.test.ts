import type { HTTPRequest } from 'puppeteer';
import * as assert from 'uvu/assert';
import { load } from '#server/testing/browser.ts';
import { preferTheme, violations } from './axe.ts';
import type { Office } from './office.ts';
import { ASHA, waitForValue, focusedControl, officeSuite, pathOf, waitForText, textOf } from './office.ts';
import { holdTimers } from './quick.ts';

const test = officeSuite('sign-in');

async function fill({ page, url }: Office, password: string, path = '/login'): Promise<void> {
  await load(page, url + path);
  await page.type('[name=email]', ASHA.email);
  await page.type('[name=password]', password);
}

test('the right password leads to the drive and greets by name', async (office) => {
  const { page } = office;
  await holdTimers(page, 2000);
  await fill(office, ASHA.password);
  await page.keyboard.press('Enter');
  await waitForText(page, 'Welcome back!');
  await waitForText(page, 'Successfully signed in as Asha Rao');
  await waitForValue(() => pathOf(page), '/dashboard');
  assert.ok(await page.evaluate(() => localStorage.getItem('ca_token')));
  await page.locator('nav a[href="/clients"]').click();
  await page.waitForFunction(() => location.pathname === '/clients');
  const position = await page.$eval('[data-sonner-toast]', (toast) => getComputedStyle(toast).position);
  assert.is(position, 'absolute', 'a toast still shown on the next screen keeps its style');
});

test('sign-in and folders work under a host name other than that of BASE_URL, as in an office network without HTTPS', async (office) => {
  const { page, url, world, asha } = office;
  page.expected.push(/Cross-Origin-Opener-Policy header has been ignored/);
  const officeUrl = `http://office-pc:${new URL(url).port}`;
  await fill({ ...office, url: officeUrl }, ASHA.password);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.pathname === '/dashboard');
  assert.is(new URL(page.url()).host, new URL(officeUrl).host);
  await page.waitForSelector('[data-drive]');
  assert.is(await page.evaluate(() => isSecureContext), false, 'browsers withhold many functions there');
  await world.build.folder(asha.actor, 'Returns');
  await load(page, `${officeUrl}/dashboard`);
  await page.locator('[data-drive] [role=row] ::-p-text(Returns)').click({ count: 2 });
  await page.waitForFunction(() => location.pathname.includes('/folder/'));
});

test('each form focuses its first field, so that users can type at once', async ({ page, url }) => {
  for (const [path, field] of [
    ['/login', 'email'],
    ['/register', 'name'],
    ['/forgot-password', 'email'],
  ]) {
    await load(page, url + path);
    await page.waitForFunction(
      (name) => (document.activeElement as HTMLInputElement)?.name === name,
      {},
      field,
    );
  }
});

test('on a phone no field is focused at first, since the keyboard would cover the page', async ({
  page,
  url,
}) => {
  await page.emulate({
    viewport: { width: 390, height: 844, isMobile: true, hasTouch: true },
    userAgent: await page.browser().userAgent(),
  });
  await load(page, `${url}/login`);
  await page.waitForSelector('astro-island:not([ssr]) [name=email]');
  assert.is(await page.evaluate(() => matchMedia('(pointer: coarse)').matches), true);
  await waitForValue(
    () => focusedControl(page),
    await page.evaluate(() => document.body.textContent?.trim() ?? ''),
  );
});

test('text typed before the scripts have loaded is not lost', async ({ page, url }) => {
  const scripts: HTTPRequest[] = [];
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request);
    else void request.continue();
  });
  void page.goto(`${url}/login`);
  await page.waitForSelector('[name=email]');
  await page.type('[name=email]', ASHA.email);
  await page.setRequestInterception(false);
  await Promise.all(scripts.map((request) => request.continue()));
  await page.waitForSelector('astro-island:not([ssr]) [name=password]');
  await page.type('[name=password]', ASHA.password);
  assert.is(await page.$eval('[name=email]', (input) => (input as HTMLInputElement).value), ASHA.email);
});

test('Enter before the scripts have loaded shows the sign-in anew and no bare error, and writes no password into the address', async ({
  page,
  url,
}) => {
  await page.setJavaScriptEnabled(false);
  await page.goto(`${url}/login?next=/clients`);
  await page.type('[name=email]', ASHA.email);
  await page.type('[name=password]', ASHA.password);
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  assert.is(await textOf(page, 'h1'), 'Welcome Back');
  assert.is(pathOf(page), '/login?next=/clients');
});

test('an unknown address leads to the sign-in, which leads to the page that was asked for, and never to another site', async (office) => {
  const { page, url, world, asha } = office;
  const { id } = await world.build.folder(asha.actor, 'Sharma');
  await page.goto(`${url}/no/such/page`);
  await waitForValue(() => pathOf(page), '/login');
  await page.goto(`${url}/dashboard/folder/${id}`);
  await waitForValue(() => pathOf(page), `/login?next=${encodeURIComponent(`/dashboard/folder/${id}`)}`);
  await fill(office, ASHA.password, pathOf(page));
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.pathname.startsWith('/dashboard'));
  await waitForValue(() => pathOf(page), `/dashboard/folder/${id}`);

  await page.goto(`${url}/login?next=//evil.example`);
  assert.is(page.url(), `${url}/dashboard`, 'a signed-in user is not asked again');
});

test('a wrong password is reported in a banner, can be shown and hidden again, and the banner disappears during typing', async (office) => {
  const { page } = office;
  await fill(office, 'wrong password');
  await page.locator('button[type=submit]').click();
  assert.is(await textOf(page, '[role=alert]'), 'Invalid email or password.');
  await page.waitForFunction(() => (document.activeElement as HTMLInputElement | null)?.name === 'password');
  assert.equal(await violations(page), []);
  const fieldType = () => page.$eval('[name=password]', (input) => (input as HTMLInputElement).type);
  await page.locator('[aria-label="Show password"]').click();
  assert.is(await fieldType(), 'text');
  await page.locator('[aria-label="Hide password"]').click();
  assert.is(await fieldType(), 'password');
  await page.type('[name=password]', 'x');
  assert.not(await page.$('[role=alert]'));
});

test('empty and invalid fields are reported under them, without a call to the server', async ({
  page,
  url,
}) => {
  await load(page, `${url}/login`);
  const calls: string[] = [];
  page.on('request', (request) => {
    // Scripts do not count: that of toasts is fetched when the page is idle.
    if (!request.url().includes('/_astro/')) calls.push(request.url());
  });
  await page.locator('button[type=submit]').click();
  await waitForText(page, 'Email is required');
  await waitForText(page, 'Password is required');
  await waitForValue(() => focusedControl(page), 'email');
  await page.type('[name=email]', 'asha@rao');
  await page.type('[name=password]', 'x');
  await page.keyboard.press('Enter');
  await waitForText(page, 'Invalid email');
  const described = await page.$eval('[name=email]', (input) => {
    const ids = input.getAttribute('aria-describedby')?.split(' ') ?? [];
    return ids.map((id) => document.getElementById(id)?.textContent).join('');
  });
  assert.is(described, 'Invalid email');
  assert.equal(calls, []);
  assert.equal(await violations(page), []);
});

test("the server's field errors come as one toast each", async (office) => {
  const { page } = office;
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    if (!request.url().endsWith('/api/auth/login')) return void request.continue();
    const body = {
      success: false,
      message: 'Bad',
      errors: { email: ['Not so', 'Not thus'], password: ['No'] },
    };
    void request.respond({ status: 422, contentType: 'application/json', body: JSON.stringify(body) });
  });
  await fill(office, ASHA.password);
  await page.keyboard.press('Enter');
  await waitForText(page, 'Email Error');
  await waitForText(page, 'Not so, Not thus');
  await waitForText(page, 'Password Error');
});

test('a stale XSRF cookie is fetched again and the call repeated, without a message to the user', async (office) => {
  const { page, url } = office;
  await fill(office, ASHA.password);
  await page
    .browserContext()
    .setCookie({ name: 'XSRF-TOKEN', value: 'stale', domain: new URL(url).hostname });
  const statuses: number[] = [];
  page.on('response', (response) => response.url().endsWith('/login') && statuses.push(response.status()));
  await page.keyboard.press('Enter');
  await waitForText(page, 'Welcome back!');
  assert.equal(statuses.slice(0, 2), [419, 200]);
});

test('without a network the form says what to check, and can be sent again', async (office) => {
  const { page } = office;
  await fill(office, ASHA.password);
  await page.setOfflineMode(true);
  await page.keyboard.press('Enter');
  const message = await textOf(page, '[role=alert]');
  assert.is(message, 'Network error. Please check your connection and make sure the server is running.');
  await page.setOfflineMode(false);
  await page.locator('button[type=submit]').click();
  await waitForText(page, 'Welcome back!');
});

test('the theme is set before the first paint, so that a dark page never flashes white', async ({
  page,
  url,
}) => {
  await preferTheme(page, 'dark');
  await page.evaluateOnNewDocument(`
    new MutationObserver((_, observer) => {
      if (!document.body) return;
      window.themeAtBody = document.documentElement.dataset.theme;
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true });
  `);
  await load(page, `${url}/login`);
  assert.is(await page.evaluate('window.themeAtBody'), 'dark');
});

test('without JavaScript both forms say plainly that they need it', async ({ page, url }) => {
  await page.setJavaScriptEnabled(false);
  for (const path of ['/login', '/register']) {
    await page.goto(url + path);
    assert.match(await textOf(page, 'noscript p'), /^This page needs JavaScript/);
  }
});

test.run();
