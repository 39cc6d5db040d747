import type { Page } from 'puppeteer';
import * as assert from 'uvu/assert';
import { load, openPage, signIn } from '#server/testing/browser.ts';
import type { Office } from './office.ts';
import { officeSuite } from './office.ts';

const test = officeSuite('what a role may not do is not offered');

/** What stands on the page to be pressed, by the name that readers are told. */
const offered = (page: Page): Promise<string[]> =>
  page.$$eval(
    'main :is(button, a[href], input), [role="dialog"] :is(button, a[href]), [role="menuitem"]',
    (all) =>
      (all as HTMLElement[])
        .filter((one) => one.checkVisibility({ visibilityProperty: true }))
        .map((one) => one.getAttribute('aria-label') ?? one.textContent?.trim() ?? ''),
  );

/** But for an app password of one's own, which may do no more than its owner. */
const CHANGES =
  /^(?:New(?! app password)|Upload|Import|Edit|Delete|Rename|Move|Change client|Apply folder|Extract|Choose people|Start|Select clients|Export (?:everything|history))/;
const TAKES = /^(?:Download|Print)/;

async function office({ world, asha }: Office) {
  const { actor } = asha;
  const client = await world.build.client(actor, 'Sharma Traders');
  const file = await world.build.file(actor, { name: 'notes.txt', client_id: client, content: 'Notes.' });
  const zip = await world.build.file(actor, { name: 'old.zip', client_id: client });
  return { client, file, zip };
}

/** Goes through every screen, and through the menus there; tells what each offers. */
async function walk(page: Page, url: string, { client, file, zip }: Awaited<ReturnType<typeof office>>) {
  const found: string[] = [];
  const look = async (where: string) => {
    for (const name of await offered(page)) found.push(`${where}: ${name}`);
  };
  const menu = async (where: string, opener: string) => {
    const button = await page.$(opener);
    if (!button || !(await button.isVisible())) return;
    await page.locator(opener).click();
    await page.waitForSelector('[role="menu"]');
    await look(`${where} menu`);
    await page.keyboard.press('Escape');
    await page.waitForSelector('[role="menu"]', { hidden: true });
  };
  const paths = ['/documents', '/recent', '/storage', '/subscription-plans', '/settings', '/dashboard'];
  for (const path of paths) {
    await load(page, url + path);
    await look(path);
  }
  await menu('/dashboard', `[data-id="${file.id}"] [data-menu]`);
  await load(page, `${url}/clients`);
  await look('/clients');
  await menu('/clients row', `[data-id="${client}"] [aria-haspopup]`);
  await menu('/clients', 'button[aria-label="More"]');
  await load(page, `${url}/clients/${client}`);
  await look('/clients/:id');
  await menu('/clients/:id', 'button[aria-label="More actions"]');
  for (const id of [file.id, zip.id]) {
    await load(page, `${url}/dashboard?preview=${id}`);
    await page.waitForSelector('[role="dialog"] header');
    await look('preview');
    await menu('preview', '[role="dialog"] button[aria-label="More actions"]');
  }
  return found;
}

test('a viewer is offered nothing that changes anything, and without downloads nothing that takes a file along', async (stage) => {
  const { browser, url, world, asha } = stage;
  const built = await office(stage);
  const viewer = await world.build.colleague(asha.actor, { role: 'viewer' });
  const walkAt = async (width: number, height: number) => {
    const page = await openPage(browser, { width, height });
    await signIn(page, url, viewer);
    const found = await walk(page, url, built);
    assert.equal(page.faults, []);
    await page.close();
    return (kind: RegExp) => found.filter((one) => kind.test(one.slice(one.indexOf(': ') + 2)));
  };
  const wide = await walkAt(1366, 768);
  assert.equal(wide(CHANGES), []);
  assert.ok(wide(TAKES).length > 5, 'what is allowed is offered');
  const taken = JSON.stringify(['documents.download']);
  await world.db('users').where('id', viewer.actor.userId).update({ permissions_taken: taken });
  const phone = await walkAt(390, 844);
  assert.equal([...phone(CHANGES), ...phone(TAKES)], []);
});

test('staff are offered their work, and neither the plan, the team nor everything of the firm', async (stage) => {
  const { browser, url, world, asha } = stage;
  const built = await office(stage);
  const staff = await world.build.colleague(asha.actor, { role: 'staff' });
  const page = await openPage(browser);
  await signIn(page, url, staff);
  const found = await walk(page, url, built);
  const not = /: (?:Choose people|Start|Team|Export (?:everything|history))/;
  assert.equal(
    found.filter((one) => not.test(one)),
    [],
  );
  for (const name of ['/dashboard: New', '/clients: New Client', '/clients row menu: Delete'])
    assert.ok(found.includes(name), `${name} is offered`);
  await page.close();
});

test('a page asks for nothing that its viewer may not have, even before it knows who that is', async (stage) => {
  const { browser, url, world, asha } = stage;
  await office(stage);
  const viewer = await world.build.colleague(asha.actor, { role: 'viewer' });
  const page = await openPage(browser);
  await signIn(page, url, viewer, '/dashboard');
  const refused: string[] = [];
  page.on('response', (answer) => answer.status() === 403 && refused.push(answer.url()));
  // The session is told late.
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const wait = request.url().endsWith('/api/auth/user') ? 1500 : 0;
    setTimeout(() => void request.continue(), wait);
  });
  await load(page, `${url}/dashboard`);
  await page.waitForNetworkIdle();
  assert.equal(refused, []);
  await page.close();
});

test.run();
