import type { Page } from 'puppeteer';
import { sender } from '#server/requests/testing/office.ts';
import { FORM_16, recognise } from '#server/fields/testing/recognised.ts';
import { uploadFile } from '#server/scanning/testing/upload-file.ts';
import { load, networkIdle, openTab } from '#server/testing/browser.ts';
import { askClient } from './asked.ts';
import { clickButton, clickRow, enterDrive, goTo, openByName, press, row, waitForRowGone } from './drive.ts';
import { officeSuite, waitForText } from './office.ts';
import { pdf } from './samples.ts';

const test = officeSuite("a person's own changes, on other screens and in other tabs");

/** Opens a folder of the root whose contents the tab has shown before, so that they are in its cache. */
async function openAgain(page: Page, folder: string): Promise<void> {
  await goTo(page, '/dashboard');
  await openByName(page, folder);
  await page.waitForFunction(() => location.pathname.startsWith('/dashboard/folder/'));
}

test('a document that was organised no longer lies in its old folder, and does again once that is undone', async (office) => {
  const { page, world, asha } = office;
  await world.build.client(asha.actor, 'Sharma Traders', { pan: 'AAAPZ0000A' });
  const { id: parent_id } = await world.build.folder(asha.actor, 'Scans');
  const { id } = await world.build.file(asha.actor, { name: 'scan.pdf', parent_id });
  await world.build.file(asha.actor, { name: 'other.txt', content: 'other', parent_id });
  await recognise(world, id, FORM_16);
  await enterDrive(office);
  await openByName(page, 'Scans');
  await row(page, 'scan.pdf');
  await goTo(page, '/filing');
  await clickButton(page, 'Organise 1 document');
  await waitForText(page, '1 document organised');
  await openAgain(page, 'Scans');
  await row(page, 'other.txt');
  await waitForRowGone(page, 'scan.pdf');
  await goTo(page, '/filing');
  await page.locator('[aria-labelledby=filed-before] button').click();
  await waitForText(page, '1 document is back');
  await openAgain(page, 'Scans');
  await row(page, 'scan.pdf');
});

test('a folder that becomes an inbox is listed as one under Organise, which was open before', async (office) => {
  const { page, world, asha } = office;
  for (const name of ['Scans', 'Post']) await world.build.folder(asha.actor, name);
  const setInbox = async (name: string) => {
    await clickRow(page, name, 'right');
    await clickButton(page, 'Inbox...');
    await page.locator('[role="dialog"] button[type="submit"]').click();
    // The message of the folder before may still be shown, and the open dialog would take the next click.
    await page.waitForSelector('[role="dialog"]', { hidden: true });
    await waitForText(page, 'Inbox settings saved');
  };
  await enterDrive(office);
  await setInbox('Scans');
  await goTo(page, '/filing');
  await page.waitForSelector('[aria-labelledby=inboxes] ::-p-text(Scans)');
  await goTo(page, '/dashboard');
  await setInbox('Post');
  await goTo(page, '/filing');
  await page.waitForSelector('[aria-labelledby=inboxes] ::-p-text(Post)');
});

test('a held file that is deleted in Quarantine no longer lies in its folder', async (office) => {
  const { page, url, world, asha } = office;
  const program = Buffer.concat([
    Buffer.from('MZ\x90\0\x03\0\0\0'),
    Buffer.alloc(200),
    Buffer.from('PE\0\0'),
  ]);
  const held = await uploadFile(url, asha.token, 'Form 16.pdf', program);
  const { id: parent_id } = await world.build.folder(asha.actor, 'Scans');
  await world.services.documents.move(asha.actor, { ids: [held], parent_id });
  await world.build.file(asha.actor, { name: 'other.txt', parent_id });
  await enterDrive(office);
  await openByName(page, 'Scans');
  await row(page, 'Form 16.pdf');
  // Without a reload, which would empty the cache.
  await page.evaluate(() => {
    const link = Object.assign(document.createElement('a'), { href: '/quarantine' });
    document.querySelector('main')?.append(link);
    link.click();
  });
  await page.locator(`[aria-label="Delete “Form 16.pdf” forever"]`).click();
  await page.locator('[role="dialog"] textarea').fill('A program');
  await page.locator('[role="dialog"] button[type="submit"]').click();
  await waitForText(page, 'The file was deleted');
  await openAgain(page, 'Scans');
  await row(page, 'other.txt');
  await waitForRowGone(page, 'Form 16.pdf');
});

test('a file of a client that is deleted on its page no longer names the client in its folder', async (office) => {
  const { page, world, asha } = office;
  const client_id = await world.build.client(asha.actor, 'Meera Iyer');
  const { id: parent_id } = await world.build.folder(asha.actor, 'Scans');
  const { id } = await world.build.file(asha.actor, { name: 'April.txt', parent_id, client_id });
  await enterDrive(office);
  await openByName(page, 'Scans');
  await page.waitForSelector(`[data-id="${id}"] ::-p-text(Meera Iyer)`);
  await networkIdle(page, { idle: 1000 });
  await goTo(page, '/clients');
  await page.locator('main a ::-p-text(Meera Iyer)').click();
  await page.locator('[aria-label="More actions"]').click();
  await clickButton(page, 'Delete');
  await clickButton(page, 'Delete “Meera Iyer”');
  await page.waitForFunction(() => location.pathname === '/clients');
  await waitForText(page, '“Meera Iyer” deleted');
  await openAgain(page, 'Scans');
  await row(page, 'April.txt');
  await page.waitForFunction(() => !document.querySelector('.item-grid')?.textContent.includes('Meera Iyer'));
});

test('a document that is sent back in its request is marked as such in its folder', async (office) => {
  const { page, url, world, asha } = office;
  const { requests, documents } = world.services;
  const { id, line } = await askClient(office, ['Form 16']);
  const link = await requests.office.link(asha.actor, id);
  const [asked] = (await requests.office.view(asha.actor, id)).rows;
  await sender(world, url, link.url).files(asked!.id, [['April.pdf', pdf(1)]]);
  const { rows } = await requests.office.view(asha.actor, id);
  const april = rows[0]!.files[0]!.item_id!;
  const { id: parent_id } = await world.build.folder(asha.actor, 'Scans');
  await documents.move(asha.actor, { ids: [april], parent_id });
  await documents.noteOpened(asha.actor, april);
  await enterDrive(office);
  await openByName(page, 'Scans');
  await row(page, 'April.pdf');
  // After the events of what was prepared here, which would load the folder again.
  await networkIdle(page, { idle: 1000 });
  await goTo(page, '/requests');
  await page.locator(line).click();
  await page.locator('[aria-label="Send back Form 16"]').click();
  await page.locator('[role=dialog] form input').fill('Page 2 is missing');
  await press(page, 'Enter');
  await waitForText(page, 'Reason: Page 2 is missing');
  await press(page, 'Escape');
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await openAgain(page, 'Scans');
  await page.waitForSelector('[data-id] [title="Page 2 is missing"]');
});

test('another tab of the same browser shows a note, a drop link and the end of a request without a reload', async (office) => {
  const { page, url, world, asha } = office;
  await world.build.file(asha.actor, { name: 'deed.txt' });
  const { client } = await askClient(office, ['Form 16']);
  await enterDrive(office);
  const other = await openTab(page.browserContext());
  await clickRow(page, 'deed.txt');
  await press(page, 'i');
  await waitForText(page, 'Add a note');
  // A tab that is opened later begins with the details open.
  await load(other, `${url}/dashboard`);
  await clickRow(other, 'deed.txt');
  await waitForText(other, 'Add a note');
  await page.bringToFront();
  await page.locator('.details button ::-p-text(Add a note)').click();
  await page.waitForSelector('.details textarea:focus');
  await page.keyboard.type('Asked for page 2');
  await press(page, 'Control+Enter');
  await waitForText(other, 'Asked for page 2');

  await load(other, `${url}/shared`);
  await waitForText(other, 'ITR papers');
  await load(page, `${url}/clients/${client}`);
  await page.bringToFront();
  await clickButton(page, 'Drop link');
  await page.locator('[role="dialog"] button[type="submit"]').click();
  await waitForText(other, 'Drop link');

  await load(other, `${url}/requests`);
  await waitForText(other, 'ITR papers');
  await load(page, `${url}/requests`);
  await page.bringToFront();
  await page.locator('li[data-id] button').click();
  await page.locator('[role="dialog"] [aria-label="More actions"]').click();
  await page.locator('[role="menuitem"] ::-p-text(Close request)').click();
  await page.locator('[role="alertdialog"] button ::-p-text(Close the request)').click();
  await other.waitForFunction(() => !document.body.innerText.includes('ITR papers'));
  await other.close();
});

test.run();
