import * as assert from 'uvu/assert';
import { load, signIn } from '#server/testing/browser.ts';
import { askClient } from './asked.ts';
import { violations } from './axe.ts';
import { TOO_MANY, holdRequests, refuseRequests } from './held-requests.ts';
import type { Office } from './office.ts';
import {
  ASHA,
  waitForValue,
  focusedControl,
  officeSuite,
  pathOf,
  replaceText,
  scrollTo,
  waitForText,
  textOf,
} from './office.ts';

const test = officeSuite('the clients screen');
const SELECT = '[aria-label="Select clients"]';

const NAMES = ['Meera Iyer', 'Rao & Sons', 'Sharma Traders', 'सीता शर्मा'];
const addClients = async ({ world, asha }: Office) => {
  await world.build.client(asha.actor, 'Meera Iyer', {
    email: 'meera@example.in',
    phone: '9840054321',
    city: 'Chennai',
    pan: 'AAAPZ0000A',
  });
  await world.build.client(asha.actor, 'Rao & Sons', { client_type: 'Company', city: 'Pune' });
  await world.build.client(asha.actor, 'Sharma Traders', {
    client_type: 'Company',
    gstin: '29AAACZ0000A1Z5',
  });
  await world.build.client(asha.actor, 'सीता शर्मा', { status: 'Inactive' });
};
async function enter(office: Office, path = '/clients'): Promise<void> {
  await signIn(office.page, office.url, ASHA, path);
}
const names = ({ page }: Office) =>
  page.$$eval('[data-id] [role=rowheader] a', (buttons) => buttons.map((button) => button.textContent));
const counters = ({ page }: Office) =>
  page.$$eval('[aria-label=Counters] button', (buttons) =>
    buttons.map((button) => button.textContent).join(' '),
  );
const waitForRows = ({ page }: Office, count: number) =>
  page.waitForFunction((wanted) => document.querySelectorAll('[data-id]').length === wanted, {}, count);

async function chooseInMenu({ page }: Office, name: string, entry: string): Promise<void> {
  await page.locator(`[aria-label="Actions for ${name}"]`).click();
  await page.waitForSelector('[role=menu]');
  await page.locator(`[role=menuitem] ::-p-text(${entry})`).click();
}
/** Replaces the text of a field of the dialog. */
async function fill({ page }: Office, field: string, text: string): Promise<void> {
  const input = await page.waitForSelector(`[role=dialog] [name="${field}"]`);
  await input?.focus();
  await page.keyboard.down('Control');
  await page.keyboard.press('a');
  await page.keyboard.up('Control');
  await page.keyboard.type(text);
}

test('without clients the screen says so and offers the import', async (office) => {
  await enter(office);
  await waitForText(office.page, 'No clients found');
  await waitForText(office.page, 'Import a list');
  await waitForValue(() => counters(office), '0Total 0Active 0Companies');
  assert.equal(await violations(office.page), []);
});

test('each row shows what is known of a client, and the header counts the clients', async (office) => {
  await addClients(office);
  await enter(office);
  await waitForValue(() => names(office), NAMES);
  await waitForValue(() => counters(office), '4Total 3Active 2Companies');
  assert.match(await textOf(office.page, 'main header'), '4 clients');
  for (const text of ['9840054321', 'meera@example.in', 'Chennai', 'AAAPZ0000A', 'Inactive'])
    await waitForText(office.page, text);
  const files = await office.page.$eval('[data-id] a[href*="client="]', (a) => a.getAttribute('href'));
  assert.match(files ?? '', /^\/dashboard\?client=\d+&clientName=Meera%20Iyer$/);
  assert.equal(await violations(office.page), []);
});

test('the search filters by phone and PAN during typing, and the filters are in the URL, so that a reload keeps them', async (office) => {
  const { page } = office;
  await addClients(office);
  await enter(office);
  await page.type('[placeholder="Search clients..."]', '98400');
  await waitForRows(office, 1);
  await waitForValue(() => names(office), ['Meera Iyer']);
  await waitForText(page, '1 of 4 clients');
  await page.keyboard.press('ArrowDown');
  await waitForValue(() => focusedControl(page), 'Meera Iyer');
  await page.keyboard.press('ArrowUp');
  assert.is(await page.evaluate(() => (document.activeElement as HTMLInputElement).type), 'search');
  await replaceText(page, 'main input[type=search]', 'aaapz0000a');
  await waitForRows(office, 1);
  await waitForValue(() => pathOf(page), '/clients?search=aaapz0000a');
  await replaceText(page, 'main input[type=search]', 'nobody at all');
  await waitForText(page, 'No client matches');
  await page.locator('::-p-text(Show all clients)').click();
  await waitForRows(office, 4);
  await page.locator('[aria-label=Counters] button:last-child').click();
  await waitForRows(office, 2);
  await load(page, page.url());
  await waitForValue(() => names(office), ['Rao & Sons', 'Sharma Traders']);
});

test('while more letters are searched, "no client matches" stays with its button, so that a click on it is not lost', async (office) => {
  const { page } = office;
  await addClients(office);
  await enter(office);
  await page.type('main input[type=search]', 'nobody');
  await waitForText(page, 'No client matches');
  await page.setRequestInterception(true);
  // Only the search for the further letters is not answered.
  page.on('request', (request) => {
    if (!request.url().includes('search=nobody+at+all')) void request.continue();
  });
  await page.type('main input[type=search]', ' at all');
  await page.waitForSelector('main [aria-busy=true] ::-p-text(Show all clients)');
  await page.locator('::-p-text(Show all clients)').click();
  await waitForRows(office, 4);
});

test('a client is added with the keyboard alone, and errors are shown under their fields', async (office) => {
  const { page } = office;
  await enter(office);
  await page.keyboard.down('Alt');
  await page.keyboard.press('n');
  await page.keyboard.up('Alt');
  await page.waitForFunction(() => (document.activeElement as HTMLInputElement | null)?.name === 'name');
  assert.ok(
    await page.$(
      '[role=dialog] button[type=submit][data-disabled], [role=dialog] button[type=submit]:disabled',
    ),
  );
  assert.equal(await violations(page), []);
  await page.keyboard.type('=Patel & Co');
  await fill(office, 'gstin', '29aaacz0000a1z6');
  await page.keyboard.press('Enter');
  await waitForText(page, 'The check digit does not fit');
  await waitForValue(() => focusedControl(page), 'gstin');
  await fill(office, 'gstin', '29aaacz0000a1z5');
  await page.focus('[role=dialog] [name=pan]');
  await page.waitForFunction(() =>
    [...document.querySelectorAll('[role=dialog] button')].some((button) => button.textContent === 'Company'),
  );
  assert.is(await page.$eval('[name=pan]', (input) => (input as HTMLInputElement).value), 'AAACZ0000A');
  await page.keyboard.press('Enter');
  await waitForText(page, '“=Patel & Co” added');
  await waitForRows(office, 1);
  await waitForValue(() => counters(office), '1Total 1Active 1Companies');
});

test('when two people edit one client, the second gets a message with what both have changed, keeps what they typed and saves it together with the first change, which the row shows at once', async (office) => {
  const { page, world, asha } = office;
  await addClients(office);
  await enter(office);
  const [client] = (await world.services.clients.list(asha.actor)).data;
  await chooseInMenu(office, 'Meera Iyer', 'Edit');
  await page.waitForSelector('[role=dialog] [name=name]');
  assert.is(await textOf(page, '[role=dialog] [slot=title]'), 'Edit Client');
  const ravi = await world.build.colleague(asha.actor, { name: 'Ravi Kumar', role: 'manager' });
  await world.services.clients.update(ravi.actor, client!.id, { phone: '9000000000', city: 'Salem' });
  await fill(office, 'city', 'Madurai');
  await page.locator('[role=dialog] button[type=submit]').click();
  await waitForText(page, 'Ravi Kumar changed this client a moment ago');
  await waitForText(page, 'What was changed (Phone) is filled in below');
  await waitForText(page, 'You both changed City. Update keeps yours and replaces this: Salem');
  assert.is(await page.$eval('[name=city]', (input) => (input as HTMLInputElement).value), 'Madurai');
  await page.locator('[role=dialog] button[type=submit]').click();
  await waitForText(page, '“Meera Iyer” updated');
  await page.waitForSelector('[data-id] ::-p-text(9000000000)');
  await page.waitForSelector('[data-id] ::-p-text(Madurai)');
  const now = await world.services.clients.client(asha.actor, client!.id);
  assert.equal([now.phone, now.city], ['9000000000', 'Madurai']);
});

test('when a colleague deletes a client whose dialog is open, the dialog says so at once and can create it again as typed', async (office) => {
  const { page, world, asha } = office;
  await addClients(office);
  await enter(office);
  const [client] = (await world.services.clients.list(asha.actor)).data;
  await chooseInMenu(office, 'Meera Iyer', 'Edit');
  await page.waitForSelector('[role=dialog] [name=name]');
  const ravi = await world.build.colleague(asha.actor, { name: 'Ravi Kumar', role: 'manager' });
  await world.services.clients.remove(ravi.actor, client!.id);
  await waitForText(page, 'This client was deleted by Ravi Kumar a moment ago.');
  await page.locator('::-p-text(Create it as a new client)').click();
  await page.locator('[role=dialog] button[type=submit]').click();
  await waitForText(page, '“Meera Iyer” added');
});

test('the question before deleting a client counts its linked files and the requests that end with it, and afterwards the focus is on the next row', async (office) => {
  const { page, world, asha } = office;
  await addClients(office);
  const [client] = (await world.services.clients.list(asha.actor)).data;
  await world.build.file(asha.actor, { client_id: client!.id });
  await askClient(office, ['Form 16'], client!.id);
  await enter(office);
  await chooseInMenu(office, 'Meera Iyer', 'Delete');
  const question = await textOf(page, '[role=alertdialog]');
  assert.match(question, '1 file is linked to this client');
  assert.match(question, '1 open request for documents is deleted, and its link stops working');
  await page.locator('[role=alertdialog] footer button:last-child').click();
  await waitForText(page, '“Meera Iyer” deleted');
  await waitForRows(office, 3);
  await waitForValue(() => counters(office), '3Total 2Active 2Companies');
  // The focus is on the row that took the place of the deleted one.
  await page.waitForFunction(
    () => document.activeElement?.getAttribute('aria-label') === 'Actions for Rao & Sons',
  );
});

test('all files of a client are downloaded from its menu and from the list of its files, and a client without files says so', async (office) => {
  const { page, world, asha } = office;
  await addClients(office);
  const [client] = (await world.services.clients.list(asha.actor)).data;
  await world.build.file(asha.actor, { client_id: client!.id });
  await enter(office);
  await chooseInMenu(office, 'Rao & Sons', 'Download all files');
  await waitForText(page, 'There are no files of Rao & Sons to download.');
  const waitForDownloadLink = () =>
    page.waitForResponse((response) => response.url().endsWith('/download-token') && response.ok());
  await Promise.all([waitForDownloadLink(), chooseInMenu(office, 'Meera Iyer', 'Download all files')]);
  await page.locator('[aria-label="Files of Meera Iyer"]').click();
  await Promise.all([
    waitForDownloadLink(),
    page.locator('[aria-label="Download all files of this client"]').click(),
  ]);
});

test('each failed call and each invalid address shows its own message, and the list stays', async (office) => {
  const { page, url } = office;
  await addClients(office);
  await enter(office, '/clients?edit=');
  await waitForText(page, 'No client selected for update');
  await page.goto(`${url}/clients?delete=`);
  await waitForText(page, 'No client selected for deletion');
  await page.goto(`${url}/clients?edit=abc`);
  await waitForText(page, 'Invalid client ID');

  await load(page, `${url}/clients`);
  await chooseInMenu(office, 'Meera Iyer', 'Edit');
  await page.waitForSelector('[role=dialog] [name=name]');
  await page.setOfflineMode(true);
  await fill(office, 'city', 'Salem');
  await page.locator('[role=dialog] button[type=submit]').click();
  await waitForText(page, 'Failed to update client. Please try again.');
  await page.keyboard.press('Escape');
  await waitForText(page, 'What you have typed has not been saved.');
  await page.locator('::-p-aria([name="Discard"][role="button"])').click();
  await page.waitForFunction(() => !document.querySelector('[role=dialog]'));
  await page.type('main input[type=search]', 'rao');
  await waitForText(page, 'Failed to load clients');
  assert.is((await names(office)).length > 0, true, 'the list stays');
  await waitForText(page, 'Retry');
  // The list loads by itself when the network is back.
  await page.setOfflineMode(false);
  await waitForRows(office, 1);
  await page.setOfflineMode(true);
  await chooseInMenu(office, 'Rao & Sons', 'Delete');
  await waitForText(page, 'Failed to delete client. Please try again.');
  await page.setOfflineMode(false);
});

test('Select all that is answered after its selection was left adds nobody to the next one, whom a request for documents would reach', async (office) => {
  const { page } = office;
  await addClients(office);
  await enter(office);
  await waitForRows(office, 4);
  await page.locator(SELECT).click();
  const { held, release } = await holdRequests(page, 'limit=200');
  await page.locator('[role=toolbar] ::-p-text(Select all 4)').click();
  await waitForValue(() => held.length, 1);
  await page.locator('[aria-label="Leave the selection"]').click();
  await page.locator(SELECT).click();
  await page.locator('label:has([aria-label="Select Rao & Sons"])').click();
  await waitForText(page, '1 selected');
  const answered = page.waitForResponse((response) => response.url().includes('limit=200'));
  await release();
  await answered;
  // Until then the page has read the answer.
  await page.evaluate(async () => (await fetch('/api/clients?limit=1')).text());
  assert.is(await textOf(page, '[role=toolbar] [role=status]'), '1 selected');
  const asked: string[] = [];
  page.on('request', (request) => request.url().includes('limit=200') && asked.push(request.url()));
  await page.keyboard.down('Control');
  for (let held = 0; held < 3; held += 1) await page.keyboard.down('a');
  for (const key of ['a', 'Control'] as const) await page.keyboard.up(key);
  await waitForText(page, '4 selected');
  assert.is(asked.length, 1, 'a held key loads them once');
});

/** The rows of clients in the database, since so many calls would take long. */
async function addRows({ world, asha }: Office, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => {
    const name = `Client ${String(index).padStart(4, '0')}`;
    const now = new Date(0).toISOString();
    return {
      firm_id: asha.actor.firmId,
      name,
      client_type: 'Individual',
      status: 'Active',
      created_at: now,
      updated_at: now,
      sort_key: name,
      search_text: name.toLowerCase(),
    };
  });
  for (let start = 0; start < rows.length; start += 500)
    await world.db('clients').insert(rows.slice(start, start + 500));
}

test('scrolling loads all pages of a long list, and only rows near the viewport are drawn', async (office) => {
  const { page } = office;
  await addRows(office, 600);
  await enter(office);
  await scrollTo(page, '[aria-label="Actions for Client 0599"]');
  assert.ok((await page.$$('[data-id]')).length < 80, 'only rows near the viewport are drawn');
  await page.locator('[aria-label="Files of Client 0599"]').click();
  await page.waitForFunction(() => location.pathname === '/dashboard');
  await waitForText(page, 'No files for Client 0599');
  await page.goBack();
  await page.waitForSelector('[aria-label="Actions for Client 0599"]', { visible: true });

  await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
  await scrollTo(page, '[aria-label="Actions for Client 0599"]');
  const heights = await page.evaluate(async () => {
    const seen = new Set<number>();
    const list = document.querySelector('[data-scroller]')!;
    for (let frame = 0; frame < 6; frame += 1) {
      seen.add(list.scrollHeight);
      // Away from the end and back, which draws other rows.
      list.scrollTop = list.scrollHeight - (frame % 2) * 1000;
      await new Promise(requestAnimationFrame);
    }
    return seen.size;
  });
  assert.is(heights, 1, 'without motion the list keeps its height while it is scrolled');
});

test('after a further page of clients was refused, the next request is that of Retry, since a busy server would otherwise get one after the other', async (office) => {
  const { page } = office;
  await addRows(office, 300);
  const pages = await refuseRequests(page, /\/api\/clients\?.*cursor=\w/);
  await enter(office);
  await page.waitForSelector('[aria-label="Actions for Client 0000"]');
  await scrollTo(page, '[aria-label="Actions for Client 0059"]');
  await waitForText(page, TOO_MANY);
  await page.waitForNetworkIdle({ idleTime: 500, timeout: 3000, concurrency: 1 }).catch(() => undefined);
  assert.is(pages.refused, 1, 'neither a scroll nor a render asks again');
  pages.end();
  await page.locator('::-p-aria([name="Retry"][role="button"])').click();
  await scrollTo(page, '[aria-label="Actions for Client 0299"]');
});

test.run();
