import type { HTTPRequest } from 'puppeteer';
import * as assert from 'uvu/assert';
import { load, openPage, openTab, signIn } from '#server/testing/browser.ts';
import { violations } from './axe.ts';
import type { Office } from './office.ts';
import { ASHA, waitForValue, officeSuite, pathOf, replaceText, waitForText, textOf } from './office.ts';
import { typeWord } from './quick.ts';

const test = officeSuite('the frame: top bar, sidebar, search and session');

const enter = ({ page, url }: Office) => signIn(page, url, ASHA);
const theme = ({ page }: Office) => page.evaluate(() => document.documentElement.dataset['theme']);
const sidebar = ({ page }: Office) => page.evaluate(() => document.documentElement.dataset['sidebar']);

async function openUserMenu({ page }: Office): Promise<void> {
  await page.waitForSelector('.user-button:not([disabled])');
  await page.locator('.user-button').click();
  await page.waitForSelector('[role=menu]');
}

test('logging out asks first, ends the session, and Back does not return to the page', async (office) => {
  const { page, url } = office;
  await enter(office);
  await openUserMenu(office);
  await page.locator('::-p-text(Logout)').click();
  assert.is(await textOf(page, '[role=alertdialog] h2'), 'Confirm Logout');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('[role=alertdialog]'));
  await waitForValue(() => pathOf(page), '/dashboard', 'Esc cancels');

  await openUserMenu(office);
  await page.locator('::-p-text(Logout)').click();
  await page.waitForSelector('[role=alertdialog]');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.pathname === '/login');
  assert.is(await page.evaluate(() => localStorage.getItem('ca_token')), null);
  await page.goto(`${url}/dashboard`);
  assert.match(pathOf(page), /^\/login/);
});

test('logging out in one tab logs out the other tabs', async (office) => {
  const { page, url } = office;
  await enter(office);
  const other = await openTab(page.browserContext());
  await load(other, `${url}/dashboard`);
  await page.bringToFront();
  await openUserMenu(office);
  await page.locator('::-p-text(Logout)').click();
  await page.waitForSelector('[role=alertdialog]');
  await page.keyboard.press('Enter');
  await other.waitForFunction(() => location.pathname === '/login');
});

test('when the session ends, a dialog over the page asks for the password, and nothing on the page is lost', async (office) => {
  const { page, world, asha } = office;
  await enter(office);
  await page.evaluate('window.beforeSignIn = 1');
  await world.services.auth.signOutAll(asha.actor);
  await page.type('.global-search', 'form');
  assert.is(await textOf(page, '[role=dialog] h2'), 'Please sign in again');
  await page.keyboard.press('Escape');
  await page.type('[role=dialog] input[type=password]', 'wrong');
  await page.keyboard.press('Enter');
  await waitForText(page, 'Invalid email or password.');
  await replaceText(page, '[role=dialog] input[type=password]', ASHA.password);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => !document.querySelector('[role=dialog]'));
  assert.is(await page.evaluate('window.beforeSignIn'), 1);
});

test('the sidebar is closed until it is opened, and is in its last state from the first paint', async (office) => {
  const { page } = office;
  await enter(office);
  assert.is(await sidebar(office), 'closed');
  const toggle = '[data-toggle-sidebar]';
  assert.is(await page.$eval(toggle, (button) => button.ariaExpanded), 'false');
  await page.locator(toggle).click();
  assert.is(await page.$eval(toggle, (button) => button.ariaExpanded), 'true');
  await page.evaluateOnNewDocument(`
    new MutationObserver((_, observer) => {
      if (!document.body) return;
      window.sidebarAtBody = document.documentElement.dataset.sidebar;
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true });
  `);
  await page.reload();
  assert.is(await page.evaluate('window.sidebarAtBody'), 'open');
});

test('a bar shows that a screen is slow to load, and when the server does not answer the old screen stays', async (office) => {
  const { page } = office;
  // The script of the dialogs that every page keeps ready is fetched shortly after the page.
  const prompts = page.waitForResponse((response) => /\/prompts\./.test(response.url()));
  await enter(office);
  await prompts;
  await page.waitForNetworkIdle({ idleTime: 300 });
  const heldRequests: HTTPRequest[] = [];
  let holding = true;
  page.on('request', (request) => {
    if (holding && request.url().endsWith('/storage')) heldRequests.push(request);
    else void request.continue();
  });
  await page.setRequestInterception(true);
  await page.locator('.sidebar a[href="/storage"]').click();
  await page.waitForSelector('html[data-leaving]');
  await page.setOfflineMode(true);
  holding = false;
  for (const request of heldRequests) await request.abort();
  await waitForText(page, 'The server does not answer');
  await waitForValue(() => pathOf(page), '/dashboard');
  await page.setOfflineMode(false);
  await page.locator('.sidebar a[href="/storage"]').click();
  await page.waitForFunction(() => location.pathname === '/storage');
  await page.waitForSelector('html:not([data-leaving])');
});

test('the theme follows the system until one is chosen, and the choice is kept', async (office) => {
  const { page } = office;
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
  await enter(office);
  assert.is(await theme(office), 'dark');
  // By keyboard, since the welcome toast covers the button for three seconds.
  await page.focus('[aria-label="Switch theme"]');
  await page.keyboard.press('Enter');
  assert.is(await theme(office), 'light');
  assert.is(await page.evaluate(() => localStorage.getItem('vite-ui-theme')), 'light');
  await load(page, page.url());
  assert.is(await theme(office), 'light');
  await openUserMenu(office);
  await page.locator('::-p-text(System default)').click();
  assert.is(await theme(office), 'dark');
});

test('the search asks the server once, from three letters on, shows eight results and how many more, and leads to the folder', async (office) => {
  const { page, world, asha } = office;
  const { id } = await world.build.folder(asha.actor, 'Sharma Traders');
  for (let year = 2015; year < 2025; year += 1) {
    await world.build.file(asha.actor, { name: `Form 16 ${year}.pdf`, parent_id: id });
  }
  await enter(office);
  const searches: string[] = [];
  page.on('request', (request) => request.url().includes('/search') && searches.push(request.url()));

  await page.keyboard.press('/');
  await page.keyboard.type('fo');
  await page.waitForNetworkIdle({ idleTime: 900 });
  assert.equal(searches, []);
  await typeWord(page, 'rm 2');
  // Eight results, and the line that leads to all.
  await page.waitForFunction(() => document.querySelectorAll('[role=option]').length === 9);
  assert.is(searches.length, 1, 'one call, half a second after the last key');
  await waitForText(page, 'And 2 more results...');
  await waitForText(page, 'My Drive / Sharma Traders');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForFunction((path) => location.pathname === path, {}, `/dashboard/folder/${id}`);
  assert.is(await page.$eval('.global-search', (input) => (input as HTMLInputElement).value), '');
});

test('Ctrl+K focuses the search, and a slash typed into a field stays a slash', async (office) => {
  const { page } = office;
  await enter(office);
  await page.keyboard.down('Control');
  await page.keyboard.press('k');
  await page.keyboard.up('Control');
  await page.keyboard.type('a/b');
  assert.is(await page.$eval('.global-search', (input) => (input as HTMLInputElement).value), 'a/b');
});

test('under 768 px the bottom bar takes the place of the sidebar', async ({ page, ...office }) => {
  await page.setViewport({ width: 390, height: 844 });
  await enter({ page, ...office });
  const shown = (selector: string) =>
    page.$eval(selector, (element) => getComputedStyle(element).display !== 'none');
  assert.is(await shown('.sidebar'), false);
  assert.is(await shown('.bottom-bar'), true);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.is(wide, 390, 'nothing is wider than the screen');
});

test('without a session a screen leads to the sign-in, with its own address as the next one', async ({
  browser,
  url,
}) => {
  const page = await openPage(browser);
  await page.goto(`${url}/dashboard`);
  await waitForValue(() => pathOf(page), '/login?next=%2Fdashboard');
  await page.browserContext().close();
});

test('axe finds nothing wrong with the frame, its search, its menu and its dialog', async (office) => {
  const { page, world, asha } = office;
  await world.build.folder(asha.actor, 'Sharma Traders');
  await enter(office);
  assert.equal(await violations(page), [], 'the frame');
  await page.type('.global-search', 'sharma');
  await page.waitForSelector('[role=option] mark');
  assert.is(await textOf(page, '.topbar [role=status]'), '1 result', 'screen readers announce the number');
  await page.keyboard.press('ArrowDown');
  await page.waitForSelector('.global-search[aria-expanded=true][aria-activedescendant]');
  assert.equal(await violations(page), [], 'the search');
  await page.keyboard.press('Escape');
  await page.waitForSelector('.found', { hidden: true });
  await openUserMenu(office);
  assert.equal(await violations(page), [], 'the menu');
  await page.locator('::-p-text(Logout)').click();
  await page.waitForSelector('[role=alertdialog]');
  assert.equal(await violations(page), [], 'the dialog');
});

test.run();
