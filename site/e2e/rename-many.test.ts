import * as assert from 'uvu/assert';
import { openTab } from '#server/testing/browser.ts';
import { clickButton, enterDrive, press, row, rowNames, rowSelector, visit } from './drive.ts';
import { officeSuite, replaceText, waitForText, waitForValue } from './office.ts';
import { holdTimers } from './quick.ts';

const test = officeSuite('renaming many');

test('F2 renames what is selected by one rule, with every new name shown beforehand and what is not possible left out, and Ctrl+Z gives all of it back', async (office) => {
  const { page, url, world, asha } = office;
  const before = ['Copy of Bill.pdf', 'Copy of Ledger.xlsx', 'Ledger.xlsx', 'Scan.pdf'];
  for (const name of before) await world.build.file(asha.actor, { name });
  await holdTimers(page, 8000);
  await enterDrive(office);
  const otherTab = await openTab(page.browserContext());
  await visit({ page: otherTab, url }, '/dashboard');
  await page.bringToFront();
  await row(page, 'Scan.pdf');
  // Numbered as they are listed, all the same.
  for (const name of before.toReversed()) await page.locator(`${rowSelector(name)} [data-check]`).click();
  await press(page, 'F2');
  await waitForText(page, 'Rename 4 items');
  await page.waitForSelector('[name=find]:focus');
  await page.keyboard.type('copy of ');
  const preview = () =>
    page.$$eval('[aria-label="New names"] li', (lines) =>
      lines.map((line) => (line as HTMLElement).innerText.split('\n').join(' > ')),
    );
  await waitForValue(preview, [
    'Copy of Bill.pdf > Bill.pdf',
    'Copy of Ledger.xlsx > Ledger.xlsx > There is already one of this name.',
    'Ledger.xlsx',
    'Scan.pdf',
  ]);
  await waitForText(page, '1 of 4 names changes. 1 new name is not possible.');
  await replaceText(page, '[name=find]', 'scan');
  await replaceText(page, '[name=replacement]', 'Ledger');
  await page.locator('[role=dialog] button[aria-haspopup=listbox]').click();
  await page.locator('[role=option] ::-p-text(At the end)').click();
  await clickButton(page, 'Rename 4 items');
  await waitForText(page, '4 items renamed');
  const after = ['Copy of Bill 1.pdf', 'Copy of Ledger 2.xlsx', 'Ledger 3.xlsx', 'Ledger 4.pdf'];
  for (const tab of [page, otherTab]) await waitForValue(() => rowNames(tab), after);
  await press(page, 'Control+z');
  await waitForValue(() => rowNames(page), before);
  const entries = await world.db('audit_events').where({ did: 'document.rename' }).pluck('id');
  assert.is(entries.length, 2 * before.length, 'each item has its own entries in the history');
});

test.run();
