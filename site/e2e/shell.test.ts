import type { HTTPRequest } from 'puppeteer';
import * as v from 'valibot';
import * as assert from 'uvu/assert';
import { invitation } from '#server/team/contract.ts';
import { load, openTab, signIn } from '#server/testing/browser.ts';
import { pageReady } from '#server/testing/page-ready.ts';
import { violations } from './axe.ts';
import type { Office } from './office.ts';
import { ASHA, waitForValue, officeSuite, pathOf, replaceText, waitForText, textOf } from './office.ts';
import { typeWord } from './quick.ts';

const test = officeSuite('the frame: top bar, sidebar, search and session');

const enter = ({ page, url }: Office) => signIn(page, url, ASHA);
/** Whether nobody can see it, which `display: none` and a cover do. */
const isHidden = (page: Office['page'], selector: string) =>
  page.$eval(selector, (element) => !element.checkVisibility({ visibilityProperty: true }));
const theme = ({ page }: Office) => page.evaluate(() => document.documentElement.dataset['theme']);
const sidebar = ({ page }: Office) => page.evaluate(() => document.documentElement.dataset['sidebar']);

async function openUserMenu({ page }: Office): Promise<void> {
  await page.waitForSelector('.user-button:not([disabled])');
  await page.locator('.user-button').click();
  await page.waitForSelector('[role=menu]');
}

test('logging out asks first and hides the other tabs until the same person signs in there, with what was typed, and Back does not return to the page', async (office) => {
  const { page, url } = office;
  await enter(office);
  const otherTab = await openTab(page.browserContext());
  await load(otherTab, `${url}/settings`);
  await replaceText(otherTab, '[name=name]', 'Asha Deshpande');
  await page.bringToFront();
  assert.equal(await violations(page), [], 'the frame');
  await openUserMenu(office);
  assert.equal(await violations(page), [], 'the menu');
  await page.locator('::-p-text(Logout)').click();
  assert.is(await textOf(page, '[role=alertdialog] h2'), 'Confirm Logout');
  assert.equal(await violations(page), [], 'the dialog');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('[role=alertdialog]'));
  await waitForValue(() => pathOf(page), '/dashboard', 'Esc cancels');

  await openUserMenu(office);
  await page.locator('::-p-text(Logout)').click();
  await page.waitForSelector('[role=alertdialog]');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.pathname === '/login');
  assert.is(await page.evaluate(() => localStorage.getItem('ca_token')), null);
  await page.goBack();
  assert.is.not(pathOf(page), '/dashboard');
  await page.goto(`${url}/dashboard`);
  assert.match(pathOf(page), /^\/login/);

  assert.match(await textOf(otherTab, '[role=dialog] h2'), 'is signed out');
  assert.is(
    await isHidden(otherTab, '[name=name]'),
    true,
    'the next person at this computer must not read it',
  );
  await otherTab.bringToFront();
  await otherTab.type('[role=dialog] input[type=password]', ASHA.password);
  await otherTab.keyboard.press('Enter');
  await otherTab.waitForFunction(() => !document.querySelector('[role=dialog]'));
  assert.is(await isHidden(otherTab, '[name=name]'), false);
  assert.is(await otherTab.$eval('input[name=name]', ({ value }) => value), 'Asha Deshpande');
});

test('when a colleague joins in another tab this one is covered and says so, and nothing of it is shown to them or sent in their name', async (office) => {
  const { page, url, world, asha } = office;
  await world.services.subscription.startTrial(asha.actor);
  await world.services.team.invite(asha.actor, v.parse(invitation, { emails: 'ravi@rao.in', role: 'staff' }));
  const token = /token=([\w-]{43})/.exec((await world.deliverMail()).at(-1)!.text)![1]!;
  await enter(office);
  await load(page, `${url}/settings`);
  await page.evaluate('window.before = 1');
  await replaceText(page, '[name=name]', 'Asha Deshpande');
  const otherTab = await openTab(page.browserContext());
  await load(otherTab, `${url}/join?token=${token}`);
  assert.match(await textOf(otherTab, 'main [role]'), 'is signed out here');
  await otherTab.locator('input[name="name"]').fill('Ravi Kumar');
  for (const field of ['password', 'password_confirmation'])
    await otherTab.locator(`input[name="${field}"]`).fill('a quiet morning');
  await otherTab.locator('::-p-aria([name="Accept and sign in"][role="button"])').click();
  await page.bringToFront();
  assert.is(await textOf(page, '[role=dialog] h2'), 'Ravi Kumar is signed in now');
  assert.is(await page.evaluate('window.before'), 1);
  assert.is(await isHidden(page, '[name=name]'), true);
  assert.equal(await violations(page), [], 'the cover');
  // As a click just before it would: the call waits for Asha.
  const sent: string[] = [];
  page.on('request', (request) => void (request.method() === 'PUT' && sent.push(request.url())));
  await page.$eval('[name=name]', (input) => input.closest('form')!.requestSubmit());
  await page.locator('::-p-text(Go on as Ravi Kumar)').click();
  await page.waitForFunction("window.before === undefined && location.pathname === '/dashboard'");
  assert.equal(sent, []);
  assert.match(await textOf(page, '.user-button'), 'RK');
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
  assert.is(await textOf(page, '.topbar [role=status]'), '8 results', 'screen readers announce the number');
  // The dashboard behind the results shows the folder too.
  await page.waitForSelector('[role=option] ::-p-text(Sharma Traders)');
  await page.keyboard.press('ArrowDown');
  await page.waitForSelector('.global-search[aria-expanded=true][aria-activedescendant]');
  assert.equal(await violations(page), []);
  await page.keyboard.press('Enter');
  await page.waitForFunction((path) => location.pathname === path, {}, `/dashboard/folder/${id}`);
  assert.is(await page.$eval('.global-search', (input) => (input as HTMLInputElement).value), '');
});

test('the key ? shows the shortcuts of every screen, with its own keys', async (office) => {
  const { page } = office;
  await signIn(page, office.url, ASHA, '/clients');
  for (const [path, own] of [
    ['/clients', 'New client'],
    ['/trash', 'Delete forever'],
    ['/review', 'Take the suggested value'],
    ['/filing', 'Choose a range'],
    ['/requests', 'Everywhere'],
    ['/recent', 'Everywhere'],
    ['/dashboard', 'Upload files'],
  ] as const) {
    await load(page, office.url + path);
    await pageReady(page);
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.press('?');
    await page.waitForSelector('[role=dialog]');
    assert.match(await textOf(page, '[role=dialog]'), own);
    await page.keyboard.press('Escape');
    await page.waitForSelector('[role=dialog]', { hidden: true });
  }
});

test('the key ? shows the shortcuts of a preview over it, since most keys work there alone, and Esc leads back to it', async (office) => {
  const { page, world, asha } = office;
  const { id } = await world.build.file(asha.actor, { name: 'a.txt', content: Buffer.from('text') });
  await signIn(page, office.url, ASHA, `/dashboard?preview=${id}`);
  await waitForText(page, 'text');
  await page.keyboard.press('?');
  const list = await page.waitForSelector('[role=dialog] ::-p-text(Accept a file from its request)');
  assert.not.match(await textOf(page, '[data-dialog]'), 'Upload files');
  await page.keyboard.press('Escape');
  await page.waitForFunction((shown) => !shown?.isConnected, {}, list);
  assert.ok(await page.$('.preview-layer'));
});

test.run();
