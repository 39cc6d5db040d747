import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { until } from '#server/testing/until.ts';
import {
  waitForDropTarget,
  startDrag,
  dropOn,
  enterDrive,
  waitForRowGone,
  rowNames,
  openByName,
  moveMouseTo,
  clickRow,
  press,
  row,
  rowSelector,
  clickButton,
  selectedNames,
  visit,
} from './drive.ts';
import type { Office } from './office.ts';
import { ASHA, focusedControl, waitForValue, officeSuite, pathOf, waitForText, textOf } from './office.ts';
import { violations } from './axe.ts';
import { holdTimers } from './quick.ts';

const test = officeSuite('drive moving');

/** A file on the disk, as one dragged from the desktop. */
const PICTURE = join(import.meta.dirname, '../assets/screenshot.png');
const crumb = (id: number) => `[data-crumb="${id}"]`;
const anyDropTarget = (page: Office['page']) => page.$('[data-drive] .outline-accent');

async function withBills({ world, asha }: Office) {
  const archive = await world.build.folder(asha.actor, 'Archive');
  const audit = await world.build.folder(asha.actor, 'Audit');
  const inner = await world.build.folder(asha.actor, 'Audit inner', audit.id);
  for (const name of ['Bill.pdf', 'Challan.pdf', 'Demat.pdf']) await world.build.file(asha.actor, { name });
  return { archive, audit, inner };
}

test('dragged items go to the row, tile or breadcrumb they are dropped on, files from the desktop as well, and Undo brings them back', async (office) => {
  const { page } = office;
  const { archive } = await withBills(office);
  // So that no folder opens, as it would after a second with an item over it.
  await holdTimers(page, 1000);
  await enterDrive(office);
  await startDrag(page, rowSelector('Bill.pdf'), rowSelector('Archive'));
  await waitForDropTarget(page, rowSelector('Archive'));
  assert.is(await textOf(page, '#drag-chip'), 'Bill.pdf');
  await dropOn(page, rowSelector('Archive'));
  await waitForRowGone(page, 'Bill.pdf');
  // A locator waits until the toast no longer moves.
  await page.locator('[data-sonner-toast] ::-p-text(Undo)').click();
  await row(page, 'Bill.pdf');
  await page.waitForSelector(`${rowSelector('Bill.pdf')}[aria-selected="true"]`);

  await page.keyboard.down('Shift');
  await clickRow(page, 'Demat.pdf');
  await page.keyboard.up('Shift');
  await startDrag(page, rowSelector('Challan.pdf'), rowSelector('Archive'));
  await waitForDropTarget(page, rowSelector('Archive'));
  assert.is(await textOf(page, '#drag-chip'), '3 items');
  await dropOn(page, rowSelector('Archive'));
  await waitForText(page, '3 items moved to Archive');
  await waitForValue(() => rowNames(page), ['Archive', 'Audit']);

  await page.locator('[aria-label="Grid"]').click();
  await page.waitForSelector('.item-tiles');
  await startDrag(page, rowSelector('Audit'), rowSelector('Archive'));
  await waitForDropTarget(page, rowSelector('Archive'));
  await dropOn(page, rowSelector('Archive'));
  await waitForRowGone(page, 'Audit');
  await openByName(page, 'Archive');
  await startDrag(page, rowSelector('Challan.pdf'), crumb(0));
  await waitForDropTarget(page, crumb(0));
  await dropOn(page, crumb(0));
  await waitForRowGone(page, 'Challan.pdf');
  await waitForValue(() => rowNames(page), ['Audit', 'Bill.pdf', 'Demat.pdf']);
  await waitForValue(() => pathOf(page), `/dashboard/folder/${archive.id}`);

  const session = await page.createCDPSession();
  const data = { items: [], files: [PICTURE], dragOperationsMask: 1 };
  const { x, y } = (await (await row(page, 'Audit')).clickablePoint()) ?? { x: 0, y: 0 };
  const dragFiles = (type: 'dragEnter' | 'dragOver' | 'drop', point = { x, y }) =>
    session.send('Input.dispatchDragEvent', { type, ...point, data });
  await dragFiles('dragEnter');
  await dragFiles('dragOver');
  await waitForText(page, 'Drop files to upload\nto Audit');
  await waitForDropTarget(page, rowSelector('Audit'));
  await dragFiles('dragOver', { x: 2, y: 2 });
  await dragFiles('dragOver');
  await dragFiles('dragOver');
  await dragFiles('drop');
  await openByName(page, 'Audit');
  await row(page, 'screenshot.png');
});

test('a folder opens under an item that is held over it, and a cancelled drag returns to the folder where it began', async (office) => {
  const { page } = office;
  const { audit, inner } = await withBills(office);
  const devtools = await page.createCDPSession();
  await enterDrive(office);
  await startDrag(page, rowSelector('Bill.pdf'), rowSelector('Audit'));
  await row(page, 'Audit inner');
  await waitForValue(() => pathOf(page), `/dashboard/folder/${audit.id}`);
  // What Esc does during a drag: the system gets the key then, not the page.
  await devtools.send('Input.cancelDragging');
  await page.mouse.up();
  await page.mouse.move(500, 600);
  await page.mouse.move(505, 605);
  await row(page, 'Bill.pdf');
  await waitForValue(() => pathOf(page), '/dashboard');
  await waitForValue(() => selectedNames(page), ['Bill.pdf']);

  await startDrag(page, rowSelector('Bill.pdf'), rowSelector('Audit'));
  await moveMouseTo(page, rowSelector('Audit inner'));
  await waitForText(page, 'Folder is empty');
  await moveMouseTo(page, '[data-scroller]');
  await page.mouse.up();
  await row(page, 'Bill.pdf');
  await waitForValue(() => pathOf(page), `/dashboard/folder/${inner.id}`);
  await waitForValue(() => selectedNames(page), ['Bill.pdf']);
});

test('folders cannot be dropped on themselves, on their subfolders or on files, and a taken name is asked about', async (office) => {
  const { page, world, asha } = office;
  const { archive } = await withBills(office);
  await world.build.file(asha.actor, { name: 'Bill.pdf', parent_id: archive.id });
  await holdTimers(page, 1000);
  await enterDrive(office);
  await clickRow(page, 'Archive');
  await page.keyboard.down('Shift');
  await clickRow(page, 'Audit');
  await page.keyboard.up('Shift');
  for (const target of ['Audit', 'Bill.pdf']) {
    await startDrag(page, rowSelector('Archive'), rowSelector(target));
    assert.is(await anyDropTarget(page), null);
    await page.mouse.up();
  }
  await visit(office, '/dashboard?search=audit');
  await startDrag(page, rowSelector('Audit'), rowSelector('Audit inner'));
  assert.is(await anyDropTarget(page), null);
  await page.mouse.up();
  await visit(office, '/dashboard');
  await clickRow(page, 'Bill.pdf');
  await page.keyboard.down('Control');
  await clickRow(page, 'Challan.pdf');
  await page.keyboard.up('Control');
  await startDrag(page, rowSelector('Bill.pdf'), '[data-scroller]');
  await dropOn(page, rowSelector('Archive'));
  await page.waitForSelector('[role="alertdialog"]');
  await waitForText(page, '“Bill.pdf” is already there');
  await page.locator('[role=alertdialog] input[value=skip]').click();
  await clickButton(page, 'Move the others');
  await page.waitForSelector('[role="alertdialog"]', { hidden: true });
  await waitForValue(() => rowNames(page), ['Archive', 'Audit', 'Bill.pdf', 'Demat.pdf']);
});

test('a long list scrolls while an item is dragged at its edge', async (office) => {
  const { page, world, asha } = office;
  for (let number = 1; number <= 60; number += 1)
    await world.build.file(asha.actor, { name: `Scan ${number}.pdf` });
  await world.build.folder(asha.actor, 'Archive');
  await enterDrive(office);
  await page.$eval('[data-scroller]', (scroller) => scroller.scrollTo({ top: 9999 }));
  const last = await row(page, 'Scan 60.pdf');
  await startDrag(page, rowSelector('Scan 60.pdf'), rowSelector('Scan 59.pdf'));
  assert.ok(await last.isIntersectingViewport());
  const box = await (await page.waitForSelector('[data-scroller]'))?.boundingBox();
  await page.mouse.move(500, (box?.y ?? 0) + 30);
  // A hand is never quite still, and the browser reports a drag as the mouse moves.
  await until(async () => {
    for (const x of [501, 502]) await page.mouse.move(x, (box?.y ?? 0) + 12);
    return page.$eval('[data-scroller]', ({ scrollTop }) => scrollTop < 200);
  });
  await page.mouse.up();
});

test('before a folder is linked to a client the dialog counts the items inside, also those of another client, and Undo restores all links', async (office) => {
  const { page, world, asha } = office;
  const { build, services } = world;
  const client = await build.client(asha.actor, 'Sharma Traders');
  const otherClient = await build.client(asha.actor, 'Gupta Textiles');
  const top = await build.folder(asha.actor, 'Old papers');
  for (const name of ['a.pdf', 'b.pdf']) await build.file(asha.actor, { name, parent_id: top.id });
  const fileOfOther = await build.file(asha.actor, { name: 'c.pdf', parent_id: top.id });
  await services.documents.setClient(asha.actor, fileOfOther.id, { client_id: otherClient });
  const linkedTo = async (id: number) =>
    (await services.documents.files(asha.actor, { client_id: id })).items.map(({ name }) => name).toSorted();
  const chooseClient = async () => {
    await clickRow(page, 'Old papers', 'right');
    await clickButton(page, 'Change client...');
    await page.waitForSelector('[role=dialog] input:focus');
    await page.keyboard.type('shar');
    await page.waitForFunction(() => document.querySelectorAll('[role=option]').length === 1);
    await page.waitForSelector('[role=option] ::-p-text(Sharma Traders)');
    await press(page, 'ArrowDown');
    await press(page, 'Enter');
    await page.waitForSelector('[role="listbox"]', { hidden: true });
    await waitForText(
      page,
      '2 items inside are linked as well. 1 item inside belongs to another client and stays.',
    );
  };

  await holdTimers(page, 8000);
  await enterDrive(office);
  await chooseClient();
  await clickButton(page, 'Save');
  await waitForText(page, '“Old papers” linked to Sharma Traders, with 2 items inside');
  await waitForValue(() => linkedTo(client), ['a.pdf', 'b.pdf']);
  await page.locator('[data-sonner-toast] ::-p-text(Undo)').click();
  await page.waitForSelector(`${rowSelector('Old papers')} ::-p-text(Sharma Traders)`, { hidden: true });
  await waitForValue(() => linkedTo(client), []);

  await chooseClient();
  await page.locator('[role=dialog] ::-p-text(Link the 1 item of another client as well)').click();
  await clickButton(page, 'Save');
  await waitForText(page, '“Old papers” linked to Sharma Traders, with 3 items inside');
  await waitForValue(() => linkedTo(client), ['a.pdf', 'b.pdf', 'c.pdf']);
  await waitForValue(() => linkedTo(otherClient), []);
});

test('a folder is found, a new one is made in it, and items are moved there by keyboard alone: the focus stays in the dialog of folders, which says itself why it cannot be done, since it covers the page', async (office) => {
  const { page, world, asha } = office;
  const { build } = world;
  const sharma = await build.folder(asha.actor, 'Sunita Sharma');
  await build.folder(asha.actor, 'Sunita Sharma 2');
  const returns = await build.folder(asha.actor, 'Returns', sharma.id);
  await build.file(asha.actor, { name: 'a.pdf' });
  await enterDrive(office);
  await clickRow(page, 'a.pdf', 'right');
  await clickButton(page, 'Move to...');
  await page.waitForSelector('[role=dialog] input:focus');
  // Pressed before the folders are found.
  await page.keyboard.type('Sunita Sharma');
  await press(page, 'Enter');
  await waitForText(page, 'Move to Sunita Sharma');
  await page.waitForSelector('[aria-label="Folders in Sunita Sharma"] li button');
  await page.waitForSelector('[role=dialog] input:focus');
  await press(page, 'ArrowDown');
  await waitForValue(() => focusedControl(page), 'Returns');
  await press(page, 'Enter');
  await waitForText(page, 'Move to Returns');
  await page.waitForSelector('[role=dialog] input:focus');
  await page.keyboard.type('2025');
  await page.focus('[role=dialog] [aria-label="New Folder"]');
  await press(page, 'Enter');
  await page.waitForSelector('[role=dialog] [name=name]:focus');
  await page.keyboard.type('-26');
  await press(page, 'Enter');
  await waitForText(page, 'Move to 2025-26');
  await page.waitForSelector('[role=dialog] input[type=search]:focus');
  const contentsOf = async (id: number) => (await world.services.documents.folder(asha.actor, id)).items;
  const [year] = await contentsOf(returns.id);
  const { seals } = world.services;
  await build.file(asha.actor, { name: 'filed.pdf', parent_id: year!.id });
  await seals.seal(asha.actor, year!.id, { reason: 'Filed' });
  await press(page, 'Enter');
  await page.waitForSelector('[role=dialog] [role=alert] ::-p-text(Sealed by Asha Rao)');
  await seals.break(asha.actor, year!.id, { reason: 'Late', current_password: ASHA.password });
  await press(page, 'Enter');
  await waitForRowGone(page, 'a.pdf');
  assert.is(year?.name, '2025-26', 'what was searched in vain is the name offered');
  assert.equal(
    (await contentsOf(year!.id)).map(({ name }) => name),
    ['a.pdf', 'filed.pdf'],
  );
});

test('when the names of moved items are taken, the dialog asks about each, and keeps both or skips it', async (office) => {
  const { page, world, asha } = office;
  const { build } = world;
  const { id: parent_id } = await build.folder(asha.actor, 'Archive');
  for (const name of ['a.pdf', 'b.pdf']) {
    await build.file(asha.actor, { name, parent_id });
    await build.file(asha.actor, { name });
  }
  await build.file(asha.actor, { name: 'c.pdf' });
  await enterDrive(office);
  await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'grid');
  await press(page, 'ArrowDown');
  for (let times = 0; times < 3; times += 1) {
    await press(page, 'ArrowDown');
    await press(page, 'Space');
  }
  await waitForValue(() => selectedNames(page), ['a.pdf', 'b.pdf', 'c.pdf']);
  await clickButton(page, 'Move to');
  await page.locator('[role=dialog] input').fill('arch');
  await page.waitForSelector('[aria-label="Folders like arch"] li button');
  await page.locator('[aria-label="Folders like arch"] li button').click();
  await clickButton(page, 'Move to Archive');
  await waitForText(page, '2 names are already taken');
  await waitForText(page, '1 more item has a name that is free, and is moved too.');
  await row(page, 'c.pdf');
  await page.select('[aria-label="For b.pdf"]', 'skip');
  await clickButton(page, 'Move the others');
  await waitForRowGone(page, 'a.pdf');
  await row(page, 'b.pdf');
  const inside = (await world.services.documents.folder(asha.actor, parent_id)).items;
  assert.equal(inside.map(({ name }) => name).toSorted(), ['a (2).pdf', 'a.pdf', 'b.pdf', 'c.pdf']);
});

test("before a merge gives a client's documents to another the dialog says so, afterwards the message does, and Undo brings all back", async (office) => {
  const { page, world, asha } = office;
  const { build, services } = world;
  const { id: parent_id } = await build.folder(asha.actor, 'Sharma');
  const { id: there } = await build.folder(asha.actor, 'FY 2024-25', parent_id);
  const { id: moving } = await build.folder(asha.actor, 'FY 2024-25');
  await build.file(asha.actor, { name: 'Form 16.pdf', parent_id: there });
  await build.file(asha.actor, { name: 'notice.pdf', parent_id: moving });
  for (const [id, name] of [
    [parent_id, 'Sharma Traders'],
    [moving, 'Meera Iyer'],
  ] as const)
    await services.documents.setClient(asha.actor, id, { client_id: await build.client(asha.actor, name) });
  const clientsIn = async (id: number) =>
    (await services.documents.folder(asha.actor, id)).items.map(({ name, client_name }) => [
      name,
      client_name,
    ]);
  await holdTimers(page, 8000);
  await enterDrive(office);
  await clickRow(page, 'FY 2024-25');
  await clickButton(page, 'Move to');
  await page.locator('[role=dialog] input').fill('shar');
  await page.locator('[aria-label="Folders like shar"] li button').click();
  await clickButton(page, 'Move to Sharma');
  await waitForText(page, '“FY 2024-25” is already there');
  await waitForText(page, 'Documents of Meera Iyer will then belong to Sharma Traders.');
  await waitForText(page, 'There: a folder, 1 item');
  await page.locator('::-p-aria(Merge)').click();
  assert.equal(await violations(page), []);
  await clickButton(page, 'Move 1 item');
  await waitForRowGone(page, 'FY 2024-25');
  await waitForText(page, '“FY 2024-25” moved to Sharma and now belongs to Sharma Traders');
  await waitForText(page, 'The emptied folder is in Trash.');
  const merged = [
    ['Form 16.pdf', 'Sharma Traders'],
    ['notice.pdf', 'Sharma Traders'],
  ];
  assert.equal((await clientsIn(there)).toSorted(), merged);
  await page.locator('[data-sonner-toast] ::-p-text(Undo)').click();
  await row(page, 'FY 2024-25');
  await waitForValue(() => clientsIn(moving), [['notice.pdf', 'Meera Iyer']]);
});

test('what was cut stays cut when the question about its name is cancelled, and a numbered item tells its new name', async (office) => {
  const { page, world, asha } = office;
  const { build } = world;
  const { id: parent_id } = await build.folder(asha.actor, 'Archive');
  await build.folder(asha.actor, 'FY 2025-26', parent_id);
  await build.folder(asha.actor, 'FY 2025-26');
  await holdTimers(page, 8000);
  await enterDrive(office);
  await clickRow(page, 'FY 2025-26');
  const pressControl = async (key: 'x' | 'v') => {
    await page.keyboard.down('Control');
    await press(page, key);
    await page.keyboard.up('Control');
  };
  await pressControl('x');
  await openByName(page, 'Archive');
  await pressControl('v');
  await waitForText(page, '“FY 2025-26” is already there');
  await press(page, 'Escape');
  await page.waitForSelector('[role="alertdialog"]', { hidden: true });
  await pressControl('v');
  await waitForText(page, '“FY 2025-26” is already there');
  await clickButton(page, 'Move 1 item');
  await row(page, 'FY 2025-26 (2)');
  await waitForText(page, 'Its name was taken: it is called “FY 2025-26 (2)” now.');
  await page.locator('[data-sonner-toast] ::-p-text(Undo)').click();
  await waitForRowGone(page, 'FY 2025-26 (2)');
  await visit(office, '/dashboard');
  await waitForValue(() => rowNames(page), ['Archive', 'FY 2025-26']);
});

test.run();
