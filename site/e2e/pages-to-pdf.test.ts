import * as assert from 'uvu/assert';
import { signIn } from '#server/testing/browser.ts';
import { until } from '#server/testing/until.ts';
import { violations } from './axe.ts';
import { clickButton, enterDrive, openByName } from './drive.ts';
import { ASHA, officeSuite, pathOf, waitForText, waitForValue } from './office.ts';

const test = officeSuite('pages to one PDF');

test('on a phone pictures are ordered, rotated and saved as one PDF in the open folder, and Esc asks before it discards them', async ({
  page,
  url,
  world,
  asha,
}) => {
  const folder = await world.build.folder(asha.actor, 'Bills');
  await page.setViewport({ width: 390, height: 844, hasTouch: true, isMobile: true });
  await signIn(page, url, ASHA, '/dashboard');
  await openByName(page, 'Bills');
  await waitForValue(() => pathOf(page), `/dashboard/folder/${folder.id}`);
  await page.locator('main ::-p-text(New)').click();
  await page.locator('[role=menuitem] ::-p-text(Pages to PDF)').click();
  await page.waitForSelector('[role=dialog] input[type=file][multiple]');
  // Two photos, in the order in which a camera would give them.
  await page.evaluate(async () => {
    const input = document.querySelector<HTMLInputElement>('[role=dialog] input[multiple]')!;
    const chosen = new DataTransfer();
    for (const [name, colour] of [
      ['second.jpg', '#777'],
      ['first.jpg', '#ddd'],
    ] as const) {
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [300, 400];
      const context = canvas.getContext('2d')!;
      context.fillStyle = colour;
      context.fillRect(0, 0, 300, 400);
      const picture = await new Promise<Blob>((resolve) =>
        canvas.toBlob((blob) => resolve(blob!), 'image/jpeg'),
      );
      chosen.items.add(new File([picture], name, { type: 'image/jpeg' }));
    }
    input.files = chosen.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await page.locator('[aria-label="Move page 2 forward"]').click();
  await page.locator('[aria-label="Turn page 1"]').click();
  await waitForText(page, 'Save 2 pictures as PDF');
  assert.equal(await violations(page), []);
  await page.keyboard.press('Escape');
  await waitForText(page, 'Discard 2 pictures?');
  await page.locator('[role=alertdialog] ::-p-text(Cancel)').click();
  await page.waitForSelector('[role=alertdialog]', { hidden: true });
  await page.evaluate(() => history.back());
  await waitForText(page, 'Discard your changes?');
  await page.locator('[role=alertdialog] ::-p-text(Keep editing)').click();
  await page.waitForSelector('[role=alertdialog]', { hidden: true });
  assert.is(pathOf(page), `/dashboard/folder/${folder.id}`);
  await page.locator('[role=dialog] ::-p-text(Save 2 pictures as PDF)').click();
  await until(async () => (await world.db('items').where({ type: 'file' })).length === 1);
  const [item] = await world.db('items').where({ type: 'file' });
  assert.match(item.name, /^Scan \d{4}-\d\d-\d\d \d\d\.\d\d\.pdf$/);
  assert.is(item.parent_id, folder.id);
  await waitForText(page, 'saved');
});

test('a dialog closes when Back leaves its folder, because it would save into another one', async (office) => {
  const { page, world, asha } = office;
  const { id } = await world.build.folder(asha.actor, 'Bills');
  await enterDrive(office);
  await openByName(page, 'Bills');
  await waitForValue(() => pathOf(page), `/dashboard/folder/${id}`);
  await clickButton(page, 'New');
  await page.locator('[role=menuitem] ::-p-text(Pages to PDF)').click();
  await waitForText(page, 'Bills');
  await page.waitForSelector('[role=dialog]');
  await page.evaluate(() => history.back());
  await waitForValue(() => pathOf(page), '/dashboard');
  await page.waitForSelector('[role=dialog]', { hidden: true });
});

test.run();
