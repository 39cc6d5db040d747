import * as assert from 'uvu/assert';
import { enterDrive, focusedRow, waitForRowGone, rowNames, press, row, selectedNames } from './drive.ts';
import { holdRequests } from './held-requests.ts';
import type { Office } from './office.ts';
import { waitForValue, focusedControl, officeSuite, pathOf, replaceText, waitForText } from './office.ts';
import { holdTimers, typeWord } from './quick.ts';

const test = officeSuite('drive by keyboard');

/** Presses Tab until the list has the focus. */
async function tabToList({ page }: Office): Promise<void> {
  for (let tabs = 0; tabs < 40; tabs += 1) {
    if (await page.evaluate(() => document.activeElement?.getAttribute('role') === 'grid')) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('The list cannot be reached with Tab.');
}

test('folders are opened, left, created, renamed and deleted by keyboard alone, and the focus never gets lost', async (office) => {
  const { page, world, asha } = office;
  const folder = await world.build.folder(asha.actor, 'Returns');
  await world.build.file(asha.actor, { name: 'ITR-V.pdf', parent_id: folder.id });
  await world.build.folder(asha.actor, 'Audit');
  await enterDrive(office);
  await tabToList(office);
  await waitForValue(() => focusedRow(page), 'Audit');
  await typeWord(page, 'ret');
  await waitForValue(() => focusedRow(page), 'Returns');
  await press(page, 'Enter');
  await row(page, 'ITR-V.pdf');
  await waitForValue(() => pathOf(page), `/dashboard/folder/${folder.id}`);
  await press(page, 'Backspace');
  await row(page, 'Audit');
  await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'grid');
  await waitForValue(() => focusedRow(page), 'Returns', 'the focus is on the folder that was left');
  assert.equal(await selectedNames(page), [], 'which is not selected, so that New stays');

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
  // In a question about deleting, Cancel has the focus.
  await waitForValue(() => focusedControl(page), 'Cancel');
  await press(page, 'Tab');
  await press(page, 'Enter');
  await waitForRowGone(page, 'Notices 2026');
});

test('Alt with the up arrow opens the parent folder, and does nothing in My Drive and in a folder whose parent is not known yet', async (office) => {
  const { page, world, asha } = office;
  const outer = await world.build.folder(asha.actor, 'Outer');
  const inner = await world.build.folder(asha.actor, 'Inner', outer.id);
  await enterDrive(office, `/dashboard/folder/${inner.id}`);
  const { release } = await holdRequests(page, `parent_id=${outer.id}`);
  await press(page, 'Alt+ArrowUp');
  await press(page, 'Alt+ArrowUp');
  await waitForValue(() => pathOf(page), `/dashboard/folder/${outer.id}`);
  assert.is(await page.title(), 'Inner · Almirah', 'the name of the folder above is not known yet');
  await release();
  await row(page, 'Inner');
  await press(page, 'Alt+ArrowUp');
  await row(page, 'Outer');
  await press(page, 'Alt+ArrowUp');
  await waitForValue(() => pathOf(page), '/dashboard');
});

test('one Esc closes a dialog whose focused button shows its tooltip', async (office) => {
  const { page } = office;
  await enterDrive(office);
  await press(page, 'Alt+n');
  await page.waitForSelector('[role="dialog"] input');
  await press(page, 'Shift+Tab');
  await page.waitForFunction(() => document.activeElement?.ariaLabel === 'Close');
  await page.waitForSelector('[role="tooltip"]');
  await press(page, 'Escape');
  await page.waitForSelector('[role="dialog"]', { hidden: true });
  await page.waitForSelector('[role="tooltip"]', { hidden: true });
});

test('Shift+F10 opens the menu of the focused row, and Esc returns the focus to the list', async (office) => {
  const { page, world, asha } = office;
  await world.build.file(asha.actor, { name: 'Form 16.pdf' });
  await enterDrive(office);
  await tabToList(office);
  await press(page, 'Shift+F10');
  const menu = await page.waitForSelector('[role="menu"]');
  assert.is(await menu?.evaluate((element) => element.getAttribute('aria-label')), 'Actions for Form 16.pdf');
  await press(page, 'Escape');
  await page.waitForSelector('[role="menu"]', { hidden: true });
  await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'grid');
});

test('after Ctrl+A in a folder opened by Enter, Shift+F10 opens the menu of all its items, since its first row has the focus', async (office) => {
  const { page, world, asha } = office;
  const { id: parent_id } = await world.build.folder(asha.actor, 'Returns');
  for (const name of ['a.pdf', 'b.pdf']) await world.build.file(asha.actor, { name, parent_id });
  await enterDrive(office);
  await tabToList(office);
  await press(page, 'Enter');
  await row(page, 'b.pdf');
  await waitForValue(() => focusedRow(page), 'a.pdf');
  await press(page, 'Control+a');
  await press(page, 'Shift+F10');
  const menu = await page.waitForSelector('[role="menu"]');
  assert.match(await menu!.evaluate((element) => element.getAttribute('aria-label') ?? ''), '2 items');
  await press(page, 'Escape');
  await page.waitForSelector('[role="menu"]', { hidden: true });
  await press(page, 'Backspace');
  await waitForValue(() => focusedRow(page), 'Returns');
  await press(page, 'Enter');
  await row(page, 'b.pdf');
  await press(page, 'ArrowDown');
  await waitForValue(() => focusedRow(page), 'a.pdf', 'the first arrow leads to the first row');
});

test('Ctrl+X and Ctrl+V move a file to another folder, as in any file manager', async (office) => {
  const { page, world, asha } = office;
  await world.build.folder(asha.actor, 'Archive');
  await world.build.file(asha.actor, { name: 'Old.pdf' });
  await enterDrive(office);
  await tabToList(office);
  await page.keyboard.type('o');
  await press(page, 'Control+x');
  await page.keyboard.type('a');
  await press(page, 'Enter');
  await waitForText(page, 'Folder is empty');
  const moves: string[] = [];
  page.on('request', (request) => request.url().endsWith('/move') && moves.push(request.url()));
  await page.keyboard.down('Control');
  for (let held = 0; held < 3; held += 1) await page.keyboard.down('v');
  for (const key of ['v', 'Control'] as const) await page.keyboard.up(key);
  await row(page, 'Old.pdf');
  assert.is(moves.length, 1, 'a held key moves it once');
});

const waitForListFocus = (page: Office['page']) =>
  page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'grid');

test('the list has the focus from the start, and Ctrl+A selects its items wherever the focus is', async (office) => {
  const { page, world, asha } = office;
  for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) await world.build.file(asha.actor, { name });
  await enterDrive(office);
  await waitForListFocus(page);
  await press(page, 'ArrowDown');
  await waitForValue(() => focusedRow(page), 'a.pdf', 'the first arrow goes to the first row');
  await press(page, 'ArrowDown');
  await waitForValue(() => focusedRow(page), 'b.pdf');
  await press(page, 'Control+a');
  await waitForValue(() => selectedNames(page), ['a.pdf', 'b.pdf', 'c.pdf']);
  await press(page, 'Escape');
  await waitForValue(() => selectedNames(page), []);

  // The focus is on the button that opened the dialog; Ctrl+A must not select the text of the page even so.
  await page.locator('main header button').click();
  await page.locator('[role=menuitem] ::-p-text(New Folder)').click();
  await page.waitForSelector('[role=dialog] input');
  await press(page, 'Escape');
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await press(page, 'Control+a');
  await waitForValue(() => selectedNames(page), ['a.pdf', 'b.pdf', 'c.pdf']);
  assert.is(await page.evaluate(() => String(getSelection())), '');
  await waitForListFocus(page);

  await press(page, 'Escape');
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await press(page, 'ArrowDown');
  assert.ok(await focusedRow(page), 'an arrow key returns the focus to the list');
});

test('the link "Skip to the list" leads the keyboard past the navigation', async (office) => {
  const { page, world, asha } = office;
  await world.build.file(asha.actor, { name: 'a.pdf' });
  await enterDrive(office);
  await waitForListFocus(page);
  await page.focus('.skip-link');
  await press(page, 'Tab');
  await waitForValue(() => focusedControl(page), 'Skip to the list');
  await press(page, 'Enter');
  await waitForListFocus(page);
});

test('Ctrl+Z undoes a rename once, as long as its toast offers Undo, then says that there is nothing to undo, and neither selects a row that the next key would act on', async (office) => {
  const { page, world, asha } = office;
  await world.build.folder(asha.actor, 'Archive');
  await world.build.file(asha.actor, { name: 'Old.pdf' });
  // Holds only toasts with Undo, the only ones shown for so long.
  await holdTimers(page, 8000);
  await enterDrive(office);
  await waitForListFocus(page);
  await page.keyboard.type('o');
  await press(page, 'F2');
  await page.waitForSelector('[role=dialog] input');
  await page.keyboard.type('New');
  await press(page, 'Enter');
  await row(page, 'New.pdf');
  await waitForListFocus(page);
  assert.is(await focusedRow(page), 'New.pdf');
  assert.equal(await selectedNames(page), []);
  await press(page, 'ArrowUp');
  await press(page, 'Control+z');
  await row(page, 'Old.pdf');
  await waitForValue(() => focusedRow(page), 'Old.pdf');
  assert.equal(await selectedNames(page), []);
  await page.waitForSelector('[data-sonner-toast]', { hidden: true });
  await page.keyboard.down('Control');
  for (let held = 0; held < 3; held += 1) await page.keyboard.down('z');
  for (const key of ['z', 'Control'] as const) await page.keyboard.up(key);
  await waitForText(page, 'Nothing to undo');
  assert.equal(await rowNames(page), ['Archive', 'Old.pdf'], 'only once');
  assert.is((await page.$$('[data-sonner-toast]')).length, 1, 'a held key tells it once');

  await page.keyboard.type('o');
  await press(page, 'F2');
  await page.waitForSelector('[role=dialog] input');
  await page.keyboard.type('New');
  await press(page, 'Enter');
  await row(page, 'New.pdf');
  await waitForListFocus(page);
  await page.focus('[data-sonner-toast] [data-action]');
  await press(page, 'Enter');
  await row(page, 'Old.pdf');
  await page.waitForSelector('[data-sonner-toast]', { hidden: true });
  await waitForValue(() => focusedRow(page), 'Old.pdf', 'the toast has gone with its button');

  await press(page, 'Enter');
  await page.waitForSelector('.preview-layer');
  await press(page, 'F2');
  await page.waitForSelector('[role=dialog] input');
  await page.keyboard.type('New');
  await press(page, 'Enter');
  await page.waitForSelector('[data-sonner-toast] [data-action]');
  await page.waitForSelector('[role=dialog] input', { hidden: true });
  await press(page, 'Control+z');
  const names = async () =>
    (await world.services.documents.folder(asha.actor, null)).items.map(({ name }) => name);
  await waitForValue(names, ['Archive', 'Old.pdf'], 'in the preview too');
});

test('a rename that changes the type of a file asks first, since such a file may no longer be shown', async (office) => {
  const { page, world, asha } = office;
  const file = await world.build.file(asha.actor, { name: 'Form 16.pdf' });
  const name = async () => (await world.services.documents.item(asha.actor, file.id)).name;
  await enterDrive(office);
  await waitForListFocus(page);
  await page.keyboard.type('f');
  await press(page, 'F2');
  await replaceText(page, '[role=dialog] input', 'Form 16.csv');
  await press(page, 'Enter');
  await page.locator('[role=alertdialog] ::-p-text(Keep ".pdf")').click();
  await waitForText(page, 'Keep ".pdf" at the end of the name.');
  assert.is(await name(), 'Form 16.pdf');
  await page.locator('[role=dialog] footer button:last-child').click();
  await page.locator('[role=alertdialog] ::-p-text(Change to ".csv")').click();
  await row(page, 'Form 16.csv');
  assert.is(await name(), 'Form 16.csv');
});

test('Ctrl+K focuses the search, and shortcut keys do nothing while a field has the focus or a dialog is open', async (office) => {
  const { page, world, asha } = office;
  await world.build.file(asha.actor, { name: 'Form 16.pdf' });
  await enterDrive(office);
  await press(page, '?');
  await waitForText(page, 'Keyboard shortcuts');
  await press(page, 'Delete');
  await press(page, 'Escape');
  await page.waitForSelector('[role="dialog"]', { hidden: true });
  await press(page, 'Control+k');
  await page.keyboard.type('a/b?');
  assert.is(await page.$eval('.global-search', (input) => (input as HTMLInputElement).value), 'a/b?');
  await press(page, 'Backspace');
  await press(page, 'Delete');
  assert.is(await page.$('[role="alertdialog"]'), null);
  await waitForValue(() => rowNames(page), ['Form 16.pdf']);
});

test('the focus ring shows only after a key is pressed, since it would distract people who use the mouse', async (office) => {
  const { page, world, asha } = office;
  await world.build.file(asha.actor, { name: 'Bill.pdf' });
  await enterDrive(office);
  const ring = () => page.$eval('.entry-focus', (row) => getComputedStyle(row).outlineStyle);
  await page.waitForFunction(() => document.activeElement?.role === 'grid');
  await page.waitForSelector('.entry-focus');
  assert.is(await ring(), 'none');
  await page.keyboard.press('Delete');
  assert.is(await ring(), 'solid');
  assert.is(
    await page.$('[role="alertdialog"], [role="dialog"]'),
    null,
    'nobody saw that this row would be deleted',
  );
  await page.keyboard.press('F2');
  await page.waitForSelector('[role="dialog"] input');
});

test.run();
