import * as assert from 'uvu/assert';
import { enterDrive, focusedRow, waitForRowGone, rowNames, press, row, selectedNames } from './drive.ts';
import type { Office } from './office.ts';
import { waitForValue, focusedControl, officeSuite, pathOf, waitForText } from './office.ts';
import { holdTimers, typeWord } from './quick.ts';

const test = officeSuite('drive by keyboard');

/** Tabs on until the listing has the focus. */
async function toListing({ page }: Office): Promise<void> {
  for (let tabs = 0; tabs < 40; tabs += 1) {
    if (await page.evaluate(() => document.activeElement?.getAttribute('role') === 'grid')) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('The listing can not be reached with Tab.');
}

test('a day without a mouse: in, up, new folder, rename, delete, and the focus never gets lost', async (office) => {
  const { page, world, asha } = office;
  const folder = await world.build.folder(asha.actor, 'Returns');
  await world.build.file(asha.actor, { name: 'ITR-V.pdf', parent_id: folder.id });
  await world.build.folder(asha.actor, 'Audit');
  await enterDrive(office);
  await toListing(office);
  await waitForValue(() => focusedRow(page), 'Audit');
  await typeWord(page, 'ret');
  await waitForValue(() => focusedRow(page), 'Returns');
  await press(page, 'Enter');
  await row(page, 'ITR-V.pdf');
  await waitForValue(() => pathOf(page), `/dashboard/folder/${folder.id}`);
  await press(page, 'Backspace');
  await row(page, 'Audit');
  await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'grid');
  await waitForValue(() => focusedRow(page), 'Returns', 'back on the folder one came from');

  await press(page, 'Alt+n');
  await page.waitForSelector('[role="dialog"] input');
  await page.keyboard.type('Notices');
  await press(page, 'Enter');
  await row(page, 'Notices');
  await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'grid');
  await waitForValue(() => focusedRow(page), 'Notices');
  await press(page, 'F2');
  await page.waitForSelector('[role="dialog"] input');
  await page.keyboard.type('Notices 2026');
  await press(page, 'Enter');
  await row(page, 'Notices 2026');
  await page.waitForSelector('[role="dialog"]', { hidden: true });
  await press(page, 'Delete');
  await page.waitForSelector('[role="alertdialog"]');
  // A dangerous question has its answer on Cancel; the act takes a second thought.
  await waitForValue(() => focusedControl(page), 'Cancel');
  await press(page, 'Tab');
  await press(page, 'Enter');
  await waitForRowGone(page, 'Notices 2026');
});

test('Alt with the up arrow goes to the folder above, from the root nowhere', async (office) => {
  const { page, world, asha } = office;
  const outer = await world.build.folder(asha.actor, 'Outer');
  const inner = await world.build.folder(asha.actor, 'Inner', outer.id);
  await enterDrive(office, `/dashboard/folder/${inner.id}`);
  await press(page, 'Alt+ArrowUp');
  await row(page, 'Inner');
  await press(page, 'Alt+ArrowUp');
  await row(page, 'Outer');
  await press(page, 'Alt+ArrowUp');
  await waitForValue(() => pathOf(page), '/dashboard');
});

test('the menu key opens the menu of the focused row, and Esc gives the focus back', async (office) => {
  const { page, world, asha } = office;
  await world.build.file(asha.actor, { name: 'Form 16.pdf' });
  await enterDrive(office);
  await toListing(office);
  await press(page, 'Shift+F10');
  const menu = await page.waitForSelector('[role="menu"]');
  assert.is(await menu?.evaluate((element) => element.getAttribute('aria-label')), 'Actions for Form 16.pdf');
  await press(page, 'Escape');
  await page.waitForSelector('[role="menu"]', { hidden: true });
  await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'grid');
});

test('cut and paste moves, as in any file manager', async (office) => {
  const { page, world, asha } = office;
  await world.build.folder(asha.actor, 'Archive');
  await world.build.file(asha.actor, { name: 'Old.pdf' });
  await enterDrive(office);
  await toListing(office);
  await page.keyboard.type('o');
  await press(page, 'Control+x');
  await page.keyboard.type('a');
  await press(page, 'Enter');
  await waitForText(page, 'Folder is empty');
  await press(page, 'Control+v');
  await row(page, 'Old.pdf');
});

const inGrid = (page: Office['page']) =>
  page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'grid');

test('the listing has the keyboard from the start, and Ctrl+A means its items wherever the focus is', async (office) => {
  const { page, world, asha } = office;
  for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) await world.build.file(asha.actor, { name });
  await enterDrive(office);
  await inGrid(page);
  await press(page, 'ArrowDown');
  await waitForValue(() => focusedRow(page), 'a.pdf', 'the first arrow goes to the first row');
  await press(page, 'ArrowDown');
  await waitForValue(() => focusedRow(page), 'b.pdf');
  await press(page, 'Control+a');
  await waitForValue(() => selectedNames(page), ['a.pdf', 'b.pdf', 'c.pdf']);
  await press(page, 'Escape');
  await waitForValue(() => selectedNames(page), []);

  // The button that opened the dialog gets the focus back; the page's text is not meant even so.
  await page.locator('main header button').click();
  await page.locator('[role=menuitem] ::-p-text(New Folder)').click();
  await page.waitForSelector('[role=dialog] input');
  await press(page, 'Escape');
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await press(page, 'Control+a');
  await waitForValue(() => selectedNames(page), ['a.pdf', 'b.pdf', 'c.pdf']);
  assert.is(await page.evaluate(() => String(getSelection())), '');
  await inGrid(page);

  await press(page, 'Escape');
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await press(page, 'ArrowDown');
  assert.ok(await focusedRow(page), 'an arrow brings the keyboard back to the listing');
});

test('a field that is in use keeps the focus when the listing is drawn, and a link leads past the shell', async (office) => {
  const { page, world, asha } = office;
  await world.build.file(asha.actor, { name: 'a.pdf' });
  await enterDrive(office);
  await inGrid(page);
  await page.focus('.skip-link');
  await press(page, 'Tab');
  await waitForValue(() => focusedControl(page), 'Skip to the list');
  await press(page, 'Enter');
  await inGrid(page);
});

test('Ctrl+Z takes back what was renamed or moved, as long as Undo is offered', async (office) => {
  const { page, world, asha } = office;
  await world.build.folder(asha.actor, 'Archive');
  await world.build.file(asha.actor, { name: 'Old.pdf' });
  // Of a toast with Undo, and no other.
  await holdTimers(page, 8000);
  await enterDrive(office);
  await inGrid(page);
  await page.keyboard.type('o');
  await press(page, 'F2');
  await page.waitForSelector('[role=dialog] input');
  await page.keyboard.type('New');
  await press(page, 'Enter');
  await row(page, 'New.pdf');
  await inGrid(page);
  await press(page, 'Control+z');
  await row(page, 'Old.pdf');
  await page.waitForSelector('[data-sonner-toast]', { hidden: true });
  await press(page, 'Control+z');
  await waitForValue(() => rowNames(page), ['Archive', 'Old.pdf'], 'only once');
});

test('keys are letters again while one is writing', async (office) => {
  const { page, world, asha } = office;
  await world.build.file(asha.actor, { name: 'Form 16.pdf' });
  await enterDrive(office);
  await press(page, '?');
  await waitForText(page, 'Keyboard shortcuts');
  await press(page, 'Delete');
  await press(page, 'Escape');
  await page.waitForSelector('[role="dialog"]', { hidden: true });
  await page.type('input[type="search"], [role="combobox"]', 'a?');
  await press(page, 'Backspace');
  await press(page, 'Delete');
  assert.is(await page.$('[role="alertdialog"]'), null);
  await waitForValue(() => rowNames(page), ['Form 16.pdf']);
});

test('the ring round the first row waits for a key, since it would only catch the eye of who came by a click', async (office) => {
  const { page, world, asha } = office;
  await world.build.file(asha.actor, { name: 'Bill.pdf' });
  await enterDrive(office);
  const ring = () => page.$eval('.entry-focus', (row) => getComputedStyle(row).outlineStyle);
  await page.waitForFunction(() => document.activeElement?.role === 'grid');
  await page.waitForSelector('.entry-focus');
  assert.is(await ring(), 'none');
  await page.keyboard.press('ArrowDown');
  assert.is(await ring(), 'solid');
});

test.run();
