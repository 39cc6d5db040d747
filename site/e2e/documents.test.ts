import * as assert from 'uvu/assert';
import { load, signIn } from '#server/testing/browser.ts';
import { pageReady } from '#server/testing/page-ready.ts';
import { violations } from './axe.ts';
import { press, clickButton, rowSelector } from './drive.ts';
import { TOO_MANY, holdRequests, refuseRequests } from './held-requests.ts';
import type { Office } from './office.ts';
import { ASHA, waitForValue, officeSuite, pathOf, scrollTo, waitForText } from './office.ts';

const test = officeSuite('the documents screen');

/** By keyboard, since the welcome toast covers the button for some seconds. */
async function refresh({ page }: Office): Promise<void> {
  await page.focus('[aria-label=Refresh]');
  await page.keyboard.press('Enter');
}
async function enter(office: Office, path = '/documents'): Promise<void> {
  await signIn(office.page, office.url, ASHA, path);
}
const names = ({ page }: Office) =>
  page.$$eval('[role=row][data-id]', (rows) => rows.map((row) => row.getAttribute('aria-label')));
const waitForRows = ({ page }: Office, count: number) =>
  page.waitForFunction(
    (wanted) => document.querySelectorAll('[role=row][data-id]').length === wanted,
    {},
    count,
  );
const addFiles = async ({ world, asha }: Office) => {
  const client = await world.build.client(asha.actor, 'Meera Iyer');
  const folder = await world.build.folder(asha.actor, 'Deep');
  for (const [name, place] of [
    ['GST 10.pdf', { client_id: client }],
    ['GST 2.pdf', { parent_id: folder.id }],
    ['photo.png', { parent_id: folder.id, client_id: client }],
    ['ledger.xlsx', {}],
  ] as const) {
    world.advance(1000);
    await world.build.file(asha.actor, { name, ...place });
  }
  return { client, folder };
};

test('files of all folders are in one list, with their client and folder, which stays when the server does not answer', async (office) => {
  const { page } = office;
  await addFiles(office);
  await enter(office);
  await waitForValue(() => names(office), ['ledger.xlsx', 'photo.png', 'GST 2.pdf', 'GST 10.pdf']);
  for (const text of ['4 files', 'Meera Iyer', 'Deep', 'My Drive']) await waitForText(page, text);
  assert.equal(await violations(page), []);
  await page.setOfflineMode(true);
  await refresh(office);
  await waitForText(page, 'Failed to fetch documents');
  await waitForValue(async () => (await names(office)).length, 4);
  await page.setOfflineMode(false);
});

test('without files, and with filters that match none, the screen says so and offers a way on', async (office) => {
  const { page } = office;
  await enter(office);
  await waitForText(page, 'No files found');
  await waitForText(page, 'Every file of the firm is listed here');
  await waitForText(page, 'Go to My Drive');
  await addFiles(office);
  await load(page, `${office.url}/documents?group=video`);
  await waitForText(page, 'No file matches');
  await page.locator('::-p-text(Show all files)').click();
  await waitForRows(office, 4);
});

test('filters and order can be combined and are in the URL, to which Back returns, and on a phone the chosen values are not cut off', async (office) => {
  const { page } = office;
  await addFiles(office);
  await enter(office);
  await page.locator('[role=columnheader] ::-p-text(Name)').click();
  await page.waitForFunction(() => location.search.includes('sort=name'));
  await page.waitForFunction(
    () => document.querySelector('[role=row][data-id]')?.getAttribute('aria-label') === 'GST 2.pdf',
  );
  await waitForValue(() => names(office), ['GST 2.pdf', 'GST 10.pdf', 'ledger.xlsx', 'photo.png']);
  await page.locator('[aria-label=Filters] button[aria-haspopup=listbox]').click();
  await page.waitForSelector('[role=option]');
  await page.locator('[role=option] ::-p-text(PDF)').click();
  await waitForRows(office, 2);
  await page.type('[aria-label=Filters] input[role=combobox]', 'meer');
  await page.locator('[role=option] ::-p-text(Meera Iyer)').click();
  await waitForRows(office, 1);
  assert.match(pathOf(page), /group=pdf.*client=\d+.*clientName=Meera\+Iyer/);
  await load(page, page.url());
  await waitForValue(() => names(office), ['GST 10.pdf']);
  await page.locator('.sidebar a[href="/documents"]').click();
  await waitForRows(office, 4);
  await pageReady(page);
  await page.goBack();
  await waitForValue(() => names(office), ['GST 10.pdf'], 'the list is that of the address');

  await page.setViewport({ width: 390, height: 844, hasTouch: true, isMobile: true });
  await load(page, `${office.url}/documents?from=2026-04-02&to=2026-05-03`);
  // On a phone the filters are behind a button that says how many are in use.
  await page.locator('[aria-label="Filters (1 in use)"]').click();
  await waitForText(page, 'Between two days');
  const cut = await page.$$eval('[aria-label=Filters] .truncate', (labels) =>
    labels
      .filter((label) => label.clientWidth > 0 && label.scrollWidth > label.clientWidth)
      .map((label) => label.textContent),
  );
  assert.equal(cut, [], 'the chosen values can be read on a phone');
});

test('selected files are linked to a client and deleted as in the drive, and the number of files is updated', async (office) => {
  const { page } = office;
  await addFiles(office);
  await enter(office);
  await page.focus('[role=grid]');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await page.keyboard.down('Shift');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.up('Shift');
  await waitForText(page, '2 selected');
  await clickButton(page, 'Change client...');
  await page.waitForSelector('[role=dialog] input:focus');
  // Nobody has said that the one with a client is to lose it.
  const now = await page.$eval('[role=dialog] p', (paragraph) => paragraph.textContent);
  assert.match(now, /^Now: (?:No Client and Meera Iyer|Meera Iyer and No Client)$/);
  assert.ok(await page.$('[role=dialog] [type=submit]:disabled'));
  await page.keyboard.type('meer');
  await page.waitForSelector('[role=option] ::-p-text(Meera Iyer)');
  await press(page, 'ArrowDown');
  await press(page, 'Enter');
  await press(page, 'Enter');
  await waitForText(page, '2 items linked to Meera Iyer');
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await page.focus('[role=grid]');
  await page.keyboard.press('Delete');
  await page.waitForSelector('[role=alertdialog]');
  await page.locator('[role=alertdialog] footer button:last-child').click();
  await waitForRows(office, 2);
  await waitForText(page, '2 files');
});

test('in a preview the arrow key leads to the next file and Back closes it, and "Show in folder" opens the folder of a file', async (office) => {
  const { page } = office;
  const { folder } = await addFiles(office);
  await enter(office);
  await page.locator('[aria-label="photo.png"] [data-open]').click();
  await page.waitForSelector('[role=dialog][aria-label="Preview of photo.png"]');
  await page.keyboard.press('ArrowRight');
  await page.waitForSelector('[role=dialog][aria-label="Preview of GST 2.pdf"]');
  await page.goBack();
  await page.waitForFunction(() => !document.querySelector('[role=dialog]'));
  await waitForValue(() => pathOf(page), '/documents');
  await page.locator('[aria-label="photo.png"] [data-menu]').click();
  await page.waitForSelector('[role=menu]');
  await page.locator('[role=menuitem] ::-p-text(Show in folder)').click();
  await page.waitForFunction((id) => location.pathname === `/dashboard/folder/${id}`, {}, folder.id);
});

/** The rows of files in the database, since so many uploads would take long. */
async function addRows({ world, asha }: Office, count: number): Promise<void> {
  const { firmId: firm_id, userId: owner_id } = asha.actor;
  const rows = Array.from({ length: count }, (_, index) => {
    const name = `scan ${String(index).padStart(4, '0')}.png`;
    const now = new Date(Date.parse('2025-01-01') + index * 1000).toISOString();
    return {
      firm_id,
      type: 'file',
      name,
      name_key: name,
      sort_key: name,
      file_type: 'png',
      file_size: index,
      blob_id: `b${index}`,
      owner_id,
      created_at: now,
      modified_at: now,
    };
  });
  for (let start = 0; start < rows.length; start += 500)
    await world.db('item_rows').insert(rows.slice(start, start + 500));
}

test('files that are unticked while Select all is still loading the rest stay unticked, because Delete would take them with the others', async (office) => {
  const { page } = office;
  await addRows(office, 300);
  await enter(office);
  await page.waitForSelector(rowSelector('scan 0299.png'));
  await page.focus('[role=grid]');
  await press(page, 'Control+a');
  await waitForText(page, ' of 300 selected');
  const { held, release } = await holdRequests(page, '/api/documents/files?');
  await clickButton(page, 'Select all 300');
  await waitForValue(() => held.length, 1);
  await press(page, 'Delete');
  await page.keyboard.down('Control');
  for (const name of ['scan 0299.png', 'scan 0298.png'])
    await page.locator(`${rowSelector(name)} .list-modified`).click();
  await page.keyboard.up('Control');
  await release();
  await waitForText(page, 'Delete 298 items?');
});

test('after a further page of the list was refused, the next request is that of Retry, since a busy server would otherwise get one after the other', async (office) => {
  const { page } = office;
  await addRows(office, 300);
  const pages = await refuseRequests(page, /\/api\/documents\/files\?.*cursor=\w/);
  await enter(office);
  await page.waitForSelector('[aria-label="scan 0299.png"]');
  await scrollTo(page, '[aria-label="scan 0200.png"]');
  await waitForText(page, TOO_MANY);
  await page.evaluate(() => document.querySelector('[data-scroller]')!.scrollBy(0, -200));
  await page.waitForNetworkIdle({ idleTime: 500, timeout: 3000, concurrency: 1 }).catch(() => undefined);
  assert.is(pages.refused, 1, 'neither a scroll nor a render asks again');
  await clickButton(page, 'Retry');
  await waitForValue(() => pages.refused, 2);
  await waitForText(page, TOO_MANY);
  pages.end();
  await clickButton(page, 'Retry');
  await scrollTo(page, '[aria-label="scan 0000.png"]');
});

test('a list of thousands of files draws only the rows near the viewport, and all of them can be selected and stay so when the list is loaded again', async (office) => {
  const { page, world, asha } = office;
  await addRows(office, 3000);
  await enter(office);
  await scrollTo(page, '[aria-label="scan 2700.png"]');
  await page.focus('[role=grid]');
  await press(page, 'Control+a');
  await waitForText(page, ' of 3,000 selected');
  await clickButton(page, 'Select all 3,000');
  await waitForText(page, '3,000 selected');
  await press(page, 'Delete');
  await waitForText(page, 'Delete 3,000 items?');
  await press(page, 'Escape');
  await page.waitForSelector('[role=alertdialog]', { hidden: true });
  const { id: last } = await world.db('item_rows').where('name', 'scan 0000.png').first('id');
  await world.services.documents.rename(asha.actor, last, { name: 'first scan.png' });
  await page.focus('[role=grid]');
  await press(page, 'End');
  await page.waitForSelector('[aria-label="first scan.png"]');
  await waitForText(page, '3,000 selected');
  assert.ok((await page.$$('[role=row][data-id]')).length < 100);
});

test.run();
