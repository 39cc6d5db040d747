import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ElementHandle, Page } from 'puppeteer';
import * as assert from 'uvu/assert';
import { signIn } from '#server/testing/browser.ts';
import { violations } from './axe.ts';
import { holdRequests } from './held-requests.ts';
import type { Office } from './office.ts';
import { ASHA, officeSuite, waitForText, waitForValue } from './office.ts';

const test = officeSuite<{ folder: string }>('the import of clients');
test.before.each(async (office) => {
  office.folder = await mkdtemp(join(tmpdir(), 'clients-'));
});
test.after.each(({ folder }) => rm(folder, { recursive: true }));

const addClients = async ({ world, asha }: Office) => {
  await world.build.client(asha.actor, 'Meera Iyer', { pan: 'AAAPZ0000A', city: 'Chennai' });
  await world.build.client(asha.actor, 'Kiran Rao', { email: 'rao@example.in' });
  await world.build.client(asha.actor, 'Rao & Sons', { client_type: 'Company' });
};

/** Opens the dialog by keyboard, since the welcome toast covers the button for some seconds. */
async function openImport(page: Page): Promise<void> {
  const button = await page.waitForSelector('main header button ::-p-text(Import)');
  await button?.evaluate((inside) => inside.closest('button')?.focus());
  await page.keyboard.press('Enter');
}

async function chooseCsv({ page, folder }: Office & { folder: string }, text: string): Promise<void> {
  await writeFile(join(folder, 'clients.csv'), text);
  const input = await page.waitForSelector('[role=dialog] input[type=file]');
  await (input as ElementHandle<HTMLInputElement>).uploadFile(join(folder, 'clients.csv'));
}

/** Assigns a field to a column of the file; the first is 1. */
async function assign(page: Page, column: number, field: string): Promise<void> {
  await page.locator(`[role=dialog] li:nth-child(${column}) button`).click();
  await page.locator(`[role=option] ::-p-text(${field})`).click();
  await page.waitForSelector('[role=option]', { hidden: true });
}

/** The button that imports. */
const IMPORT = '[role=dialog] footer button:last-child';

test('a CSV file of clients is previewed, its columns are matched to fields, and its valid rows are imported', async (office) => {
  const { page, world, asha } = office;
  await addClients(office);
  await signIn(page, office.url, ASHA, '/clients');
  await page.setViewport({ width: 390, height: 844 });
  const spare = await page.$eval('[data-id]', (row) => {
    const menuButton = row.querySelector('[aria-haspopup]')!;
    return row.getBoundingClientRect().right - menuButton.getBoundingClientRect().right;
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
  await openImport(page);
  await chooseCsv(office, 'Naam,PAN\nNew One,AAAFZ0000B\nBad One,AAADZ0000A\n');
  await waitForText(page, 'Choose the Name column');
  assert.equal(await violations(page), []);
  await page.locator('[role=dialog] li:first-child button').click();
  await page.waitForSelector('[role=option]');
  await page.locator('[role=option] ::-p-text(Name)').click();
  await waitForText(page, 'The fourth letter of a PAN');
  await waitForText(page, '1 row with errors');
  await page.locator('[role=dialog] ::-p-text(Another file)').click();
  await page.waitForSelector('[role=dialog] input[type=file] + button:focus');
  await chooseCsv(
    office,
    'Rao & Co: clients\nParty Name,PAN,City,Email\nNew One,AAAFZ0000B,Pune,\nMeera Iyer,AAAPZ0000A,Madurai,\nBad,AAAD,,\nAsha Rao,,Pune,rao@example.in\nRao & Sons,,Pune,\nTotal,3,,\n',
  );
  await waitForText(page, 'Not clients: lines 1 and 8');
  await waitForText(page, 'City: Chennai → Madurai');
  await waitForText(page, 'Only the e-mail address is that of Kiran Rao');
  await waitForText(page, '2 new clients, 1 to update, 0 unchanged · 1 row left out');
  await page.focus('[role=dialog] [aria-label="Import line 7, Rao & Sons"]');
  await page.keyboard.press('Space');
  await waitForText(page, '1 new client, 1 to update, 0 unchanged · 2 rows left out');
  await page.keyboard.press('Escape');
  await waitForText(page, 'is not kept');
  await page.keyboard.press('Escape');
  await page.locator('[role=dialog] ::-p-text(Skip 1 row with errors)').click();
  await world.build.client(asha.actor, 'Made meanwhile');
  await page.locator('[role=dialog] ::-p-text(Import 2 clients)').click();
  await waitForText(page, 'Somebody has changed the clients since this preview');
  await page.locator('[role=dialog] ::-p-text(Skip 1 row with errors)').click();
  const { held, release } = await holdRequests(page, '/clients/import');
  await page.locator('[role=dialog] ::-p-text(Import 2 clients)').click();
  await waitForValue(() => held.length, 1);
  // Closing would not stop the import.
  await page.waitForSelector('[role=dialog] footer button[disabled] ::-p-text(Cancel)');
  await page.keyboard.press('Escape');
  await page.waitForSelector('[role=dialog] footer ::-p-text(Importing...)');
  await release();
  await waitForText(page, '1 added, 1 updated, 3 skipped.');
  await page.waitForFunction(() => document.querySelectorAll('[data-id]').length === 5);
  assert.is((await world.services.clients.list(asha.actor, { search: 'meera' })).data[0]?.city, 'Madurai');
});

test('with the file chosen the focus is on the first column, so that Enter does not throw the import away', async (office) => {
  const { page } = office;
  await signIn(page, office.url, ASHA, '/clients');
  await openImport(page);
  const choose = await page.waitForSelector('[role=dialog] input[type=file] + button');
  await choose!.focus();
  await chooseCsv(office, 'Name,PAN\nNew One,AAAFZ0000B\n');
  await waitForText(page, 'Import 1 client');
  await page.waitForSelector('[role=dialog] li:first-child button:focus');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[role=option]');
  await page.keyboard.press('Escape');
  await page.waitForSelector(`${IMPORT}:not([disabled])`);
});

test('of more rows with errors than are listed at first all can be seen, and the line below counts them, or the last would be left out unseen', async (office) => {
  const { page } = office;
  await signIn(page, office.url, ASHA, '/clients');
  await openImport(page);
  const rows = Array.from({ length: 400 }, (_, nth) => `Client ${nth},${nth < 310 ? 'AAAD' : ''}`);
  await chooseCsv(office, `Name,PAN\n${rows.join('\n')}\n`);
  await waitForText(page, 'And 100 more rows, 10 of them with errors.');
  await page.locator('[role=dialog] button ::-p-text(Show more)').click();
  await waitForText(page, 'Client 309');
  await page.waitForSelector('[role=dialog] button ::-p-text(Show more)', { hidden: true });
});

test('while the preview of another mapping is loaded nothing is imported, both of two quick changes count, and only the last answer is shown', async (office) => {
  const { page, world, asha } = office;
  await signIn(page, office.url, ASHA, '/clients');
  await openImport(page);
  await chooseCsv(office, 'Naam,Shahar,Sthan\nNew One,Pune,Nashik\n');
  await waitForText(page, 'Choose the Name column');
  await assign(page, 1, 'Name');
  await page.waitForSelector(`${IMPORT}:not([disabled])`);
  const { held, release } = await holdRequests(page, '/import/preview');
  await assign(page, 2, 'City');
  await assign(page, 3, 'Address');
  await waitForValue(() => held.length, 2);
  await page.waitForSelector(`${IMPORT}[disabled]`);
  // The answer to the second change arrives first.
  for (const request of held.toReversed()) {
    const answered = page.waitForResponse((response) => response.request() === request);
    await request.continue();
    await answered;
  }
  held.length = 0;
  await release();
  await page.locator(`${IMPORT}:not([disabled])`).click();
  await waitForText(page, '1 added');
  const [client] = (await world.services.clients.list(asha.actor)).data;
  assert.equal([client?.name, client?.city, client?.address], ['New One', 'Pune', 'Nashik']);
});

test('"Another file" during a preview asks for a file, and the preview of the former one does not come back', async (office) => {
  const { page } = office;
  await signIn(page, office.url, ASHA, '/clients');
  await openImport(page);
  await chooseCsv(office, 'Naam,Shahar\nNew One,Pune\n');
  await waitForText(page, 'Choose the Name column');
  const { held } = await holdRequests(page, '/import/preview');
  await assign(page, 1, 'Name');
  await waitForValue(() => held.length, 1);
  await page.locator('[role=dialog] ::-p-text(Another file)').click();
  await page.waitForSelector('[role=dialog] input[type=file]');
  const answered = page.waitForResponse((response) => response.url().includes('/import/preview'));
  await held[0]!.continue();
  await answered;
  await page.waitForNetworkIdle({ idleTime: 200 });
  assert.ok(await page.$('[role=dialog] input[type=file]'));
});

test.run();
