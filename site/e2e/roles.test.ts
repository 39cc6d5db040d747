import type { Page } from 'puppeteer';
import * as assert from 'uvu/assert';
import { load, openPage, signIn } from '#server/testing/browser.ts';
import { violations } from './axe.ts';
import type { Office } from './office.ts';
import { waitForValue, officeSuite, pathOf } from './office.ts';

const test = officeSuite('screens offer only what a role may do');

/** The accessible names of the controls on the page. */
const offered = (page: Page): Promise<string[]> =>
  page.$$eval(
    'main :is(button, a[href], input), [role="dialog"] :is(button, a[href]), [role="menuitem"]',
    (controls) =>
      (controls as HTMLElement[])
        .filter((control) => control.checkVisibility({ visibilityProperty: true }))
        .map((control) => control.getAttribute('aria-label') ?? control.textContent?.trim() ?? ''),
  );

/** Controls that change something; a new app password is not among them, since it may do no more than its owner. */
const CHANGES =
  /^(?:New(?! app password)|Upload|Import|Edit|Delete|Rename|Move|Change client|Apply folder|Extract|Choose people|Start|Select clients|Export (?:everything|history))/;
const DOWNLOADS = /^(?:Download|Print)/;

async function addFiles({ world, asha }: Office) {
  const { actor } = asha;
  const client = await world.build.client(actor, 'Sharma Traders');
  const file = await world.build.file(actor, { name: 'notes.txt', client_id: client, content: 'Notes.' });
  const zip = await world.build.file(actor, { name: 'old.zip', client_id: client });
  return { client, file, zip };
}

/** Visits every screen and opens its menus. @returns the controls of each. */
async function listControls(
  page: Page,
  url: string,
  { client, file, zip }: Awaited<ReturnType<typeof addFiles>>,
) {
  const found: string[] = [];
  const record = async (where: string) => {
    for (const name of await offered(page)) found.push(`${where}: ${name}`);
  };
  const menu = async (where: string, opener: string) => {
    const button = await page.$(opener);
    if (!button || !(await button.isVisible())) return;
    await page.locator(opener).click();
    await page.waitForSelector('[role="menu"]');
    await record(`${where} menu`);
    await page.keyboard.press('Escape');
    await page.waitForSelector('[role="menu"]', { hidden: true });
  };
  const paths = ['/documents', '/recent', '/storage', '/subscription-plans', '/settings', '/dashboard'];
  for (const path of paths) {
    await load(page, url + path);
    await record(path);
  }
  await menu('/dashboard', `[data-id="${file.id}"] [data-menu]`);
  await load(page, `${url}/clients`);
  await record('/clients');
  await menu('/clients row', `[data-id="${client}"] [aria-haspopup]`);
  await menu('/clients', 'button[aria-label="More"]');
  await load(page, `${url}/clients/${client}`);
  await record('/clients/:id');
  await menu('/clients/:id', 'button[aria-label="More actions"]');
  for (const id of [file.id, zip.id]) {
    await load(page, `${url}/dashboard?preview=${id}`);
    await page.waitForSelector('[role="dialog"] header');
    await record('preview');
    await menu('preview', '[role="dialog"] button[aria-label="More actions"]');
  }
  return found;
}

test('a viewer sees no control that changes anything, and without the download permission none that downloads or prints', async (office) => {
  const { browser, url, world, asha } = office;
  const items = await addFiles(office);
  const viewer = await world.build.colleague(asha.actor, { role: 'viewer' });
  const controlsAt = async (width: number, height: number) => {
    const page = await openPage(browser, { width, height });
    await signIn(page, url, viewer);
    const found = await listControls(page, url, items);
    assert.equal(page.faults, []);
    await page.close();
    return (kind: RegExp) => found.filter((line) => kind.test(line.slice(line.indexOf(': ') + 2)));
  };
  const onDesktop = await controlsAt(1366, 768);
  assert.equal(onDesktop(CHANGES), []);
  assert.ok(onDesktop(DOWNLOADS).length > 5, 'downloads are offered');
  const withdrawn = JSON.stringify(['documents.download']);
  await world.db('users').where('id', viewer.actor.userId).update({ permissions_taken: withdrawn });
  const onPhone = await controlsAt(390, 844);
  assert.equal([...onPhone(CHANGES), ...onPhone(DOWNLOADS)], []);
});

test('staff see controls to change files and clients, but none for plans, the team or the export of the firm', async (office) => {
  const { browser, url, world, asha } = office;
  const items = await addFiles(office);
  const staff = await world.build.colleague(asha.actor, { role: 'staff' });
  const page = await openPage(browser);
  await signIn(page, url, staff);
  const found = await listControls(page, url, items);
  const forbidden = /: (?:Choose people|Start|Team|Export (?:everything|history))/;
  assert.equal(
    found.filter((line) => forbidden.test(line)),
    [],
  );
  for (const name of ['/dashboard: New', '/clients: New Client', '/clients row menu: Delete'])
    assert.ok(found.includes(name), `${name} is offered`);
  await page.close();
});

test('a viewer sees no link to Trash, requests, history and team, and is told at their addresses who sees them', async (office) => {
  const { page, url, world, asha } = office;
  await signIn(page, url, await world.build.colleague(asha.actor, { role: 'viewer' }));
  const links = ['trash', 'requests', 'history', 'team'].map((path) => `[href="/${path}"]`).join();
  assert.is(await page.$(`:is(a, [role=menuitem]):is(${links})`), null);
  for (const [path, text] of [
    ['/trash', 'You cannot open “Trash”\nOnly admins, managers and staff see it unless'],
    ['/requests?state=open', 'You cannot open “Requests”\nOnly admins and managers see it unless'],
    ['/history', 'You cannot open “History”\nOnly admins and managers see it unless'],
    ['/team', 'You cannot open “Team”\nOnly admins see it unless'],
    ['/system', 'You cannot open “System”\nOnly the people who look after this server'],
  ] as const) {
    const response = await page.goto(url + path);
    assert.equal([response!.status(), pathOf(page)], [403, path]);
    const said = await page.$eval('main', (main) => main.innerText.replaceAll(/\n+/g, '\n'));
    assert.match(said, text);
  }
  assert.equal(await violations(page), []);
  await page.goto(`${url}/no-access`);
  await waitForValue(() => pathOf(page), '/dashboard');
});

test('a page sends no request that the role of its user forbids, even before it knows who is signed in', async (office) => {
  const { browser, url, world, asha } = office;
  await addFiles(office);
  const viewer = await world.build.colleague(asha.actor, { role: 'viewer' });
  const page = await openPage(browser);
  await signIn(page, url, viewer, '/dashboard');
  const refused: string[] = [];
  page.on('response', (answer) => answer.status() === 403 && refused.push(answer.url()));
  // The answer that says who is signed in is delayed.
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const delay = request.url().endsWith('/api/auth/user') ? 1500 : 0;
    setTimeout(() => void request.continue(), delay);
  });
  await load(page, `${url}/dashboard`);
  await page.waitForNetworkIdle();
  assert.equal(refused, []);
  await page.close();
});

test.run();
