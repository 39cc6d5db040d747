import * as assert from 'uvu/assert';
import type { Page } from 'puppeteer';
import { pdf } from '#server/tools/samples.ts';
import { violations } from './axe.ts';
import { enterDrive, row } from './drive.ts';
import { waitForValue, officeSuite, waitForText, textOf } from './office.ts';

const test = officeSuite('the versions of a file');

const DIALOG = '[role=dialog]';
const menuItem = (page: Page, text: string) => page.locator(`[role=menuitem] ::-p-text(${text})`).click();

test('the versions of a file are compared, previewed, kept, restored and deleted from its menu, and the list shows the current size', async (office) => {
  const { page, world, asha } = office;
  const { build, advance } = world;
  const addVersion = (text: string) =>
    build.file(asha.actor, { name: 'return.pdf', content: pdf([[text]]), conflict: 'replace' });
  const { id } = await addVersion('first draft');
  advance(3_600_000);
  await addVersion('the second draft');
  advance(3_600_000);
  await enterDrive(office);
  await row(page, 'return.pdf');
  await page.waitForSelector(`[data-id="${id}"]`);
  // A colleague replaces the file: the open list updates by itself.
  const ravi = await build.colleague(asha.actor);
  await build.file(ravi.actor, {
    name: 'return.pdf',
    content: pdf([['x'.repeat(3000)]]),
    conflict: 'replace',
  });
  const { size } = await world.services.documents.item(asha.actor, id);
  await waitForText(page, size);

  await page.locator('[data-menu]').click();
  await menuItem(page, 'Versions...');
  await waitForText(page, 'Ravi Kumar');
  await waitForText(page, 'All earlier versions are kept for 30 days');
  assert.is(await page.$$eval(`${DIALOG} li`, (items) => items.length), 3);
  await page.locator(`${DIALOG} button ::-p-text(Compare contents)`).click();
  await waitForText(page, 'Different content');
  const { current } = await world.services.versions.list(asha.actor, id);
  await waitForText(page, current.sha256);
  assert.equal(await violations(page), []);

  await page.locator(`${DIALOG} [aria-label^="Preview the version of Nov 20, 2026, 3:30 PM"]`).click();
  await waitForText(page, 'first draft');
  await page.keyboard.press('Escape');
  await page.waitForSelector('.preview-layer', { hidden: true });

  await page.locator(`${DIALOG} [aria-label^="More for the version of Nov 20, 2026, 3:30 PM"]`).click();
  await menuItem(page, 'Keep forever...');
  await page.waitForSelector('input[value="as filed"]');
  await page.keyboard.press('Enter');
  await waitForText(page, 'Kept forever: as filed');
  await page.locator(`${DIALOG} [aria-label^="More for the version of Nov 20, 2026, 3:30 PM"]`).click();
  await menuItem(page, 'Restore');
  await page.locator('[role=alertdialog] button ::-p-text(Restore)').click();
  await waitForText(page, 'Restored from');
  await waitForText(page, 'Same content as now');
  await page.locator(`${DIALOG} [aria-label^="More for the version of Nov 20, 2026, 4:30 PM"]`).click();
  await menuItem(page, 'Delete version');
  await waitForText(page, 'This action cannot be undone.');
  await page.locator('[role=alertdialog] button ::-p-text(Delete version)').click();
  await waitForText(page, 'Version deleted');
  await waitForValue(() => page.$$eval(`${DIALOG} li`, (items) => items.length), 3);
  await page.goto(`${office.url}/storage`);
  await waitForText(page, 'of it in earlier versions');
});

test('the details of a file list its versions on a phone, say that a legal hold keeps them longer than their days, and offer a viewer without the download permission previews only', async (office) => {
  const { page, world, asha } = office;
  const addVersion = (text: string) =>
    world.build.file(asha.actor, { name: 'a.txt', content: text, conflict: 'replace' });
  for (const text of ['1', '22', '333', '4444', '55555']) await addVersion(text);
  const client_id = await world.build.client(asha.actor, 'Sharma Traders');
  await world.db('item_rows').where({ name: 'a.txt' }).update({ client_id });
  await world.services.holds.place(asha.actor, client_id, { reason: 'Notice' });
  await world
    .db('users')
    .where({ id: asha.actor.userId })
    .update({
      role: 'viewer',
      permissions_taken: JSON.stringify(['documents.download']),
    });
  await page.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true });
  await enterDrive(office);
  await page.locator('[data-menu]').click();
  await menuItem(page, 'Details');
  await page.locator(`${DIALOG} button ::-p-text(Show all 4 versions)`).click();
  await page.waitForSelector(`${DIALOG} h2 ::-p-text(Versions of “a.txt”)`);
  assert.is(await page.$(`${DIALOG} [aria-label^="Download the version"]`), null);
  assert.is(await page.$(`${DIALOG} [aria-label^="More for the version"]`), null);
  assert.is(await page.$(`${DIALOG} button ::-p-text(Upload new version...)`), null);
  assert.ok(await page.$(`${DIALOG} [aria-label^="Preview the version"]`));
  assert.match(await textOf(page, DIALOG), 'Asha Rao');
  assert.match(await textOf(page, DIALOG), 'All earlier versions stay for now. There is a legal hold');
  assert.equal(await violations(page), []);
});

test.run();
