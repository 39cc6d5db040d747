import { createHash } from 'node:crypto';
import * as assert from 'uvu/assert';
import { load, openTab } from '#server/testing/browser.ts';
import {
  enterDrive,
  waitForRowGone,
  rowNames,
  openByName,
  clickRow,
  press,
  row,
  rowSelector,
  clickButton,
  selectedNames,
  uploadFiles,
  visit,
} from './drive.ts';
import { holdRequests } from './held-requests.ts';
import { waitForValue, officeSuite, pathOf, waitForText } from './office.ts';
import { pdf, png } from './samples.ts';

const test = officeSuite('drive');

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('a folder is created, and documents in it are uploaded, previewed, downloaded, renamed and deleted', async (office) => {
  const { page } = office;
  await enterDrive(office);
  await waitForText(page, 'No files found');

  await press(page, 'Alt+n');
  await page.waitForSelector('[role="dialog"] input');
  await page.keyboard.type('Sharma Traders 2026-27');
  await page.keyboard.press('Enter');
  await openByName(page, 'Sharma Traders 2026-27');
  await waitForText(page, 'Folder is empty');
  assert.match(pathOf(page), /^\/dashboard\/folder\/\d+$/);
  assert.match(await page.title(), 'Sharma Traders 2026-27');

  const form = pdf(3);
  await uploadFiles(page, [
    { name: 'Form 16.pdf', content: form },
    { name: 'पैन कार्ड.png', content: png() },
  ]);
  await row(page, 'Form 16.pdf');
  await row(page, 'पैन कार्ड.png');
  await load(page, page.url());
  await waitForValue(() => rowNames(page), ['Form 16.pdf', 'पैन कार्ड.png']);

  await openByName(page, 'Form 16.pdf');
  await page.waitForSelector('[data-page="3"]');
  await page.waitForSelector('[data-page="1"] canvas');
  await page.goBack();
  await page.waitForSelector('[data-pages]', { hidden: true });

  const downloaded = await page.evaluate(
    async (id) => {
      const bearer = { Authorization: `Bearer ${localStorage.getItem('ca_token')}` };
      const answer = await fetch(`/api/documents/${id}/download-token`, { method: 'POST', headers: bearer });
      const { download_url } = (await answer.json()) as { download_url: string };
      const bytes = await (await fetch(download_url)).arrayBuffer();
      return [...new Uint8Array(bytes)];
    },
    await (await row(page, 'Form 16.pdf')).evaluate((element) => element.getAttribute('data-id')),
  );
  assert.is(sha256(Uint8Array.from(downloaded)), sha256(form));

  await clickRow(page, 'Form 16.pdf');
  await press(page, 'F2');
  await page.waitForSelector('[role="dialog"] input');
  // The stem is selected, so that typing leaves the extension.
  await page.keyboard.type('Form 16 - Sharma');
  await page.keyboard.press('Enter');
  await row(page, 'Form 16 - Sharma.pdf');

  await press(page, 'Delete');
  await clickButton(page, 'Delete “Form 16 - Sharma.pdf”');
  await waitForRowGone(page, 'Form 16 - Sharma.pdf');
  await waitForValue(() => rowNames(page), ['पैन कार्ड.png']);
});

test('an empty or taken folder name is reported under its field, and the dialog stays open', async (office) => {
  await office.world.build.folder(office.asha.actor, 'GSTR-3B');
  await enterDrive(office);
  await press(office.page, 'Alt+n');
  await office.page.waitForSelector('[role="dialog"] input');
  await office.page.keyboard.press('Enter');
  await waitForText(office.page, 'Please enter a folder name');
  await office.page.keyboard.type('gstr-3b');
  await office.page.keyboard.press('Enter');
  const input = await office.page.waitForSelector('[role="dialog"] input[aria-invalid="true"]');
  const description = await input?.evaluate((field) => {
    const ids = field.getAttribute('aria-describedby')?.split(' ') ?? [];
    return ids.map((id) => document.getElementById(id)?.textContent).join(' ');
  });
  assert.match(description ?? '', /already/i);
});

test('Back and Forward go through folders without a page load, and restore the selection', async (office) => {
  const { page, world, asha } = office;
  const outer = await world.build.folder(asha.actor, 'Audit');
  await world.build.folder(asha.actor, 'Working papers', outer.id);
  await world.build.file(asha.actor, { name: 'Letter.pdf', parent_id: outer.id });
  await enterDrive(office);
  await page.evaluate(() => {
    document.addEventListener('astro:after-swap', () => Object.assign(window, { swapped: true }));
    Object.assign(window, { stayed: true });
  });
  await openByName(page, 'Audit');
  await clickRow(page, 'Letter.pdf');
  await openByName(page, 'Working papers');
  await waitForText(page, 'Folder is empty');
  await page.goBack();
  await page.waitForSelector('[data-id][aria-label="Letter.pdf"][aria-selected="true"]');
  await page.goBack();
  await row(page, 'Audit');
  await page.goForward();
  await row(page, 'Letter.pdf');
  await waitForValue(() => pathOf(page), `/dashboard/folder/${outer.id}`);
  assert.equal(await page.evaluate(() => ['stayed' in window, 'swapped' in window]), [true, false]);
});

test('an item named by "highlight" in the address is scrolled to, also after a renamed one that no longer matches, and the parameter is removed from the address when the mark ends', async (office) => {
  const { page, world, asha } = office;
  const folder = await world.build.folder(asha.actor, 'Scans');
  for (let number = 1; number <= 60; number += 1) {
    await world.build.file(asha.actor, { name: `Scan ${number}.pdf`, parent_id: folder.id });
  }
  await world.build.file(asha.actor, { name: 'Audit.pdf' });
  const last = await world.build.file(asha.actor, { name: 'Z last.pdf', parent_id: folder.id });
  await enterDrive(office, `/dashboard/folder/${folder.id}?highlight=${last.id}`);
  const lastRow = await row(page, 'Z last.pdf');
  assert.ok(await lastRow.isIntersectingViewport());
  // Noted when it happens: on a slow computer the mark may have ended before the page has loaded.
  const { identifier } = await page.evaluateOnNewDocument(() => {
    const note = () => {
      if (document.querySelector('.animate-mark'))
        Object.assign(window, { searchWhenMarked: location.search });
    };
    new MutationObserver(note).observe(document, { subtree: true, childList: true, attributes: true });
  });
  await visit(office, `/dashboard/folder/${folder.id}?highlight=${last.id}`);
  await page.removeScriptToEvaluateOnNewDocument(identifier);
  await page.waitForFunction('window.searchWhenMarked');
  assert.is(
    await page.evaluate('window.searchWhenMarked'),
    `?highlight=${last.id}`,
    'the parameter stays as long as the mark',
  );
  await page.waitForFunction(() => !location.search);
  assert.not(await page.$('.animate-mark'));
  assert.is(pathOf(page), `/dashboard/folder/${folder.id}`);

  await visit(office, '/dashboard?search=last');
  await clickRow(page, 'Z last.pdf');
  await press(page, 'F2');
  await page.waitForSelector('[role="dialog"] input');
  await page.keyboard.type('Final');
  await page.keyboard.press('Enter');
  await waitForRowGone(page, 'Z last.pdf');
  await press(page, 'Control+k');
  await page.keyboard.type('audit');
  await page.locator('[role="option"] ::-p-text(Audit.pdf)').click();
  await waitForValue(() => selectedNames(page), ['Audit.pdf']);
  await openByName(page, 'Scans');
  await page.goBack();
  await waitForValue(() => pathOf(page), '/dashboard');
  assert.not(
    (await page.evaluate(() => location.href)).includes('highlight'),
    'left once, it is not marked again',
  );
});

test('the parameter "highlight" of an item that is not in the folder is removed after five seconds too, because nothing else would end it', async (office) => {
  const { page, world, asha } = office;
  await world.build.file(asha.actor, { name: 'Audit.pdf' });
  await enterDrive(office, '/dashboard?highlight=999999');
  await row(page, 'Audit.pdf');
  await waitForValue(() => pathOf(page), '/dashboard');
});

test('the files of one client can be listed and left again, and a client without files says so', async (office) => {
  const { page, world, asha } = office;
  const client = await world.build.client(asha.actor, 'Gupta Textiles');
  await world.build.file(asha.actor, { name: 'Gupta.pdf', client_id: client });
  await world.build.file(asha.actor, { name: 'Other.pdf' });
  await enterDrive(office, `/dashboard?client=${client}&clientName=Gupta%20Textiles`);
  await waitForValue(() => rowNames(page), ['Gupta.pdf']);
  await page.locator('[aria-label="Show the files of all clients"]').click();
  await row(page, 'Other.pdf');
  const nobody = await world.build.client(asha.actor, 'Nobody');
  await visit(office, `/dashboard?client=${nobody}&clientName=Nobody`);
  await waitForText(page, 'No files for Nobody');
  // A name that somebody wrote into an address does not stand over the files of another client.
  await visit(office, `/dashboard?client=${client}&clientName=Nobody`);
  await waitForText(page, 'Gupta Textiles');
});

test('the client of a folder is chosen by typing, with the keyboard alone, and can be changed', async (office) => {
  const { page, world, asha } = office;
  for (const name of ['Gupta Textiles', 'Sharma Traders']) await world.build.client(asha.actor, name);
  await enterDrive(office);
  await press(page, 'Alt+n');
  await page.waitForSelector('[role="dialog"] input');
  await page.keyboard.type('Returns');
  await press(page, 'Tab');
  const choose = async (text: string, name: string) => {
    await page.keyboard.type(text);
    await page.waitForSelector(`[role="option"] ::-p-text(${name})`);
    await page.waitForFunction(() => document.querySelectorAll('[role="option"]').length === 1);
    await press(page, 'ArrowDown');
    await press(page, 'Enter');
    await page.waitForSelector('[role="listbox"]', { hidden: true });
  };
  await page.keyboard.type('gup');
  await page.waitForSelector('[role="option"]');
  // Esc closes the list of clients, and not the dialog.
  await press(page, 'Escape');
  await page.waitForSelector('[role="listbox"]', { hidden: true });
  await choose('shar', 'Sharma Traders');
  await press(page, 'Enter');
  await row(page, 'Returns');
  await waitForText(page, 'Sharma Traders');
  await page.waitForSelector('[role="dialog"]', { hidden: true });
  await clickRow(page, 'Returns', 'right');
  await clickButton(page, 'Change client...');
  await page.locator('[role="dialog"] input').click({ count: 3 });
  await choose('gup', 'Gupta Textiles');
  await clickButton(page, 'Save');
  await page.waitForSelector(`${rowSelector('Returns')} ::-p-text(Gupta Textiles)`);
});

test('long names and names in other scripts stay within their row, keep their writing direction and can be renamed', async (office) => {
  const { page, world, asha } = office;
  const tamil = 'வருமான வரி அறிக்கை 2026-27.pdf';
  const arabic = 'فاتورة مبيعات الربع الأول 2026.pdf';
  const long = `${'आयकर विवरणी '.repeat(40)}`.slice(0, 251) + '.pdf';
  for (const name of [tamil, arabic, long]) await world.build.file(asha.actor, { name });
  await enterDrive(office);
  await waitForValue(async () => (await rowNames(page)).toSorted(), [tamil, arabic, long].toSorted());
  const layout = await page.evaluate((name) => {
    const link = document.querySelector(`[aria-label="${name}"] [data-open] > span`)!;
    const wide = [...document.querySelectorAll('[data-id]')].filter(
      (row) => row.scrollWidth > row.clientWidth,
    );
    return { direction: getComputedStyle(link).direction, wide: wide.length };
  }, arabic);
  assert.equal(layout, { direction: 'rtl', wide: 0 });
  await clickRow(page, long);
  await press(page, 'F2');
  await page.waitForSelector('[role="dialog"] input');
  await page.keyboard.sendCharacter('विवरणी 2026');
  await press(page, 'Enter');
  await row(page, 'विवरणी 2026.pdf');
});

test('an item is moved to another folder in a dialog, which knows the parent of a folder only when it is loaded', async (office) => {
  const { page, world, asha } = office;
  const archive = await world.build.folder(asha.actor, 'Archive');
  await world.build.file(asha.actor, { name: 'Old.pdf' });
  await enterDrive(office);
  await clickRow(page, 'Old.pdf', 'right');
  await clickButton(page, 'Move to...');
  const { release } = await holdRequests(page, `parent_id=${archive.id}`);
  await clickButton(page, 'Archive');
  await page.waitForSelector('[role="dialog"] [aria-label="Folder above"][aria-disabled=true]');
  await waitForText(page, 'Move to this folder');
  await release();
  await clickButton(page, 'Move to Archive');
  await waitForRowGone(page, 'Old.pdf');
  await page.waitForSelector('[role="dialog"]', { hidden: true });
  await openByName(page, 'Archive');
  await row(page, 'Old.pdf');
});

test('a deletion in another tab shows without a reload', async (office) => {
  const { page, url, world, asha } = office;
  await world.build.file(asha.actor, { name: 'Shared.pdf' });
  await enterDrive(office);
  const otherTab = await openTab(page.browserContext());
  await load(otherTab, `${url}/dashboard`);
  await clickRow(otherTab, 'Shared.pdf');
  await press(otherTab, 'Delete');
  await clickButton(otherTab, 'Delete “Shared.pdf”');
  await waitForRowGone(otherTab, 'Shared.pdf');
  // A tab in the background draws no frames, on which waitForFunction relies.
  await page.bringToFront();
  await waitForRowGone(page, 'Shared.pdf');
});

test('a folder that does not exist answers 404 and says so, instead of looking empty', async (office) => {
  const { page, url } = office;
  await enterDrive(office);
  const answer = await page.goto(`${url}/dashboard/folder/999999`);
  assert.is(answer?.status(), 404);
  await waitForText(page, 'This folder is not here');
});

test("the tab's title follows to the files of a client and back, and says when a folder is gone", async (office) => {
  const { page, world, asha } = office;
  const client_id = await world.build.client(asha.actor, 'Anand Mills');
  const folder = await world.build.folder(asha.actor, 'Returns');
  await world.build.file(asha.actor, { name: 'bill.txt', client_id });
  const waitForTitle = (title: string) =>
    page.waitForFunction((text) => document.title.startsWith(text), {}, title);
  await enterDrive(office, '/dashboard?search=returns');
  await openByName(page, 'Returns');
  await waitForTitle('Returns');
  await page.goBack();
  await waitForTitle('Results for');
  await world.services.documents.remove(asha.actor, [folder.id]);
  await page.goForward();
  await waitForText(page, 'This folder is not here');
  await waitForTitle('Folder not found');
  await visit(office, `/dashboard?client=${client_id}&clientName=Anand%20Mills&search=bill`);
  await waitForTitle('Results for');
  await page.locator('[aria-label="Leave the search"]').click();
  await waitForTitle('My Drive');
});

test.run();
