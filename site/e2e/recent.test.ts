import * as assert from 'uvu/assert';
import { signIn } from '#server/testing/browser.ts';
import { violations } from './axe.ts';
import type { Office } from './office.ts';
import { ASHA, waitForValue, officeSuite, pathOf, replaceText, waitForText, textOf } from './office.ts';

const test = officeSuite('the recent files screen');

/** By keyboard, since the welcome toast covers the button for some seconds. */
async function refresh({ page }: Office): Promise<void> {
  await page.focus('[aria-label=Refresh]');
  await page.keyboard.press('Enter');
}
async function enter(office: Office, path = '/recent'): Promise<void> {
  await signIn(office.page, office.url, ASHA, path);
}
const names = ({ page }: Office) =>
  page.$$eval(
    '[aria-label="Recent files"] li a:first-of-type .sr-only, [aria-label="Recent files"] li',
    (elements) =>
      elements
        .filter((element) => element.tagName === 'LI')
        .map((element) => element.querySelector('a')?.textContent?.trim() ?? ''),
  );
const addFiles = async ({ world, asha }: Office) => {
  const client = await world.build.client(asha.actor, 'Meera Iyer');
  const folder = await world.build.folder(asha.actor, 'FY 2025-26');
  const photo = await world.build.file(asha.actor, {
    name: 'photo.png',
    client_id: client,
    parent_id: folder.id,
  });
  const ledger = await world.build.file(asha.actor, { name: 'ledger.rar' });
  return { client, folder, photo, ledger };
};

test('without recent files the screen says so and shows tips, which can be hidden, stay hidden after a reload, and can be shown again', async (office) => {
  const { page } = office;
  await enter(office);
  await waitForText(page, 'No recent files');
  await waitForText(page, 'Upload some files to see them here');
  assert.is((await page.$$('[aria-label=Tips] li')).length, 4);
  assert.equal(await violations(page), []);
  await page.locator('[aria-label="Hide the tips"]').click();
  await page.waitForSelector('[aria-label=Tips]', { hidden: true });
  await page.reload();
  await waitForText(page, 'No recent files');
  assert.is(await page.$eval('[aria-label=Tips]', (tips) => tips.checkVisibility()), false);
  await page.locator('[aria-label="Show the tips"]').click();
  await page.waitForSelector('[aria-label=Tips]', { visible: true });
});

test('files and folders are listed with client, time, size and type, and found by name and client', async (office) => {
  const { page, world } = office;
  const { folder, photo, ledger } = await addFiles(office);
  for (const [{ id }, hours] of [
    [folder, 0],
    [photo, 3.5],
    [ledger, 50],
  ] as const) {
    const touched_at = new Date(Date.now() - hours * 3_600_000).toISOString();
    await world.db('touches').where('item_id', id).update({ touched_at });
  }
  await enter(office);
  await waitForValue(async () => (await names(office)).length, 3);
  for (const text of ['Meera Iyer', 'PNG', 'RAR', '7 B', 'Just now', '3h ago', '2d ago'])
    await waitForText(page, text);
  assert.ok(await page.$('[aria-label="Preview photo.png"]'));
  assert.not(
    await page.$('[aria-label="Preview ledger.rar"]'),
    'an archive of this kind cannot be previewed',
  );
  assert.not(await page.$('[aria-label="Download FY 2025-26"]'), 'folders have no buttons');
  assert.equal(await violations(page), []);
  await page.type('[placeholder="Search files..."]', 'meera');
  await page.waitForFunction(() => document.querySelectorAll('[aria-label="Recent files"] li').length === 1);
  await replaceText(page, 'main input[type=search]', 'zzz');
  await waitForText(page, 'No files found');
  await waitForText(page, 'Try a different search term');
  await waitForText(page, '0 of 3 items');
  await page.locator('main a ::-p-text(Search the whole firm)').click();
  await waitForValue(() => pathOf(page), '/dashboard?search=zzz', 'which looks into documents too');
});

test('after a refresh the item that was changed last comes first, and the scroll position is kept', async (office) => {
  const { page, world, asha } = office;
  const { folder } = await addFiles(office);
  for (let number = 0; number < 40; number += 1)
    await world.build.file(asha.actor, { name: `scan ${number}.png` });
  // Used after their upload, since the files of one upload would be one line.
  await world.db('touches').update({ touched_at: new Date(world.now().getTime() + 600_000).toISOString() });
  world.advance(900_000);
  await enter(office);
  await page.evaluate(() => document.querySelector('[data-scroller]')!.scrollTo(0, 900));
  const overflow = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  assert.is(overflow, 0, 'the list scrolls, and not the page');
  world.advance(60_000);
  await world.services.documents.rename(asha.actor, folder.id, { name: 'FY 2026-27' });
  await refresh(office);
  await page.waitForFunction(() =>
    document.querySelector('[aria-label="Recent files"] li')?.textContent?.includes('FY 2026-27'),
  );
  assert.ok((await page.evaluate(() => document.querySelector('[data-scroller]')!.scrollTop)) > 500);
});

test('eighty scans of one upload are one line that expands, so that other work stays in sight', async (office) => {
  const { page, world, asha } = office;
  await addFiles(office);
  const { id } = await world.build.folder(asha.actor, 'Scans');
  for (let number = 0; number < 80; number += 1)
    await world.build.file(asha.actor, { name: `scan ${number}.png`, parent_id: id });
  await enter(office);
  await waitForText(page, '80 files added to Scans');
  await waitForText(page, 'ledger.rar');
  assert.is((await page.$$('[aria-label="Recent files"] > li')).length, 5);
  await page.locator('[aria-label="Recent files"] button[aria-expanded=false]').click();
  await page.waitForSelector('[aria-label="Added to Scans"] li:nth-child(80)');
  assert.equal(await violations(page), []);
  await page.type('[placeholder="Search files..."]', 'scan 7');
  await page.waitForSelector('[aria-label="Preview scan 79.png"]');
  assert.is(await page.$('[aria-expanded] ::-p-text(files added)'), null, 'search results are not grouped');
});

test('a preview opens over the list, Back closes it, and a button shows a file in its folder', async (office) => {
  const { page } = office;
  const { folder } = await addFiles(office);
  await enter(office);
  await page.locator('[aria-label="Preview photo.png"]').click();
  await page.waitForSelector('[role=dialog][aria-label="Preview of photo.png"]');
  assert.match(pathOf(page), /^\/recent\?preview=\d+$/);
  await page.goBack();
  await page.waitForFunction(() => !document.querySelector('[role=dialog]'));
  await waitForValue(() => pathOf(page), '/recent');
  await page.locator('[aria-label="Show photo.png in its folder"]').click();
  await page.waitForFunction((id) => location.pathname === `/dashboard/folder/${id}`, {}, folder.id);
  await page.waitForSelector('[role=row][aria-label="photo.png"]');
});

test('each failed call shows its own message, and the list stays', async (office) => {
  const { page } = office;
  await addFiles(office);
  await enter(office);
  await page.setOfflineMode(true);
  await refresh(office);
  await waitForText(page, 'Failed to load recent files');
  await page.locator('[aria-label="Preview photo.png"]').click();
  await waitForText(page, 'Failed to preview file');
  await page.locator('[aria-label="Download ledger.rar"]').click();
  await waitForText(page, 'Failed to download file');
  await waitForValue(async () => (await names(office)).length, 3, 'the list stays');
  await waitForText(page, 'Retry');
  // The list loads by itself when the network is back.
  await page.setOfflineMode(false);
  await page.waitForFunction(() => !document.body.innerText.includes('Failed to load recent files'));
  assert.match(await textOf(page, 'main h1'), 'Recent Files');
});

test.run();
