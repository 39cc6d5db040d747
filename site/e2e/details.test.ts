import * as assert from 'uvu/assert';
import { FORM_16, recognise } from '#server/fields/testing/recognised.ts';
import { load, networkIdle } from '#server/testing/browser.ts';
import { violations } from './axe.ts';
import { chooseInDetails, enterDrive, clickRow, press, row, selectedNames } from './drive.ts';
import { waitForValue, officeSuite, replaceText, waitForText, textOf } from './office.ts';
import { holdTimers, typeWord } from './quick.ts';

const test = officeSuite('the details of items');

/** The heading of the details, which names the item. */
const HEADING = '.details p.text-lg.font-semibold';

test('a key opens the details beside the list, they follow focus and selection, and Esc closes them and returns the focus to the list', async (office) => {
  const { page, world, asha, url } = office;
  const { build } = world;
  const client = await build.client(asha.actor, 'Sharma Traders');
  await build.file(asha.actor, { name: 'a.txt', content: 'abc', client_id: client });
  await build.file(asha.actor, { name: 'b.txt', content: 'abcd' });
  await build.file(asha.actor, { name: 'itr.txt', content: 'abcde' });
  await enterDrive(office);
  await row(page, 'a.txt');
  const width = await page.$eval('.item-grid', (grid) => grid.getBoundingClientRect().width);
  await page.focus('.item-grid');
  await press(page, 'i');
  await waitForText(page, 'Total size');
  assert.is(await textOf(page, HEADING), 'My Drive', 'nothing is selected yet');
  const widthBesideDetails = await page.$eval('.item-grid', (grid) => grid.getBoundingClientRect().width);
  assert.ok(widthBesideDetails < width - 200, 'the list makes room');

  await press(page, 'ArrowDown');
  await press(page, 'ArrowDown');
  await page.waitForFunction((head) => document.querySelector(head)?.textContent === 'b.txt', {}, HEADING);
  await waitForText(page, 'No client');
  await waitForValue(() => selectedNames(page), []);
  await clickRow(page, 'a.txt');
  await waitForText(page, 'ba7816bf8f01');
  assert.is(await textOf(page, HEADING), 'a.txt');
  await waitForText(page, 'Who has access');
  // A short window: the hidden label of a field must scroll with the panel, not make the screen scroll.
  const size = page.viewport()!;
  await page.setViewport({ ...size, height: 480 });
  assert.ok(await page.$eval('main', ({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight));
  await page.setViewport(size);
  await waitForText(page, 'Uploaded');
  await page.locator('.details button ::-p-text(Add a note)').click();
  await page.waitForSelector('.details textarea:focus');
  await page.keyboard.type('Asked for page 2');
  await press(page, 'Control+Enter');
  await page.waitForSelector('.details textarea', { hidden: true });
  await waitForText(page, 'Asked for page 2');
  await waitForText(page, 'Added a note');
  assert.equal(await violations(page), []);
  await page.focus('.item-grid');
  await press(page, 'Control+a');
  await page.waitForFunction((head) => document.querySelector(head)?.textContent === '3 items', {}, HEADING);
  await waitForText(page, '12 B');

  await page.goto(`${url}/documents`);
  await waitForText(page, 'Nothing is selected');
  await page.focus('.item-grid');
  await press(page, 'End');
  await waitForText(page, 'Who has access');
  await page.focus('.details a');
  await press(page, 'Escape');
  await page.waitForSelector('.details', { hidden: true });
  await page.waitForSelector('.item-grid:focus');

  // Opened while a row has the focus, they show that row.
  await press(page, 'Home');
  const first = await page.$eval('.entry-focus', (row) => row.getAttribute('aria-label'));
  await press(page, 'i');
  await page.waitForFunction(
    (head, name) => document.querySelector(head)?.textContent === name,
    {},
    HEADING,
    first,
  );
  await press(page, 'i');
  await page.waitForSelector('.details', { hidden: true });

  // Typing the start of a name still focuses its row, although "i" opens the details.
  await typeWord(page, 'itr');
  await page.waitForSelector('[data-id][aria-label="itr.txt"].entry-focus');
  assert.is(await page.$eval('html', (html) => html.dataset['details']), 'closed');
});

test('a note or a value that is being changed is kept while another row is chosen, and a reload asks first, until it is saved or cancelled', async (office) => {
  const { page, world, asha } = office;
  const { build, services } = world;
  const file = await build.file(asha.actor, { name: 'Form 16.pdf' });
  await build.file(asha.actor, { name: 'Rent receipts.pdf' });
  await services.notes.add(asha.actor, file.id, { text: 'Asked for page 2' });
  await recognise(world, file.id, FORM_16);
  await enterDrive(office);
  await clickRow(page, 'Form 16.pdf');
  await page.focus('.item-grid');
  await press(page, 'i');
  const chooseOther = async () => {
    await clickRow(page, 'Rent receipts.pdf');
    await waitForValue(() => textOf(page, HEADING), 'Rent receipts.pdf');
    await clickRow(page, 'Form 16.pdf');
    await waitForValue(() => textOf(page, HEADING), 'Form 16.pdf');
    // A part that comes late moves the others, and an open menu closes when what it belongs to is scrolled.
    await networkIdle(page, { idle: 300 });
  };
  const valueOf = (selector: string) =>
    page
      .locator(selector)
      .map((field) => (field as HTMLInputElement).value)
      .wait();

  const asksBeforeUnload = () =>
    page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));

  await page.locator('.details [aria-label="Edit the note"]').click();
  await replaceText(page, '.details textarea', 'The employer sends page 2 on Monday');
  await chooseOther();
  assert.is(await valueOf('.details textarea'), 'The employer sends page 2 on Monday');
  assert.ok(await asksBeforeUnload(), 'a reload would lose it');
  await page.locator('.details ::-p-aria([name="Save"][role="button"])').click();
  await waitForText(page, 'The employer sends page 2 on Monday');
  await chooseOther();
  await page.waitForSelector('.details [aria-label="Edit the note"]');
  assert.is(await page.$('.details textarea'), null, 'what was saved is no draft');
  assert.not.ok(await asksBeforeUnload());

  const FIELD = '.details ::-p-aria([name="Gross salary"][role="textbox"])';
  const actions = '.details [aria-label="Actions for Gross salary"]';
  await chooseInDetails(page, actions, 'Correct');
  await replaceText(page, FIELD, '12,50,000');
  await chooseOther();
  assert.is(await valueOf(FIELD), '12,50,000');
  await page.locator('.details ::-p-aria([name="Cancel"][role="button"])').click();
  await chooseOther();
  await page.waitForSelector('.details [aria-label="Actions for Gross salary"]');
  assert.is(await page.$(FIELD), null, 'what was cancelled is no draft');
});

test('a label that is typed but not yet created is kept: Save creates it and puts it on the file, and Cancel asks first', async (office) => {
  const { page, world, asha } = office;
  const { id } = await world.build.file(asha.actor, { name: 'notes.txt' });
  await world.services.labels.create(asha.actor, { name: 'Urgent', colour: 'red' });
  await enterDrive(office);
  const openLabels = async () => {
    await clickRow(page, 'notes.txt', 'right');
    await page.locator('[role=menuitem] ::-p-text(Labels...)').click();
    await page.waitForSelector('[role=dialog] .label-chip');
  };
  const save = () => page.locator('[role=dialog] footer button:last-child').click();
  const NEW = '[role=dialog] form input[placeholder="New label"]';
  await openLabels();
  await replaceText(page, NEW, 'Audit 2026');
  await page.keyboard.press('Escape');
  await waitForText(page, 'Discard your changes?');
  await page.locator('[role=alertdialog] button ::-p-text(Keep editing)').click();
  await save();
  await page.waitForSelector('[role=dialog]', { hidden: true });
  const names = async () =>
    (await world.services.documents.item(asha.actor, id)).labels?.map(({ name }) => name);
  await waitForValue(names, ['Audit 2026']);

  await openLabels();
  await replaceText(page, NEW, 'urgent');
  await save();
  await page.waitForSelector(`${NEW}[aria-invalid=true]`);
  await page.locator(NEW).click({ count: 3 });
  await page.keyboard.press('Backspace');
  await page.locator('[aria-label="Edit the label Audit 2026"]').click();
  await replaceText(page, '[role=dialog] li form input', 'Audit of 2026');
  await save();
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await waitForValue(names, ['Audit of 2026']);
});

test('Ctrl+Z takes a label off those of several files that got it, and leaves it on those that had it', async (office) => {
  const { page, world, asha } = office;
  const [old, fresh] = [
    await world.build.file(asha.actor, { name: 'a.txt' }),
    await world.build.file(asha.actor, { name: 'b.txt' }),
  ];
  const { id } = await world.services.labels.create(asha.actor, { name: 'Urgent', colour: 'red' });
  await world.services.labels.put(asha.actor, { ids: [old.id], add: [id], remove: [] });
  await holdTimers(page, 8000);
  await enterDrive(office);
  await clickRow(page, 'a.txt');
  await press(page, 'Control+a');
  await clickRow(page, 'b.txt', 'right');
  await page.locator('[role=menuitem] ::-p-text(Labels...)').click();
  await page.locator('[role=dialog] .label-chip').click();
  await page.locator('[role=dialog] footer button:last-child').click();
  await waitForText(page, '1 item changed');
  const labelled = async () => {
    const items = [old, fresh].map((file) => world.services.documents.item(asha.actor, file.id));
    return (await Promise.all(items)).map(({ labels = [] }) => labels.length);
  };
  assert.equal(await labelled(), [1, 1]);
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await press(page, 'Control+z');
  await waitForValue(async () => (await labelled()).join(), '1,0');
});

test('a label with too long a name says so while it is typed, instead of being cut', async (office) => {
  const { page, world, asha } = office;
  await world.build.file(asha.actor, { name: 'notes.txt' });
  await enterDrive(office);
  await clickRow(page, 'notes.txt', 'right');
  await page.locator('[role=menuitem] ::-p-text(Labels...)').click();
  const field = await page.waitForSelector('[role=dialog] form input[placeholder="New label"]');
  await field!.type('x'.repeat(41));
  await waitForText(page, 'Use at most 40 characters');
  assert.is(await field!.evaluate((input) => (input as HTMLInputElement).value.length), 41);
  await page.keyboard.press('Backspace');
  await page.waitForSelector('[role=dialog] form input[aria-invalid=true]', { hidden: true });
});

test('beside the details a name is cut only after its client and label, and a folder with the name of its client shows that it is linked', async (office) => {
  const { page, world, asha } = office;
  const client_id = await world.build.client(asha.actor, 'Sharma Traders and Sons of Nashik');
  const { id } = await world.build.file(asha.actor, { name: 'Invoice of August 2023.pdf', client_id });
  const label = await world.services.labels.create(asha.actor, {
    name: 'To be checked by a partner',
    colour: 'red',
  });
  await world.services.labels.put(asha.actor, { ids: [id], add: [label.id], remove: [] });
  await page.setViewport({ width: 1366, height: 768 });
  await enterDrive(office);
  await row(page, 'Invoice of August 2023.pdf');
  await page.focus('.item-grid');
  await press(page, 'i');
  await waitForText(page, 'Total size');
  const isWhole = await page.$eval(
    '[data-id] [data-open] span[aria-hidden]',
    (head) => head.scrollWidth <= head.clientWidth,
  );
  assert.ok(isWhole);
  await press(page, 'i');
  await world.services.documents.createFolder(asha.actor, {
    name: 'Sharma Traders and Sons of Nashik',
    parent_id: null,
    client_id,
  });
  await page.reload();
  await page.waitForSelector('[data-id][aria-label^=Sharma] .list-client ::-p-text(Sharma Traders)');
});

test('a label is created and put on a file, shows in its row, filters Documents and is found by the search', async (office) => {
  const { page, world, asha } = office;
  await world.build.file(asha.actor, { name: 'a.txt', content: 'abc' });
  await world.build.file(asha.actor, { name: 'b.txt', content: 'abcd' });
  await enterDrive(office);
  await clickRow(page, 'a.txt', 'right');
  await page.locator('[role=menuitem] ::-p-text(Labels...)').click();
  await page.waitForSelector('[role=dialog]');
  await waitForText(page, 'Your firm has no labels yet');
  await page.keyboard.type('Urgent');
  await press(page, 'Enter');
  await page.waitForSelector('[role=dialog] .label-chip');
  assert.equal(await violations(page), []);
  // Esc asks before it discards the ticks.
  await press(page, 'Escape');
  await page.waitForSelector('[role=alertdialog] ::-p-text(Discard your changes?)');
  await page.locator('[role=alertdialog] button ::-p-text(Keep editing)').click();
  await page.waitForSelector('[role=alertdialog]', { hidden: true });
  await page.locator('[role=dialog] footer button ::-p-text(Save)').click();
  await page.waitForSelector('[data-id][aria-label="a.txt"] .label-chip');
  assert.is(await page.$('[data-id][aria-label="b.txt"] .label-chip'), null);

  await load(page, `${office.url}/documents`);
  await page.locator('[aria-label=Filters] button[aria-haspopup=listbox] ::-p-text(All labels)').click();
  await page.locator('[role=option] ::-p-text(Urgent)').click();
  await page.waitForSelector('[data-id][aria-label="b.txt"]', { hidden: true });
  await row(page, 'a.txt');
  assert.match(page.url(), /[?&]label=\d+/);
  await load(page, `${office.url}/dashboard?search=urgent`);
  await row(page, 'a.txt');
});

test('of duplicate files the chosen one is kept, and the others go to Trash', async (office) => {
  const { page, world, asha, url } = office;
  const folder = await world.build.folder(asha.actor, 'Scans');
  await world.build.file(asha.actor, { name: 'a.txt', content: 'abc' });
  await world.build.file(asha.actor, { name: 'a again.txt', content: 'abc', parent_id: folder.id });
  await enterDrive(office);
  await load(page, `${url}/storage`);
  await page.locator('[type=radio][aria-label="a again.txt, Scans"]').click();
  assert.equal(await violations(page), []);
  await page.locator('button ::-p-text(Keep the chosen one)').click();
  await waitForText(page, '“a again.txt” stays.');
  await page.locator('[role=alertdialog] button ::-p-text(Delete 1 copy)').click();
  await waitForText(page, 'There are no duplicates.');
  const { items } = await world.services.trash.list(asha.actor);
  assert.equal(
    items.map(({ name }) => name),
    ['a.txt'],
  );
});

test('on a phone the details open as a sheet from the menu of an item, and its client is changed there', async (office) => {
  const { page, world, asha } = office;
  await world.build.file(asha.actor, { name: 'a.txt', content: 'abc' });
  await page.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true });
  await enterDrive(office);
  await page.locator('[data-menu]').click();
  // The menu is a sheet as well, with rare commands behind its row "More".
  await page.waitForSelector('[role=dialog] [role=menuitem]');
  const rows = () => page.$$eval('[role=menuitem]', (items) => items.map((item) => item.textContent));
  assert.ok((await rows()).length <= 10, (await rows()).join());
  assert.equal(await violations(page), []);
  await page.locator('[role=menuitem] ::-p-text(More)').click();
  await page.waitForSelector('[role=menuitem] ::-p-text(Versions)');
  assert.not((await rows()).includes('More'));
  await page.locator('[role=menuitem] ::-p-text(Details)').click();
  await page.waitForSelector('[role=dialog] header');
  await waitForText(page, 'ba7816bf8f01');
  assert.equal(await violations(page), []);
  await page.locator('[role=dialog] [aria-label^="Change... the client"]').click();
  await waitForText(page, 'Link “a.txt” to a client');
});

test('the hash is copied without HTTPS too, where browsers offer no clipboard to scripts', async (office) => {
  const { page, world, asha } = office;
  page.expected.push(/Cross-Origin-Opener-Policy header has been ignored/);
  office.url = office.url.replace('127.0.0.1', 'office-pc');
  await world.build.file(asha.actor, { name: 'a.txt', content: 'abc' });
  await enterDrive(office);
  assert.is(await page.evaluate(() => navigator.clipboard), undefined);
  await clickRow(page, 'a.txt');
  await page.focus('.item-grid');
  await press(page, 'i');
  await page.locator('.details [aria-label="Copy the SHA-256"]').click();
  await waitForText(page, 'SHA-256 copied');
  await page.focus('.global-search');
  await page.keyboard.down('Control');
  await page.keyboard.press('KeyV', { commands: ['Paste'] });
  await page.keyboard.up('Control');
  assert.match(
    await page.$eval('.global-search', (input) => (input as HTMLInputElement).value),
    /^ba7816bf8f01/,
  );
});

test.run();
