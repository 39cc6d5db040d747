import * as assert from 'uvu/assert';
import { enterDrive, focusedRow, names, pick, press, row, say, selected } from './drive.ts';
import type { Office } from './office.ts';
import { becomes, officeSuite, seen } from './office.ts';

const test = officeSuite('drive selection');

async function withFiles(office: Office): Promise<void> {
  const { world, asha } = office;
  for (const [index, name] of ['Audit.pdf', 'Bill.pdf', 'Challan.pdf', 'Demat.pdf', 'Excise.pdf'].entries()) {
    await world.build.file(asha.actor, { name, content: 'x'.repeat(5000 - index * 1000) });
  }
  await enterDrive(office);
}

async function shiftPick(office: Office, name: string): Promise<void> {
  await office.page.keyboard.down('Shift');
  await pick(office.page, name);
  await office.page.keyboard.up('Shift');
}

test('a range keeps its anchor across a sort, because it is a row and not a place', async (office) => {
  const { page } = office;
  await withFiles(office);
  await pick(page, 'Bill.pdf');
  await shiftPick(office, 'Challan.pdf');
  await becomes(() => selected(page), ['Bill.pdf', 'Challan.pdf']);
  const size = page.locator('[role="columnheader"] ::-p-text(Size)');
  await size.click();
  await size.click();
  await becomes(async () => (await names(page)).slice(0, 2), ['Excise.pdf', 'Demat.pdf']);
  await becomes(() => selected(page), ['Challan.pdf', 'Bill.pdf']);
  await shiftPick(office, 'Audit.pdf');
  await becomes(() => selected(page), ['Bill.pdf', 'Audit.pdf']);
});

test('the bar counts and weighs what is selected, and gives the toolbar back afterwards', async (office) => {
  const { page } = office;
  await withFiles(office);
  await press(page, 'Tab');
  await page.focus('[role="grid"]');
  await press(page, 'Control+a');
  await seen(page, '5 selected · 14.65 KB');
  await press(page, 'Escape');
  await page.waitForSelector('[aria-label="Selection"][role="toolbar"]', { hidden: true });
  await becomes(() => selected(page), []);
});

test('Shift with arrows grows and shrinks, Space toggles, arrows alone leave the selection', async (office) => {
  const { page } = office;
  await withFiles(office);
  await page.focus('[role="grid"]');
  await press(page, 'Space');
  await press(page, 'ArrowDown');
  await press(page, 'ArrowDown');
  await becomes(() => selected(page), ['Audit.pdf']);
  await becomes(() => focusedRow(page), 'Challan.pdf');
  await press(page, 'Shift+ArrowDown');
  await press(page, 'Shift+ArrowDown');
  await becomes(() => selected(page), ['Audit.pdf', 'Challan.pdf', 'Demat.pdf', 'Excise.pdf']);
  await press(page, 'Shift+ArrowUp');
  await becomes(() => selected(page), ['Audit.pdf', 'Challan.pdf', 'Demat.pdf']);
  await press(page, 'd');
  await becomes(() => focusedRow(page), 'Demat.pdf');
});

test('a refresh keeps what is selected', async (office) => {
  const { page, world, asha } = office;
  await withFiles(office);
  await pick(page, 'Bill.pdf');
  await world.build.file(asha.actor, { name: 'A new one.pdf' });
  // As another tab of this browser does after a change.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no origin to name
  await page.evaluate(() => new BroadcastChannel('drive-changes').postMessage('changed'));
  await row(page, 'A new one.pdf');
  await becomes(() => selected(page), ['Bill.pdf']);
});

test('many are deleted after one question, which counts them', async (office) => {
  const { page } = office;
  await withFiles(office);
  await pick(page, 'Bill.pdf');
  await shiftPick(office, 'Demat.pdf');
  await press(page, 'Delete');
  await seen(page, 'Are you sure you want to delete 3 selected item(s)? They stay in Trash for 30 days.');
  await say(page, 'Delete 3 items');
  await seen(page, '3 items moved to Trash');
  await page.waitForFunction(() => document.querySelectorAll('[data-id]').length === 2);
  await becomes(() => names(page), ['Audit.pdf', 'Excise.pdf']);
});

test('the menu of a right click low on the screen shows its last line, Delete, without being scrolled', async (office) => {
  const { page } = office;
  await page.setViewport({ width: 1366, height: 768 });
  await withFiles(office);
  await pick(page, 'Excise.pdf', 'right');
  const menu = await page.waitForSelector('[role="menu"]');
  const hidden = await menu?.evaluate((one) => {
    const box = one.parentElement!;
    return box.scrollHeight - box.clientHeight;
  });
  assert.is(hidden, 0);
});

test('Select mode chooses with plain clicks, for those without a keyboard', async (office) => {
  const { page } = office;
  await withFiles(office);
  await say(page, 'Select');
  await pick(page, 'Audit.pdf');
  await pick(page, 'Challan.pdf');
  await becomes(() => selected(page), ['Audit.pdf', 'Challan.pdf']);
  await say(page, 'Select all');
  await becomes(async () => (await selected(page)).length, 5);
});

test.run();
