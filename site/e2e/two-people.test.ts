import * as assert from 'uvu/assert';
import { FORM_16, recognise } from '#server/fields/testing/recognised.ts';
import type { WatchedPage } from '#server/testing/browser.ts';
import { load, openPage, openTab, signIn, TIMEOUT_MS } from '#server/testing/browser.ts';
import {
  chooseInDetails,
  enterDrive,
  waitForRowGone,
  clickRow,
  press,
  row,
  clickButton,
  selectedNames,
} from './drive.ts';
import { refuseRequests } from './held-requests.ts';
import type { Office } from './office.ts';
import { ASHA, waitForValue, officeSuite, replaceText, waitForText } from './office.ts';

interface TwoPeople extends Office {
  ravi: Awaited<ReturnType<Office['world']['build']['colleague']>>;
  /** The page of Ravi, in a browser context of its own. */
  ravisPage: WatchedPage;
}
const test = officeSuite<TwoPeople>('two people at once');
test.before.each(async (office) => {
  office.ravi = await office.world.build.colleague(office.asha.actor, {
    name: 'Ravi Kumar',
    role: 'manager',
  });
  office.ravisPage = await openPage(office.browser);
});

/** Waits until so many pages are connected to the event stream, so that the next changes reach them. */
const waitForConnections = async ({ world }: Office, count = 1): Promise<void> => {
  for (
    const end = Date.now() + TIMEOUT_MS;
    world.services.events.openConnections() !== count && Date.now() < end;
  )
    await new Promise((next) => setTimeout(next, 10));
  assert.is(world.services.events.openConnections(), count);
};

test('items that a colleague adds, renames and deletes show by themselves, and keep selection and scroll position', async (office) => {
  const { page, ravisPage, url, ravi, world, asha } = office;
  const files = [];
  for (let n = 10; n < 60; n += 1) files.push(await world.build.file(asha.actor, { name: `scan ${n}.pdf` }));
  await enterDrive(office);
  await signIn(ravisPage, url, ravi);
  await ravisPage.waitForSelector('[data-drive]');
  await waitForConnections(office, 2);
  await clickRow(page, 'scan 12.pdf');
  const scrolled = await page.$eval('[data-scroller]', (list) => (list.scrollTop = 120));

  await press(ravisPage, 'Alt+n');
  await ravisPage.waitForSelector('[role="dialog"] input');
  await ravisPage.keyboard.type('GST returns');
  await ravisPage.keyboard.press('Enter');
  await ravisPage.waitForSelector('[aria-label="GST returns"]');
  await world.services.documents.rename(ravi.actor, files[3]!.id, { name: 'scan 13 signed.pdf' });
  await page.waitForSelector('[aria-label="scan 13 signed.pdf"]');
  await world.services.documents.remove(ravi.actor, [files[5]!.id]);
  await page.waitForSelector('[aria-label="scan 15.pdf"]', { hidden: true });
  await waitForValue(() => selectedNames(page), ['scan 12.pdf']);
  assert.is(await page.$eval('[data-scroller]', (list) => list.scrollTop), scrolled);
});

test('clients, the page of a client, templates and Documents show the changes of a colleague without a reload', async (office) => {
  const { page, url, ravi, world } = office;
  const id = await world.build.client(ravi.actor, 'Sharma Traders');
  await signIn(page, url, ASHA, '/clients');
  await waitForConnections(office);
  await world.build.client(ravi.actor, 'Verma Mills');
  await page.waitForFunction(() => document.body.innerText.includes('Verma Mills'));
  await signIn(page, url, ASHA, `/clients/${id}`);
  await waitForConnections(office);
  await world.build.file(ravi.actor, { name: 'Balance sheet.pdf', client_id: id });
  await page.waitForFunction(() => document.body.innerText.includes('Balance sheet.pdf'));
  await page.locator('button[aria-label="More actions"]').click();
  await clickButton(page, 'Apply folder template');
  await clickButton(page, 'Manage templates');
  await page.waitForSelector('[role="dialog"] li');
  await world.services.templates.create(ravi.actor, { name: 'Audit of Ravi', outline: 'Papers' });
  await page.waitForFunction(() => document.body.innerText.includes('Audit of Ravi'));
  await signIn(page, url, ASHA, '/documents');
  await waitForConnections(office);
  await world.build.file(ravi.actor, { name: 'Audit report.pdf' });
  await page.waitForSelector('[aria-label="Audit report.pdf"]');
});

test('a name that is being typed into a dialog stays while the list behind it changes', async (office) => {
  const { page, ravi, world, asha } = office;
  const file = await world.build.file(asha.actor, { name: 'Form 16.pdf' });
  await enterDrive(office);
  await waitForConnections(office);
  await clickRow(page, 'Form 16.pdf');
  await press(page, 'F2');
  await page.waitForSelector('[role="dialog"] input');
  await page.keyboard.type('Form 16 final');
  await world.build.file(ravi.actor, { name: 'Another.pdf' });
  await page.waitForFunction(() => document.body.textContent?.includes('Another.pdf'));
  const value = await page.$eval('[role="dialog"] input', (input) => (input as HTMLInputElement).value);
  assert.is(value, 'Form 16 final.pdf');
  assert.is(await page.evaluate(() => document.activeElement?.tagName), 'INPUT');
  await page.keyboard.press('Enter');
  await row(page, 'Form 16 final.pdf');
  assert.is((await world.services.documents.item(asha.actor, file.id)).name, 'Form 16 final.pdf');
});

test('the rename dialog says when a colleague has renamed or deleted the item, and can save over a new name', async (office) => {
  const { page, ravi, world, asha } = office;
  const [form, other] = [
    await world.build.file(asha.actor, { name: 'Form 16.pdf' }),
    await world.build.file(asha.actor, { name: 'Other.pdf' }),
  ];
  await enterDrive(office);
  await clickRow(page, 'Form 16.pdf');
  await press(page, 'F2');
  await page.waitForSelector('[role="dialog"] input');
  await page.keyboard.type('Form 16 final');
  await world.services.documents.rename(ravi.actor, form.id, { name: 'Form 16 signed.pdf' });
  await page.keyboard.press('Enter');
  await waitForText(page, 'Renamed to "Form 16 signed.pdf" by Ravi Kumar a moment ago.');
  await page.keyboard.press('Enter');
  await row(page, 'Form 16 final.pdf');

  await waitForConnections(office);
  await clickRow(page, 'Other.pdf');
  await press(page, 'F2');
  await page.waitForSelector('[role="dialog"] input');
  await world.services.documents.remove(ravi.actor, [other.id]);
  await waitForText(page, 'Deleted by Ravi Kumar a moment ago.');
});

test('a note or a value that was changed elsewhere is not overwritten: the details show what is saved now, keep what was typed and can save it all the same', async (office) => {
  const { page, ravi, world, asha } = office;
  const { build, services } = world;
  const file = await build.file(asha.actor, { name: 'Form 16.pdf' });
  const note = await services.notes.add(asha.actor, file.id, { text: 'Asked for page 2' });
  await recognise(world, file.id, FORM_16);
  await enterDrive(office);
  await clickRow(page, 'Form 16.pdf');
  await page.focus('.item-grid');
  await press(page, 'i');
  const save = (name: string) => page.locator(`.details ::-p-aria([name="${name}"][role="button"])`).click();

  await page.locator('.details [aria-label="Edit the note"]').click();
  await replaceText(page, '.details textarea', 'Page 2 comes on Monday');
  await services.notes.edit(asha.actor, note.id, { text: 'Page 2 has come' });
  await save('Save');
  await waitForText(page, 'You changed this note elsewhere a moment ago.');
  await waitForText(page, 'Page 2 has come');
  assert.is(await page.$eval('.details textarea', ({ value }) => value), 'Page 2 comes on Monday');
  await save('Save all the same');
  await page.waitForSelector('.details textarea', { hidden: true });
  assert.is((await services.notes.of(asha.actor, file.id))[0]!.text, 'Page 2 comes on Monday');

  const actions = '.details [aria-label="Actions for Gross salary"]';
  const input = '.details ::-p-aria([name="Gross salary"][role="textbox"])';
  await chooseInDetails(page, actions, 'Correct', input);
  await replaceText(page, input, '13,00,000');
  const correction = { id: 'gross_salary', answer: 'corrected', value: '12,50,000' } as const;
  await services.fields.answer(ravi.actor, file.id, [correction]);
  await save('Save');
  await waitForText(page, 'Changed by Ravi Kumar a moment ago.');
  await waitForText(page, '₹ 12,50,000.00');
  await save('Save all the same');
  await waitForText(page, '₹ 13,00,000.00');
  await waitForText(page, 'Corrected by Asha Rao');
});

test('a note that is being typed stays when the note, or the file that it is about, is deleted or moved meanwhile', async (office) => {
  const { page, ravi, world, asha } = office;
  const { notes, documents } = world.services;
  const file = await world.build.file(asha.actor, { name: 'Form 16.pdf' });
  const note = await notes.add(asha.actor, file.id, { text: 'Asked for page 2' });
  await enterDrive(office);
  await waitForConnections(office);
  await clickRow(page, 'Form 16.pdf');
  await page.focus('.item-grid');
  await press(page, 'i');
  await page.locator('.details [aria-label="Edit the note"]').click();
  await replaceText(page, '.details textarea', 'Page 2 comes on Monday');
  // As many as are shown at first.
  for (const text of ['1', '2', '3', '4', '5'])
    await notes.add(ravi.actor, file.id, { text: `Seen ${text}` });
  await waitForText(page, 'Seen 5');
  assert.is(await page.evaluate(() => document.activeElement?.tagName), 'TEXTAREA');
  await notes.remove(asha.actor, note.id);
  await waitForText(page, 'This note was deleted in the meantime.');
  assert.is(await page.evaluate(() => document.activeElement?.tagName), 'TEXTAREA');
  await page.locator('.details ::-p-aria([name="Save as a new note"][role="button"])').click();
  await page.waitForSelector('.details textarea', { hidden: true });
  const [newest, ...others] = await notes.of(asha.actor, file.id);
  assert.equal([newest?.text, others.length], ['Page 2 comes on Monday', 5]);

  await page.locator('.details ::-p-aria([name="Add a note"][role="button"])').click();
  await replaceText(page, '.details textarea', 'Ask for page 3 too');
  const folder = await documents.createFolder(ravi.actor, {
    name: 'Salary',
    parent_id: null,
    client_id: null,
  });
  await documents.move(ravi.actor, { ids: [file.id], parent_id: folder.id });
  await waitForText(page, 'Your note about “Form 16.pdf” is not saved');
  await page.locator('.details a ::-p-text(Go on writing)').click();
  await page.waitForSelector('.details textarea');
  assert.is(await page.$eval('.details textarea', ({ value }) => value), 'Ask for page 3 too');

  await documents.remove(ravi.actor, [folder.id]);
  await waitForText(page, 'The item was deleted, or you have no access to it any more.');
  assert.is(await page.$eval('.details [data-draft]', (p) => p.textContent), 'Ask for page 3 too');
  await page.waitForSelector('::-p-text(This folder is not here)');
  await page.locator('.details ::-p-aria([name="Discard"][role="button"])').click();
  await page.waitForSelector('.details [data-draft]', { hidden: true });
});

test('a value that is being typed stays when its document is deleted meanwhile', async (office) => {
  const { page, ravi, world, asha } = office;
  const file = await world.build.file(asha.actor, { name: 'Form 16.pdf' });
  await recognise(world, file.id, FORM_16);
  await enterDrive(office);
  await waitForConnections(office);
  await clickRow(page, 'Form 16.pdf');
  await page.focus('.item-grid');
  await press(page, 'i');
  const actions = '.details [aria-label="Actions for Gross salary"]';
  await chooseInDetails(page, actions, 'Correct');
  await replaceText(page, '.details ::-p-aria([name="Gross salary"][role="textbox"])', '13,00,000');
  await world.services.documents.remove(ravi.actor, [file.id]);
  await waitForText(page, '“Gross salary” of “Form 16.pdf” is not saved');
  await waitForText(page, 'The item was deleted, or you have no access to it any more.');
  assert.is(await page.$eval('.details [data-draft]', (p) => p.textContent), '13,00,000');
  await page.locator('.details ::-p-aria([name="Discard"][role="button"])').click();
  await page.waitForSelector('.details [data-draft]', { hidden: true });
});

test('an open folder or preview that a colleague deletes says so, in place of what it showed', async (office) => {
  const { page, ravi, world, asha } = office;
  const folder = await world.services.documents.createFolder(asha.actor, {
    name: 'Salary',
    parent_id: null,
    client_id: null,
  });
  const file = await world.build.file(asha.actor, { name: 'notes.txt', parent_id: folder.id });
  await enterDrive(office, `/dashboard/folder/${folder.id}?preview=${file.id}`);
  await waitForText(page, 'notes.txt');
  await waitForConnections(office);
  await world.services.documents.remove(ravi.actor, [folder.id]);
  await waitForText(page, 'This file is not here');
  await page.keyboard.press('Escape');
  await waitForText(page, 'This folder is not here');
  assert.is(await page.$('[aria-label="notes.txt"]'), null);
  await page.locator('::-p-aria([name="Go to My Drive"][role="button"])').click();
  await page.waitForFunction(() => location.pathname === '/dashboard');
});

test('the address of a file that was moved leads to where it is now, and only if the user sees it', async (office) => {
  const { page, ravi, world, asha } = office;
  const { documents } = world.services;
  const make = (name: string) =>
    documents.createFolder(asha.actor, { name, parent_id: null, client_id: null });
  const [from, to] = [await make('Inbox'), await make('Salary')];
  const file = await world.build.file(asha.actor, { name: 'notes.txt', parent_id: from.id });
  await documents.move(ravi.actor, { ids: [file.id], parent_id: to.id });
  const refused = await refuseRequests(page, /\/details$/);
  await enterDrive(office, `/dashboard/folder/${from.id}?preview=${file.id}`);
  await waitForText(page, 'Failed to load preview.');
  refused.end();
  await clickButton(page, 'Retry');
  await waitForText(page, '“notes.txt” is in Salary now.');
  await page.locator('.preview-layer a ::-p-text(Show it there)').click();
  await page.waitForSelector('[aria-label="Preview of notes.txt"]');
  await page.waitForFunction((id) => location.pathname === `/dashboard/folder/${id}`, {}, to.id);
  await documents.remove(ravi.actor, [file.id]);
  await waitForText(page, 'It was deleted, you have no access to it any more, or the address is wrong.');
});

test('when a colleague loses access to a client, its files leave their open list, and an open preview or page says so', async (office) => {
  const { page, ravisPage, url, ravi, world, asha } = office;
  const { access, documents } = world.services;
  const client_id = await world.build.client(asha.actor, 'Sharma Traders');
  await world.build.file(asha.actor, { name: 'notes.txt', client_id });
  const keptClient = await world.build.client(asha.actor, 'Rao Sons');
  await world.build.file(asha.actor, { name: 'kept.txt', client_id: keptClient });
  const assignClients = (...client_ids: number[]) =>
    access.assign(asha.actor, ravi.actor.userId, { client_scope: 'assigned', client_ids, groups: [] });
  await world.db('users').where('id', ravi.actor.userId).update({ role: 'staff' });
  await assignClients(client_id, keptClient);
  await signIn(ravisPage, url, ravi);
  await row(ravisPage, 'notes.txt');
  await waitForConnections(office);

  await signIn(page, url, ASHA, `/clients/${client_id}`);
  await clickButton(page, 'Choose people');
  await page.locator('[role="dialog"] label ::-p-text(Ravi Kumar)').click();
  await clickButton(page, 'Save');
  await waitForRowGone(ravisPage, 'notes.txt');
  await row(ravisPage, 'kept.txt');
  await ravisPage.waitForFunction(() => !document.body.innerText.includes('Sharma'));

  const { items } = await documents.folder(asha.actor, null);
  const keptFile = items.find(({ name }) => name === 'kept.txt')!;
  await load(ravisPage, `${url}/dashboard?preview=${keptFile.id}`);
  await waitForText(ravisPage, 'kept.txt');
  await waitForConnections(office, 2);
  await assignClients();
  await waitForText(ravisPage, 'This file is not here');

  await assignClients(keptClient);
  await load(ravisPage, `${url}/clients/${keptClient}`);
  await waitForConnections(office, 2);
  await assignClients();
  await waitForText(ravisPage, 'This client is not here');
  await ravisPage.waitForFunction(() => !(document.title + document.body.innerText).includes('Rao Sons'));
});

test('a move that takes access away from a colleague names them first, and needs a confirmation', async (office) => {
  const { page, ravi, world, asha } = office;
  const [sharma, rao] = [
    await world.build.client(asha.actor, 'Sharma Traders'),
    await world.build.client(asha.actor, 'Rao Sons'),
  ];
  await world.services.access.assign(asha.actor, ravi.actor.userId, {
    client_scope: 'assigned',
    client_ids: [sharma],
    groups: [],
  });
  const name = 'Rao';
  await world.services.documents.createFolder(asha.actor, { name, parent_id: null, client_id: rao });
  const top = { name: 'Sharma', parent_id: null, client_id: sharma };
  const from = await world.services.documents.createFolder(asha.actor, top);
  const file = await world.build.file(asha.actor, { name: 'deed.txt', parent_id: from.id });
  await enterDrive(office, `/dashboard/folder/${from.id}`);
  await clickRow(page, 'deed.txt');
  await clickButton(page, 'Move to');
  await page.locator('::-p-aria([name="Folder above"][role="button"])').click();
  await page.locator('[role="dialog"] li button[title="Rao"]').click();
  await clickButton(page, 'Move to Rao');
  await waitForText(page, 'Ravi Kumar will lose access');
  await page.locator('[role="alertdialog"] ::-p-text(Cancel)').click();
  await page.waitForSelector('[role="alertdialog"]', { hidden: true });
  assert.is((await world.services.documents.item(ravi.actor, file.id)).parent_id, from.id);
  await clickButton(page, 'Move to Rao');
  await clickButton(page, 'Move anyway');
  await waitForRowGone(page, 'deed.txt');
});

test('tabs of one browser share one event connection, and another tab takes over when that tab is closed', async (office) => {
  const { page, ravi, world } = office;
  await enterDrive(office);
  await waitForConnections(office);
  const second = await openTab(page.browserContext());
  await load(second, `${office.url}/documents`);
  await world.build.file(ravi.actor, { name: 'One.pdf' });
  await Promise.all([row(page, 'One.pdf'), row(second, 'One.pdf')]);
  await waitForConnections(office);
  await page.goto('about:blank');
  await world.build.file(ravi.actor, { name: 'Two.pdf' });
  await row(second, 'Two.pdf');
  await second.close();
});

test('changes made while the network was away show once it is back', async (office) => {
  const { page, ravi, world } = office;
  await enterDrive(office);
  await waitForConnections(office);
  await page.setOfflineMode(true);
  await world.build.file(ravi.actor, { name: 'Meanwhile.pdf' });
  await page.setOfflineMode(false);
  await row(page, 'Meanwhile.pdf');
});

test.run();
