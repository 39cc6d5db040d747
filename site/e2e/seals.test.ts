import * as assert from 'uvu/assert';
import type { Page } from 'puppeteer';
import { enterDrive, clickRow, press, row, clickButton } from './drive.ts';
import { load } from '#server/testing/browser.ts';
import { officeSuite, waitForText } from './office.ts';

const test = officeSuite('seals');

/** Opens the menu of a row. @returns its enabled entries. */
async function menuOf(page: Page, name: string): Promise<string[]> {
  await clickRow(page, name, 'right');
  await page.waitForSelector('[role="menuitem"]');
  return page.$$eval('[role="menuitem"]:not([aria-disabled])', (items) =>
    items.map((item) => item.querySelector('.truncate')?.textContent ?? ''),
  );
}

test('a sealed folder is marked and offers no changes, in its row and inside it, until an admin breaks the seal with a reason', async (office) => {
  const { page, world, asha } = office;
  const { id } = await world.build.folder(asha.actor, 'Audit 2025-26');
  await world.build.file(asha.actor, { name: 'report.txt', parent_id: id });
  await enterDrive(office);
  await clickRow(page, 'Audit 2025-26');
  await menuOf(page, 'Audit 2025-26');
  await clickButton(page, 'Seal...');
  await waitForText(page, 'Only an admin can break the seal');
  await page.locator('[role="dialog"] button[type="submit"]').click();
  await waitForText(page, 'Enter why it is sealed');
  await page.locator('[name="reason"]').fill('Report signed');
  await press(page, 'Escape');
  await waitForText(page, 'Discard your changes?');
  await clickButton(page, 'Keep editing');
  await page.waitForSelector('[role="alertdialog"]', { hidden: true });
  await page.locator('[role="dialog"] button[type="submit"]').click();
  await waitForText(page, '“Audit 2025-26” sealed');
  await page.waitForSelector('[data-id] [data-sealed]');

  await press(page, 'Enter');
  await row(page, 'report.txt');
  await waitForText(page, 'Nothing in this folder can be changed, added or deleted.');
  await page.waitForFunction(() => !document.querySelector('.screen-bar')?.textContent?.includes('New'));
  await clickRow(page, 'report.txt');
  const offered = await menuOf(page, 'report.txt');
  assert.ok(offered.includes('Sealed: details...') && offered.includes('Download'), offered.join());
  for (const entry of ['Rename', 'Move to...', 'Change client...', 'Delete'])
    assert.not(offered.includes(entry), entry);
  const disabled = await page.waitForSelector('[role="menuitem"][data-key="delete"][aria-disabled]');
  assert.match((await disabled?.evaluate((item) => item.textContent)) ?? '', 'Sealed by Asha Rao');
  await clickButton(page, 'Sealed: details...');
  await waitForText(page, 'It was sealed together with the folder “Audit 2025-26”.');
  await clickButton(page, 'Check now');
  await waitForText(page, 'Every file is as it was when it was sealed.');
  await press(page, 'Escape');

  await clickButton(page, 'Details');
  await clickButton(page, 'Break the seal...');
  await page.locator('[name="reason"]').fill('One paper was missing');
  await page.locator('[role="dialog"] button[type="submit"]').click();
  await waitForText(page, 'Seal of “Audit 2025-26” broken');
  await page.waitForFunction(() => document.querySelectorAll('[data-sealed]').length === 0);
});

test('a legal hold is placed on the page of a client, is named before its files or the client are deleted, and keeps its files in Trash until it is lifted, which leaves the focus on the page', async (office) => {
  const { page, world, asha, url } = office;
  const client = await world.build.client(asha.actor, 'Mehta Traders');
  await world.build.file(asha.actor, { name: 'notice.txt', client_id: client });
  await enterDrive(office);
  await load(page, `${url}/clients/${client}`);
  await page.locator('[aria-label="More actions"]').click();
  await clickButton(page, 'Legal hold...');
  await page.locator('[name="reason"]').fill('Notice under section 148');
  await clickButton(page, 'Place hold');
  await waitForText(page, 'Nothing of this client is deleted forever.');
  await page.locator('[aria-label="More actions"]').click();
  await clickButton(page, 'Delete');
  await waitForText(page, 'Mehta Traders cannot be deleted, since there is a legal hold on it');
  await page.waitForSelector('[role="alertdialog"] button[disabled]');
  await press(page, 'Escape');
  const HOLD = 'There is a legal hold on Mehta Traders, placed by Asha Rao';
  await load(page, `${url}/documents`);
  await clickRow(page, 'notice.txt');
  await press(page, 'Delete');
  await waitForText(page, 'It goes to Trash. ' + HOLD);
  await clickButton(page, 'Delete “notice.txt”');
  await waitForText(page, '“notice.txt” moved to Trash');
  await load(page, `${url}/trash`);
  await waitForText(page, 'Legal hold');
  await page.locator('main ::-p-text(Empty Trash)').click();
  await waitForText(page, HOLD);
  await page.waitForSelector('[role="alertdialog"] button[disabled]');
  await load(page, `${url}/clients/${client}`);
  await clickButton(page, 'Lift...');
  await page.locator('[name="reason"]').fill('Closed');
  await clickButton(page, 'Lift hold');
  await waitForText(page, 'Legal hold on Mehta Traders lifted');
  await page.waitForFunction(() => !document.querySelector('[aria-label="Legal hold"]'));
  await page.waitForSelector('[aria-label="More actions"]:focus');
});

test.run();
