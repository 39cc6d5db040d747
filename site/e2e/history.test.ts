import * as assert from 'uvu/assert';
import { load, signIn } from '#server/testing/browser.ts';
import { violations } from './axe.ts';
import type { Office } from './office.ts';
import { ASHA, waitForValue, officeSuite, pathOf, waitForText, textOf } from './office.ts';

const test = officeSuite('the history');

const entries = ({ page }: Pick<Office, 'page'>) =>
  page.$$eval('.history-what', (elements) => elements.map((element) => element.textContent.trim()));
const waitForFirstEntry = ({ page }: Pick<Office, 'page'>, first: string) =>
  page.waitForFunction(
    (text) => document.querySelector('.history-what')?.textContent.trim() === text,
    {},
    first,
  );

async function addEntries(office: Office) {
  const { world, asha } = office;
  const { build, services } = world;
  const ravi = await build.colleague(asha.actor, { name: 'Ravi Kumar', role: 'manager' });
  const client = await build.client(asha.actor, 'Sharma Traders');
  const folder = await build.folder(asha.actor, 'ITR');
  const deleted = await build.file(ravi.actor, {
    name: 'Form 16.pdf',
    parent_id: folder.id,
    client_id: client,
  });
  await services.documents.remove(ravi.actor, [deleted.id]);
  await build.file(asha.actor, { name: 'elsewhere.pdf' });
  return { ravi, client, folder };
}

test('the history is filtered by person and kind, Back removes a filter, and the filtered entries are exported', async (office) => {
  const { page, url } = office;
  const { ravi } = await addEntries(office);
  await signIn(page, url, ASHA, '/history');
  await waitForText(page, 'elsewhere.pdf');
  const choose = async (field: number, option: string) => {
    const list = `(//*[@aria-label="Filters"]//button[@aria-haspopup="listbox"])[${field}]`;
    await page.locator(`::-p-xpath(${list})`).click();
    await page.locator(`[role=option] ::-p-text(${option})`).click();
  };
  await choose(1, 'Ravi Kumar');
  await waitForFirstEntry(office, 'Moved to Trash: Form 16.pdf');
  await waitForValue(() => pathOf(page), `/history?person=${ravi.actor.userId}`);
  // The second filter is that of the client.
  await choose(3, 'Deleted');
  await page.waitForFunction(() => location.search.includes('kind=deleted'));
  await page.waitForFunction(() => document.querySelectorAll('.history-what').length === 1);
  await page.goBack();
  await page.waitForFunction(() => document.querySelectorAll('.history-what').length > 1);
  await waitForValue(() => pathOf(page), `/history?person=${ravi.actor.userId}`);
  await load(page, page.url());
  assert.equal((await entries(office))[0], 'Moved to Trash: Form 16.pdf', 'the address holds the filters');

  // The browser of the tests saves no files: the test fetches the address instead.
  await page.evaluate(() => {
    HTMLAnchorElement.prototype.click = function recordAddress() {
      document.body.dataset['saved'] = this.href;
    };
  });
  await page.focus('button[aria-label^=Export]');
  await page.keyboard.press('Enter');
  await waitForText(page, 'The download has started');
  const csv = await page.evaluate(async () => (await fetch(document.body.dataset['saved'] ?? '')).text());
  assert.match(csv, /,Moved to Trash,document\.trash,Ravi Kumar,Form 16\.pdf,/);
  assert.not.match(csv, /elsewhere/);
});

test('the menus of a folder and of a client lead to their history, and its entries link back to them', async (office) => {
  const { page, url } = office;
  const { folder, client } = await addEntries(office);
  await signIn(page, url, ASHA);
  await page.locator('[aria-label=ITR] [data-menu]').click();
  await page.locator('[role=menuitem] ::-p-text(History)').click();
  await page.waitForFunction(() => location.pathname === '/history');
  await waitForFirstEntry(office, 'Moved to Trash: Form 16.pdf');
  await waitForValue(() => pathOf(page), `/history?item=${folder.id}`);
  await waitForValue(
    () => entries(office),
    ['Moved to Trash: Form 16.pdf', 'Uploaded: Form 16.pdf', 'Created a folder: ITR'],
  );
  await page.locator('[aria-label="Show more than ITR"]').click();
  await waitForFirstEntry(office, 'Signed in');
  await page.locator('.history-what a ::-p-text(ITR)').click();
  await page.waitForFunction((id) => location.pathname === `/dashboard/folder/${id}`, {}, folder.id);

  await load(page, `${url}/clients/${client}`);
  await page.locator('[aria-label="More actions"]').click();
  await page.locator('[role=menuitem] ::-p-text(History)').click();
  await page.waitForFunction(() => location.pathname === '/history');
  await waitForFirstEntry(office, 'Moved to Trash: Form 16.pdf');
  assert.is(await page.$eval('main input[role=combobox]', (input) => input.value), 'Sharma Traders');
});

test('an entry of a colleague appears at the top by itself, and does not move the list for someone who has scrolled down', async (office) => {
  const { page, url, world, asha } = office;
  const { ravi } = await addEntries(office);
  for (let n = 0; n < 70; n += 1) await world.build.folder(asha.actor, `F${n}`);
  await signIn(page, url, ASHA, '/history');
  await page.waitForFunction(() => document.querySelectorAll('.history-what').length > 60);
  while (world.services.events.openConnections() === 0) await new Promise((next) => setTimeout(next, 10));
  await world.build.folder(ravi.actor, 'Fresh');
  await waitForFirstEntry(office, 'Created a folder: Fresh');
  assert.is(await page.$eval('[data-scroller]', (list) => list.scrollTop), 0);
  const topOf = (text: string) =>
    page.evaluate((wanted) => {
      const elements = [...document.querySelectorAll('.history-what')];
      return elements.find((element) => element.textContent.endsWith(wanted))?.getBoundingClientRect().top;
    }, text);
  await page.$eval('[data-scroller]', (list) => (list.scrollTop = 900));
  const before = await topOf('F45');
  await world.build.folder(ravi.actor, 'Fresher');
  await waitForFirstEntry(office, 'Created a folder: Fresher');
  assert.is(Math.round((await topOf('F45'))!), Math.round(before!));
});

test('when the server does not answer, the screen says so and keeps the entries, and filters that match nothing say so', async (office) => {
  const { page, url } = office;
  await addEntries(office);
  await signIn(page, url, ASHA, '/history?kind=billing&to=2020-01-01');
  await waitForText(page, 'Nothing in the history matches these filters.');
  await page.locator('::-p-text(Show everything)').click();
  await waitForText(page, 'elsewhere.pdf');
  await page.setOfflineMode(true);
  await page.locator('[aria-label=Refresh]').click();
  await waitForText(page, 'The history could not be read');
  assert.ok((await entries(office)).length > 3);
  await page.setOfflineMode(false);
});

test('axe finds nothing wrong with the history on a phone, with the filters open', async (office) => {
  const { page, url } = office;
  await addEntries(office);
  await page.setViewport({ width: 390, height: 844, hasTouch: true, isMobile: true });
  await signIn(page, url, ASHA, '/history');
  assert.is(await textOf(page, 'h1'), 'History');
  await page.locator('[aria-label=Filters][aria-expanded=false]').click();
  await waitForText(page, 'Everybody');
  assert.equal(await violations(page), []);
  assert.is(await page.evaluate(() => document.documentElement.scrollWidth), 390);
});

test.run();
