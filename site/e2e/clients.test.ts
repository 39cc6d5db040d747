import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ElementHandle } from 'puppeteer';
import * as assert from 'uvu/assert';
import { load, signIn } from '#server/testing/browser.ts';
import { violations } from './axe.ts';
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

const NAMES = ['Meera Iyer', 'Rao & Sons', 'Sharma Traders', 'सीता शर्मा'];
const furnish = async ({ world, asha }: Office) => {
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
/** A button of the header, by key: the welcome stands over it for some seconds. */
async function press({ page }: Office, text: string): Promise<void> {
  const button = await page.waitForSelector(`main header button ::-p-text(${text})`);
  await button?.evaluate((inside) => inside.closest('button')?.focus());
  await page.keyboard.press('Enter');
}
const names = ({ page }: Office) =>
  page.$$eval('[data-id] [role=rowheader] a', (buttons) => buttons.map((one) => one.textContent));
const counters = ({ page }: Office) =>
  page.$$eval('[aria-label=Counters] button', (buttons) => buttons.map((one) => one.textContent).join(' '));
const listed = ({ page }: Office, count: number) =>
  page.waitForFunction((wanted) => document.querySelectorAll('[data-id]').length === wanted, {}, count);

async function menu({ page }: Office, name: string, entry: string): Promise<void> {
  await page.locator(`[aria-label="Actions for ${name}"]`).click();
  await page.waitForSelector('[role=menu]');
  await page.locator(`[role=menuitem] ::-p-text(${entry})`).click();
}
/** Replaces what stands in a field. */
async function fill({ page }: Office, field: string, text: string): Promise<void> {
  const input = await page.waitForSelector(`[role=dialog] [name="${field}"]`);
  await input?.focus();
  await page.keyboard.down('Control');
  await page.keyboard.press('a');
  await page.keyboard.up('Control');
  await page.keyboard.type(text);
}

test('an empty office is told what to do, in its own words', async (office) => {
  await enter(office);
  await waitForText(office.page, 'No clients found');
  await waitForText(office.page, 'Import a list');
  await waitForValue(() => counters(office), '0Total 0Active 0Companies');
  assert.equal(await violations(office.page), []);
});

test('clients are listed with all that is known, and counted', async (office) => {
  await furnish(office);
  await enter(office);
  await waitForValue(() => names(office), NAMES);
  await waitForValue(() => counters(office), '4Total 3Active 2Companies');
  assert.match(await textOf(office.page, 'main header'), '4 clients');
  for (const text of ['9840054321', 'meera@example.in', 'Chennai', 'AAAPZ0000A', 'Inactive'])
    await waitForText(office.page, text);
  const files = await office.page.$eval('[data-id] a[href*="client="]', (a) => a.getAttribute('href'));
  assert.match(files ?? '', /^\/dashboard\?client=\d+&clientName=Meera%20Iyer$/);
});

test('nothing on it is out of reach', async (office) => {
  await furnish(office);
  await enter(office);
  assert.equal(await violations(office.page), []);
  await press(office, 'New Client');
  await office.page.waitForSelector('[role=dialog]');
  assert.equal(await violations(office.page), []);
});

test('the search finds by name, phone and PAN while one types, and the address remembers', async (office) => {
  const { page } = office;
  await furnish(office);
  await enter(office);
  await page.type('[placeholder="Search clients..."]', '98400');
  await listed(office, 1);
  await waitForValue(() => names(office), ['Meera Iyer']);
  await waitForText(page, '1 of 4 clients');
  await page.keyboard.press('ArrowDown');
  await waitForValue(() => focusedControl(page), 'Meera Iyer');
  await page.keyboard.press('ArrowUp');
  assert.is(await page.evaluate(() => (document.activeElement as HTMLInputElement).type), 'search');
  await replaceText(page, 'main input[type=search]', 'aaapz0000a');
  await listed(office, 1);
  await waitForValue(() => pathOf(page), '/clients?search=aaapz0000a');
  await replaceText(page, 'main input[type=search]', 'nobody at all');
  await waitForText(page, 'No client matches');
  await page.locator('::-p-text(Show all clients)').click();
  await listed(office, 4);
  await page.locator('[aria-label=Counters] button:last-child').click();
  await listed(office, 2);
  await load(page, page.url());
  await waitForValue(() => names(office), ['Rao & Sons', 'Sharma Traders']);
});

test('a client is entered with the keyboard alone, and mistakes are told under their fields', async (office) => {
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
  await page.keyboard.type('=Patel & Co');
  await fill(office, 'gstin', '29aaacz0000a1z6');
  await page.keyboard.press('Enter');
  await waitForText(page, 'The check digit does not fit');
  await waitForValue(() => focusedControl(page), 'gstin');
  await fill(office, 'gstin', '29aaacz0000a1z5');
  await page.focus('[role=dialog] [name=pan]');
  await page.waitForFunction(() =>
    [...document.querySelectorAll('[role=dialog] button')].some((one) => one.textContent === 'Company'),
  );
  assert.is(await page.$eval('[name=pan]', (input) => (input as HTMLInputElement).value), 'AAACZ0000A');
  await page.keyboard.press('Enter');
  await waitForText(page, "'=Patel & Co' added");
  await listed(office, 1);
  await waitForValue(() => counters(office), '1Total 1Active 1Companies');
});

test('an edit changes the row and the counters at once', async (office) => {
  const { page } = office;
  await furnish(office);
  await enter(office);
  await menu(office, 'Rao & Sons', 'Edit');
  await page.waitForSelector('[role=dialog] [name=name]');
  assert.is(await textOf(page, '[role=dialog] [slot=title]'), 'Edit Client');
  await fill(office, 'name', 'Rao & Daughters');
  await page.keyboard.press('Enter');
  await waitForText(page, "'Rao & Daughters' updated");
  await page.waitForFunction(() => document.querySelector('main')?.innerText.includes('Rao & Daughters'));
});

test('of two who edit one client the second is told, keeps what was typed, and saves on top', async (office) => {
  const { page, world, asha } = office;
  await furnish(office);
  await enter(office);
  const [client] = (await world.services.clients.list(asha.actor)).data;
  await menu(office, 'Meera Iyer', 'Edit');
  await page.waitForSelector('[role=dialog] [name=name]');
  const ravi = await world.build.colleague(asha.actor, { name: 'Ravi Kumar', role: 'manager' });
  await world.services.clients.update(ravi.actor, client!.id, { phone: '9000000000' });
  await fill(office, 'city', 'Madurai');
  await page.locator('[role=dialog] button[type=submit]').click();
  await waitForText(page, 'Ravi Kumar changed this client a moment ago');
  await waitForText(page, 'What was changed (Phone) is filled in below');
  assert.is(await page.$eval('[name=city]', (input) => (input as HTMLInputElement).value), 'Madurai');
  await page.locator('[role=dialog] button[type=submit]').click();
  await waitForText(page, "'Meera Iyer' updated");
  const now = await world.services.clients.client(asha.actor, client!.id);
  assert.equal([now.phone, now.city], ['9000000000', 'Madurai']);
});

test('a client that a colleague deletes while its dialog is open is told at once, and nothing typed is lost', async (office) => {
  const { page, world, asha } = office;
  await furnish(office);
  await enter(office);
  const [client] = (await world.services.clients.list(asha.actor)).data;
  await menu(office, 'Meera Iyer', 'Edit');
  await page.waitForSelector('[role=dialog] [name=name]');
  const ravi = await world.build.colleague(asha.actor, { name: 'Ravi Kumar', role: 'manager' });
  await world.services.clients.remove(ravi.actor, client!.id);
  await waitForText(page, 'This client was deleted by Ravi Kumar a moment ago.');
  await page.locator('::-p-text(Create it as a new client)').click();
  await page.locator('[role=dialog] button[type=submit]').click();
  await waitForText(page, "'Meera Iyer' added");
});

test('deleting says how many files are untied, and keeps them', async (office) => {
  const { page, world, asha } = office;
  await furnish(office);
  const [client] = (await world.services.clients.list(asha.actor)).data;
  await world.build.file(asha.actor, { client_id: client!.id });
  await enter(office);
  await menu(office, 'Meera Iyer', 'Delete');
  assert.match(await textOf(page, '[role=alertdialog]'), '1 file is linked to this client');
  await page.locator('[role=alertdialog] footer button:last-child').click();
  await waitForText(page, "'Meera Iyer' deleted");
  await listed(office, 3);
  await waitForValue(() => counters(office), '3Total 2Active 2Companies');
  // The keyboard goes on at the row that took its place.
  await page.waitForFunction(
    () => document.activeElement?.getAttribute('aria-label') === 'Actions for Rao & Sons',
  );
});

test('all files of a client come from its menu and from its files, and where there are none it says so', async (office) => {
  const { page, world, asha } = office;
  await furnish(office);
  const [client] = (await world.services.clients.list(asha.actor)).data;
  await world.build.file(asha.actor, { client_id: client!.id });
  await enter(office);
  await menu(office, 'Rao & Sons', 'Download all files');
  await waitForText(page, 'There are no files of Rao & Sons to download.');
  const linked = () => page.waitForResponse((one) => one.url().endsWith('/download-token') && one.ok());
  await Promise.all([linked(), menu(office, 'Meera Iyer', 'Download all files')]);
  await page.locator('[aria-label="Files of Meera Iyer"]').click();
  await Promise.all([linked(), page.locator('[aria-label="Download all files of this client"]').click()]);
});

test('failures are told in the decided words', async (office) => {
  const { page, url } = office;
  await furnish(office);
  await enter(office, '/clients?edit=');
  await waitForText(page, 'No client selected for update');
  await page.goto(`${url}/clients?delete=`);
  await waitForText(page, 'No client selected for deletion');
  await page.goto(`${url}/clients?edit=abc`);
  await waitForText(page, 'Invalid client ID');

  await load(page, `${url}/clients`);
  await menu(office, 'Meera Iyer', 'Edit');
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
  assert.is((await names(office)).length > 0, true, 'what was there stays');
  await waitForText(page, 'Retry');
  // With the network back the list loads by itself.
  await page.setOfflineMode(false);
  await listed(office, 1);
  await page.setOfflineMode(true);
  await menu(office, 'Rao & Sons', 'Delete');
  await waitForText(page, 'Failed to delete client. Please try again.');
  await page.setOfflineMode(false);
});

test('a list from Excel is looked at, mapped and imported', async (office) => {
  const { page, world, asha } = office;
  await furnish(office);
  await enter(office);
  const folder = await mkdtemp(join(tmpdir(), 'clients-'));
  const put = async (text: string) => {
    await writeFile(join(folder, 'clients.csv'), text);
    const input = (await page.waitForSelector(
      '[role=dialog] input[type=file]',
    )) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(join(folder, 'clients.csv'));
  };
  await page.setViewport({ width: 390, height: 844 });
  const spare = await page.$eval('[data-id]', (row) => {
    const menu = row.querySelector('[aria-haspopup]')!;
    return row.getBoundingClientRect().right - menu.getBoundingClientRect().right;
  });
  assert.ok(spare < 12, `the name has all the room of a phone, but for ${spare} pixels`);
  await page.locator('main header [aria-label=More]').click();
  assert.match(
    await page.$eval('[role=menu] a', (link) => link.getAttribute('href') ?? ''),
    /^\/api\/clients\/export/,
  );
  await page.locator('[role=menuitem] ::-p-text(Import)').click();
  await page.waitForSelector('[role=dialog] input[type=file]');
  await page.keyboard.press('Escape');
  await page.setViewport({ width: 1366, height: 768 });
  await press(office, 'Import');
  await put('Naam,PAN\nNew One,AAAFZ0000B\nBad One,AAADZ0000A\n');
  await waitForText(page, 'Choose the Name column');
  assert.equal(await violations(page), []);
  await page.locator('[role=dialog] li:first-child button').click();
  await page.waitForSelector('[role=option]');
  await page.locator('[role=option] ::-p-text(Name)').click();
  await waitForText(page, 'A PAN has five letters');
  await waitForText(page, '1 row with errors');
  await page.locator('[role=dialog] ::-p-text(Another file)').click();
  await put(
    'Rao & Co: clients\nParty Name,PAN,City\nNew One,AAAFZ0000B,Pune\nMeera Iyer,AAAPZ0000A,Madurai\nBad,AAAD,\nTotal,3,\n',
  );
  await waitForText(page, 'Not clients: lines 1 and 6');
  await page.locator('[role=dialog] ::-p-text(Skip 1 row with errors)').click();
  await world.build.client(asha.actor, 'Made meanwhile');
  await page.locator('[role=dialog] ::-p-text(Import 2 clients)').click();
  await waitForText(page, 'Somebody has changed the clients since this preview');
  await page.locator('[role=dialog] ::-p-text(Skip 1 row with errors)').click();
  await page.locator('[role=dialog] ::-p-text(Import 2 clients)').click();
  await waitForText(page, '1 added, 1 updated, 1 skipped.');
  await listed(office, 6);
  assert.is((await world.services.clients.list(asha.actor, { search: 'meera' })).data[0]?.city, 'Madurai');
});

test('clients of many pages are all within reach of the scroll', async (office) => {
  const { page, world, asha } = office;
  const rows = Array.from({ length: 600 }, (_, at) => {
    const name = `Client ${String(at).padStart(4, '0')}`;
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
  for (let at = 0; at < rows.length; at += 500) await world.db('clients').insert(rows.slice(at, at + 500));
  await enter(office);
  await scrollTo(page, '[aria-label="Actions for Client 0599"]');
  assert.ok((await page.$$('[data-id]')).length < 80, 'only what is near is drawn');
  await page.locator('[aria-label="Files of Client 0599"]').click();
  await page.waitForFunction(() => location.pathname === '/dashboard');
  await waitForText(page, 'No files for Client 0599');
  await page.goBack();
  await page.waitForSelector('[aria-label="Actions for Client 0599"]', { visible: true });
});

test.run();
