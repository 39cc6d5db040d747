import { join } from 'node:path';
import * as assert from 'uvu/assert';
import {
  aimed,
  carry,
  drop,
  enterDrive,
  gone,
  names,
  openByName,
  over,
  pick,
  press,
  row,
  rowOf,
  say,
  selected,
  visit,
} from './drive.ts';
import type { Office } from './office.ts';
import { becomes, officeSuite, pathOf, seen, textOf } from './office.ts';
import { holdTimers } from './quick.ts';

const test = officeSuite('drive moving');

/** A file that lies on the disk, as files from the desktop do. */
const PICTURE = join(import.meta.dirname, '../assets/screenshot.png');
const crumb = (id: number) => `[data-crumb="${id}"]`;
const anyAim = (page: Office['page']) => page.$('[data-drive] .outline-accent');

async function withBills({ world, asha }: Office) {
  const archive = await world.build.folder(asha.actor, 'Archive');
  const audit = await world.build.folder(asha.actor, 'Audit');
  const inner = await world.build.folder(asha.actor, 'Audit inner', audit.id);
  for (const name of ['Bill.pdf', 'Challan.pdf', 'Demat.pdf']) await world.build.file(asha.actor, { name });
  return { archive, audit, inner };
}

test('what is dragged goes where it is let go: onto a row, a tile, a breadcrumb, also from the desktop; Undo brings it back', async (office) => {
  const { page } = office;
  const { archive } = await withBills(office);
  // A folder that is held over for a second opens.
  await holdTimers(page, 1000);
  await enterDrive(office);
  await carry(page, rowOf('Bill.pdf'), rowOf('Archive'));
  await aimed(page, rowOf('Archive'));
  assert.is(await textOf(page, '#drag-chip'), 'Bill.pdf');
  await drop(page, rowOf('Archive'));
  await gone(page, 'Bill.pdf');
  // Once it has come to rest.
  await page.locator('[data-sonner-toast] ::-p-text(Undo)').click();
  await row(page, 'Bill.pdf');
  await page.waitForSelector(`${rowOf('Bill.pdf')}[aria-selected="true"]`);

  await page.keyboard.down('Shift');
  await pick(page, 'Demat.pdf');
  await page.keyboard.up('Shift');
  await carry(page, rowOf('Challan.pdf'), rowOf('Archive'));
  await aimed(page, rowOf('Archive'));
  assert.is(await textOf(page, '#drag-chip'), '3 items');
  await drop(page, rowOf('Archive'));
  await seen(page, '3 items moved to Archive');
  await becomes(() => names(page), ['Archive', 'Audit']);

  await page.locator('[aria-label="Grid"]').click();
  await page.waitForSelector('.item-tiles');
  await carry(page, rowOf('Audit'), rowOf('Archive'));
  await aimed(page, rowOf('Archive'));
  await drop(page, rowOf('Archive'));
  await gone(page, 'Audit');
  await openByName(page, 'Archive');
  await carry(page, rowOf('Challan.pdf'), crumb(0));
  await aimed(page, crumb(0));
  await drop(page, crumb(0));
  await gone(page, 'Challan.pdf');
  await becomes(() => names(page), ['Audit', 'Bill.pdf', 'Demat.pdf']);
  await becomes(() => pathOf(page), `/dashboard/folder/${archive.id}`);

  const session = await page.createCDPSession();
  const data = { items: [], files: [PICTURE], dragOperationsMask: 1 };
  const { x, y } = (await (await row(page, 'Audit')).clickablePoint()) ?? { x: 0, y: 0 };
  const files = (type: 'dragEnter' | 'dragOver' | 'drop', at = { x, y }) =>
    session.send('Input.dispatchDragEvent', { type, ...at, data });
  await files('dragEnter');
  await files('dragOver');
  await seen(page, 'Drop files to upload\nto Audit');
  await aimed(page, rowOf('Audit'));
  await files('dragOver', { x: 2, y: 2 });
  await files('dragOver');
  await files('dragOver');
  await files('drop');
  await openByName(page, 'Audit');
  await row(page, 'screenshot.png');
});

test('a folder opens under what is held over it; given up, it leads back to where it began', async (office) => {
  const { page } = office;
  const { audit, inner } = await withBills(office);
  const browserSide = await page.createCDPSession();
  await enterDrive(office);
  await carry(page, rowOf('Bill.pdf'), rowOf('Audit'));
  await row(page, 'Audit inner');
  await becomes(() => pathOf(page), `/dashboard/folder/${audit.id}`);
  // What Esc does in the middle of a drag, which is the system's and hears no keys of the page.
  await browserSide.send('Input.cancelDragging');
  await page.mouse.up();
  await page.mouse.move(500, 600);
  await page.mouse.move(505, 605);
  await row(page, 'Bill.pdf');
  await becomes(() => pathOf(page), '/dashboard');
  await becomes(() => selected(page), ['Bill.pdf']);

  await carry(page, rowOf('Bill.pdf'), rowOf('Audit'));
  await over(page, rowOf('Audit inner'));
  await seen(page, 'Folder is empty');
  await over(page, '[data-scroller]');
  await page.mouse.up();
  await row(page, 'Bill.pdf');
  await becomes(() => pathOf(page), `/dashboard/folder/${inner.id}`);
  await becomes(() => selected(page), ['Bill.pdf']);
});

test('into itself or below nothing goes, and nothing says that it would; a taken name is asked about', async (office) => {
  const { page, world, asha } = office;
  const { archive } = await withBills(office);
  await world.build.file(asha.actor, { name: 'Bill.pdf', parent_id: archive.id });
  await holdTimers(page, 1000);
  await enterDrive(office);
  await pick(page, 'Archive');
  await page.keyboard.down('Shift');
  await pick(page, 'Audit');
  await page.keyboard.up('Shift');
  for (const target of ['Audit', 'Bill.pdf']) {
    await carry(page, rowOf('Archive'), rowOf(target));
    assert.is(await anyAim(page), null);
    await page.mouse.up();
  }
  await visit(office, '/dashboard?search=audit');
  await carry(page, rowOf('Audit'), rowOf('Audit inner'));
  assert.is(await anyAim(page), null);
  await page.mouse.up();
  await visit(office, '/dashboard');
  await pick(page, 'Bill.pdf');
  await page.keyboard.down('Control');
  await pick(page, 'Challan.pdf');
  await page.keyboard.up('Control');
  await carry(page, rowOf('Bill.pdf'), '[data-scroller]');
  await drop(page, rowOf('Archive'));
  await page.waitForSelector('[role="alertdialog"]');
  await seen(page, "'Bill.pdf' is already there");
  await page.locator('[role=alertdialog] input[value=skip]').click();
  await say(page, 'Skip');
  await page.waitForSelector('[role="alertdialog"]', { hidden: true });
  await becomes(() => names(page), ['Archive', 'Audit', 'Bill.pdf', 'Demat.pdf']);
});

test('at its edge a long list scrolls under what is dragged', async (office) => {
  const { page, world, asha } = office;
  for (let number = 1; number <= 60; number += 1)
    await world.build.file(asha.actor, { name: `Scan ${number}.pdf` });
  await world.build.folder(asha.actor, 'Archive');
  await enterDrive(office);
  await page.$eval('[data-scroller]', (scroller) => scroller.scrollTo({ top: 9999 }));
  const last = await row(page, 'Scan 60.pdf');
  await carry(page, rowOf('Scan 60.pdf'), rowOf('Scan 59.pdf'));
  assert.ok(await last.isIntersectingViewport());
  const box = await (await page.waitForSelector('[data-scroller]'))?.boundingBox();
  await page.mouse.move(500, (box?.y ?? 0) + 30);
  await page.mouse.move(501, (box?.y ?? 0) + 12);
  await page.waitForFunction(() => document.querySelector('[data-scroller]')!.scrollTop < 200);
  await page.mouse.up();
});

test('linking a folder to a client says what goes along and what stays, and Undo gives everything its own back', async (office) => {
  const { page, world, asha } = office;
  const { build, services } = world;
  const client = await build.client(asha.actor, 'Sharma Traders');
  const other = await build.client(asha.actor, 'Gupta Textiles');
  const top = await build.folder(asha.actor, 'Old papers');
  for (const name of ['a.pdf', 'b.pdf']) await build.file(asha.actor, { name, parent_id: top.id });
  const theirs = await build.file(asha.actor, { name: 'c.pdf', parent_id: top.id });
  await services.documents.setClient(asha.actor, theirs.id, { client_id: other });
  const linkedTo = async (id: number) =>
    (await services.documents.files(asha.actor, { client_id: id })).items.map(({ name }) => name).toSorted();
  const ask = async () => {
    await pick(page, 'Old papers', 'right');
    await say(page, 'Change client…');
    await page.waitForSelector('[role=dialog] input:focus');
    await page.keyboard.type('shar');
    await page.waitForFunction(() => document.querySelectorAll('[role=option]').length === 1);
    await page.waitForSelector('[role=option] ::-p-text(Sharma Traders)');
    await press(page, 'ArrowDown');
    await press(page, 'Enter');
    await page.waitForSelector('[role="listbox"]', { hidden: true });
    await seen(page, '2 items inside are linked as well. 1 item inside belongs to another client and stays.');
  };

  await holdTimers(page, 8000);
  await enterDrive(office);
  await ask();
  await say(page, 'Save');
  await seen(page, "'Old papers' linked to Sharma Traders, with 2 items inside");
  await becomes(() => linkedTo(client), ['a.pdf', 'b.pdf']);
  await page.locator('[data-sonner-toast] ::-p-text(Undo)').click();
  await page.waitForSelector(`${rowOf('Old papers')} ::-p-text(Sharma Traders)`, { hidden: true });
  await becomes(() => linkedTo(client), []);

  await ask();
  await page.locator('[role=dialog] ::-p-text(Link the 1 item of another client as well)').click();
  await say(page, 'Save');
  await seen(page, "'Old papers' linked to Sharma Traders, with 3 items inside");
  await becomes(() => linkedTo(client), ['a.pdf', 'b.pdf', 'c.pdf']);
  await becomes(() => linkedTo(other), []);
});

test('a name that is taken where something is moved is asked about: both are kept, one replaces, or it stays', async (office) => {
  const { page, world, asha } = office;
  const { build } = world;
  const { id: parent_id } = await build.folder(asha.actor, 'Archive');
  for (const name of ['a.pdf', 'b.pdf']) {
    await build.file(asha.actor, { name, parent_id });
    await build.file(asha.actor, { name });
  }
  await enterDrive(office);
  await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'grid');
  await press(page, 'ArrowDown');
  for (let times = 0; times < 2; times += 1) {
    await press(page, 'ArrowDown');
    await press(page, 'Space');
  }
  await becomes(() => selected(page), ['a.pdf', 'b.pdf']);
  await say(page, 'Move to');
  await page.locator('[role=dialog] input').fill('arch');
  await page.waitForSelector('[aria-label="Folders like arch"] li button');
  await page.locator('[aria-label="Folders like arch"] li button').click();
  await say(page, 'Move to Archive');
  await seen(page, '2 names are already taken');
  await page.select('[aria-label="For b.pdf"]', 'skip');
  await say(page, 'Move the others');
  await gone(page, 'a.pdf');
  await row(page, 'b.pdf');
  const inside = (await world.services.documents.folder(asha.actor, parent_id)).items;
  assert.equal(inside.map(({ name }) => name).toSorted(), ['a (2).pdf', 'a.pdf', 'b.pdf']);
});

test.run();
