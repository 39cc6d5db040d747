import * as assert from 'uvu/assert';
import {
  enterDrive,
  focusedRow,
  rowNames,
  clickRow,
  press,
  row,
  clickButton,
  rowSelector,
  selectedNames,
} from './drive.ts';
import { holdRequests } from './held-requests.ts';
import type { Office } from './office.ts';
import { waitForValue, officeSuite, waitForText } from './office.ts';

const test = officeSuite('drive selection');

async function withFiles(office: Office): Promise<void> {
  const { world, asha } = office;
  for (const [index, name] of ['Audit.pdf', 'Bill.pdf', 'Challan.pdf', 'Demat.pdf', 'Excise.pdf'].entries()) {
    await world.build.file(asha.actor, { name, content: 'x'.repeat(5000 - index * 1000) });
  }
  await enterDrive(office);
}

async function shiftClick(office: Office, name: string): Promise<void> {
  await office.page.keyboard.down('Shift');
  await clickRow(office.page, name);
  await office.page.keyboard.up('Shift');
}

test('a range selection keeps its anchor when the list is sorted, because the anchor is a row and not a position', async (office) => {
  const { page } = office;
  await withFiles(office);
  await clickRow(page, 'Bill.pdf');
  await shiftClick(office, 'Challan.pdf');
  await waitForValue(() => selectedNames(page), ['Bill.pdf', 'Challan.pdf']);
  const size = page.locator('[role="columnheader"] ::-p-text(Size)');
  await size.click();
  await size.click();
  await waitForValue(async () => (await rowNames(page)).slice(0, 2), ['Excise.pdf', 'Demat.pdf']);
  await waitForValue(() => selectedNames(page), ['Challan.pdf', 'Bill.pdf']);
  await shiftClick(office, 'Audit.pdf');
  await waitForValue(() => selectedNames(page), ['Bill.pdf', 'Audit.pdf']);
});

test('all of a large folder is selected with what is still being loaded of it, except what is unticked meanwhile, and Delete waits for it, or it would take a part', async (office) => {
  const { page, world, asha } = office;
  const { id: parent_id } = await world.build.folder(asha.actor, 'Bills');
  await world.build.file(asha.actor, { name: 'bill.txt', parent_id });
  const { id: _, ...bill } = await world.db('item_rows').where({ name: 'bill.txt' }).first();
  const bills = Array.from({ length: 250 }, (__, nth) => {
    const name = `bill ${nth}.txt`;
    return { ...bill, name, name_key: name, blob_id: `${nth}`.padStart(64, 'e') };
  });
  await world.db.batchInsert('item_rows', bills, 20);
  const { release } = await holdRequests(page, `parent_id=${parent_id}`);
  await enterDrive(office, `/dashboard/folder/${parent_id}`);
  await press(page, 'Control+a');
  await waitForText(page, '200 loaded items selected');
  await press(page, 'Delete');
  await page.locator(`${rowSelector('bill 1.txt')} [data-check]`).click();
  await waitForText(page, '199 loaded items selected');
  await release();
  await waitForText(page, 'Delete 250 items?');
  await waitForText(page, '250 selected');
});

test('Shift with arrows extends and shrinks the selection, Space toggles a row, and a bar shows number and total size until Esc', async (office) => {
  const { page, world, asha } = office;
  await withFiles(office);
  await page.focus('[role="grid"]');
  await press(page, 'Space');
  await press(page, 'ArrowDown');
  await press(page, 'ArrowDown');
  await waitForValue(() => selectedNames(page), ['Audit.pdf']);
  await waitForValue(() => focusedRow(page), 'Challan.pdf');
  await press(page, 'Shift+ArrowDown');
  await press(page, 'Shift+ArrowDown');
  await waitForValue(() => selectedNames(page), ['Audit.pdf', 'Challan.pdf', 'Demat.pdf', 'Excise.pdf']);
  await press(page, 'Shift+ArrowUp');
  await waitForValue(() => selectedNames(page), ['Audit.pdf', 'Challan.pdf', 'Demat.pdf']);
  await press(page, 'd');
  await waitForValue(() => focusedRow(page), 'Demat.pdf');
  await press(page, 'Control+a');
  await waitForText(page, '5 selected · 14.65 KB');
  await world.build.folder(asha.actor, 'Scans to sort');
  await row(page, 'Scans to sort');
  await press(page, 'Control+a');
  await waitForText(page, '6 selected · 14.65 KB + folders');
  await press(page, 'Escape');
  await page.waitForSelector('[aria-label="Selection"][role="toolbar"]', { hidden: true });
  await waitForValue(() => selectedNames(page), []);
});

test('a right click beside the rows and between the tiles opens the menu for new things, and on a row that of the row', async (office) => {
  const { page } = office;
  await withFiles(office);
  const rightClick = async (x: number, y: number) => {
    await page.mouse.click(x, y, { button: 'right' });
    await page.waitForSelector('[role="menu"][aria-label="New"]');
    await press(page, 'Escape');
    await page.waitForSelector('[role="menu"]', { hidden: true });
  };
  const boxOf = async (selector: string) => (await (await page.waitForSelector(selector))!.boundingBox())!;
  const scroller = await boxOf('[data-scroller]');
  await rightClick(scroller.x + 300, scroller.y + scroller.height - 20);
  await page.locator('[aria-label="Grid"]').click();
  await page.waitForSelector('.item-tiles');
  const tile = await boxOf('[data-id]');
  await rightClick(tile.x + tile.width + 3, tile.y + 20);
  await page.locator(rowSelector('Audit.pdf')).click({ button: 'right' });
  await page.waitForSelector('[role="menu"][aria-label="Actions for Audit.pdf"]');
  await press(page, 'Escape');
  await page.waitForSelector('[role="menu"]', { hidden: true });
  await page.mouse.click(scroller.x + 300, scroller.y + scroller.height - 20, { button: 'right' });
  await clickButton(page, 'New Folder');
  await page.waitForSelector('[role=dialog] [name=name]:focus');
});

test('the menu of a right click low on the screen shows its last line, Delete, without being scrolled', async (office) => {
  const { page } = office;
  await page.setViewport({ width: 1366, height: 768 });
  await withFiles(office);
  await clickRow(page, 'Excise.pdf', 'right');
  const menu = await page.waitForSelector('[role="menu"]');
  const hidden = await menu?.evaluate((menu) => {
    const box = menu.parentElement!;
    return box.scrollHeight - box.clientHeight;
  });
  assert.is(hidden, 0);
});

test('in Select mode plain clicks select, for people without a keyboard', async (office) => {
  const { page } = office;
  await withFiles(office);
  await clickButton(page, 'Select');
  await clickRow(page, 'Audit.pdf');
  await clickRow(page, 'Challan.pdf');
  await waitForValue(() => selectedNames(page), ['Audit.pdf', 'Challan.pdf']);
  await clickButton(page, 'Select all');
  await waitForValue(async () => (await selectedNames(page)).length, 5);
});

test.run();
