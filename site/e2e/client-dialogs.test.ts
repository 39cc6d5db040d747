import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ElementHandle } from 'puppeteer';
import * as assert from 'uvu/assert';
import { signIn } from '#server/testing/browser.ts';
import { enterDrive, goTo, clickRow, press, row, clickButton } from './drive.ts';
import {
  ASHA,
  waitForValue,
  focusedControl,
  officeSuite,
  pathOf,
  replaceText,
  waitForText,
} from './office.ts';

const test = officeSuite('dialogs about clients');

test('with errors in two fields the focus stays in the one that is being corrected', async (office) => {
  const { page } = office;
  await signIn(page, office.url, ASHA, '/clients');
  await page.keyboard.down('Alt');
  await page.keyboard.press('n');
  await page.keyboard.up('Alt');
  await page.waitForSelector('[role=dialog] [name=name]');
  await page.type('[role=dialog] [name=name]', 'Patel & Co');
  await page.type('[role=dialog] [name=email]', 'nobody');
  await page.type('[role=dialog] [name=phone]', '12');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[role=dialog] [name=email][aria-invalid=true]');
  await page.waitForSelector('[role=dialog] [name=phone][aria-invalid=true]');
  await page.focus('[role=dialog] [name=phone]');
  await page.keyboard.type('3456');
  await waitForValue(() => focusedControl(page), 'phone');
  const typed = await page.$eval('[role=dialog] [name=phone]', (input) => (input as HTMLInputElement).value);
  assert.match(typed, /3456$/);
  const email = await page.$eval('[role=dialog] [name=email]', (input) => (input as HTMLInputElement).value);
  assert.is(email, 'nobody');
});

test('Esc asks before it discards a changed form, and closes an unchanged one at once', async (office) => {
  const { page, world, asha } = office;
  await world.build.client(asha.actor, 'Meera Iyer', { city: 'Chennai' });
  await signIn(page, office.url, ASHA, '/clients');
  const open = async () => {
    await press(page, 'Alt+n');
    await page.waitForSelector('[role=dialog] [name=name]:focus');
  };
  const waitForClose = () => page.waitForSelector('[role=dialog]', { hidden: true });
  await open();
  await page.keyboard.press('Escape');
  await waitForClose();
  await open();
  await page.keyboard.type('Patel & Co');
  await page.keyboard.press('Escape');
  await page.waitForSelector('[role=alertdialog] ::-p-text(Discard this client?)');
  await page.waitForFunction(() => document.activeElement?.textContent === 'Keep editing');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[role=alertdialog]', { hidden: true });
  const typed = await page.$eval('[role=dialog] [name=name]', (input) => (input as HTMLInputElement).value);
  assert.is(typed, 'Patel & Co', 'the text that was typed is still there');
  await page.keyboard.press('Escape');
  await clickButton(page, 'Discard');
  await waitForClose();

  await page.locator('[aria-label="Actions for Meera Iyer"]').click();
  await clickButton(page, 'Edit');
  await replaceText(page, '[role=dialog] [name=city]', 'Pune');
  await page.keyboard.press('Escape');
  await page.waitForSelector('[role=alertdialog] ::-p-text(Discard your changes?)');
  await clickButton(page, 'Discard');
  await waitForClose();
  const { data } = await world.services.clients.list(asha.actor);
  assert.equal(
    data.map(({ name, city }) => [name, city]),
    [['Meera Iyer', 'Chennai']],
  );
});

test('a PAN that another client has already is reported during typing, and must be confirmed by saving a second time', async (office) => {
  const { page, world, asha } = office;
  await world.build.client(asha.actor, 'Kulkarni Textiles', { pan: 'AAAPZ0000A' });
  await signIn(page, office.url, ASHA, '/clients');
  await press(page, 'Alt+n');
  await page.locator('[role=dialog] [name=name]').fill('Kulkarni');
  await page.locator('[role=dialog] [name=pan]').fill('AAAPZ0000A');
  await waitForText(page, 'Kulkarni Textiles has this PAN already');
  await page.locator('[role=dialog] button[type=submit]').click();
  await waitForText(page, 'again to save anyway');
  assert.is((await world.services.clients.list(asha.actor)).data.length, 1);
  await page.locator('[role=dialog] button[type=submit]').click();
  await page.waitForSelector('[role=dialog]', { hidden: true });
  assert.is((await world.services.clients.list(asha.actor)).data.length, 2);
});

test('the client search lists matches of names before matches of e-mail addresses, and links the file to the client that was chosen', async (office) => {
  const { page, world, asha } = office;
  const { build, services } = world;
  await build.client(asha.actor, 'Agarwal Steel Works', { email: 'meera@agarwal.example.in' });
  const meera = await build.client(asha.actor, 'Meera Iyer');
  const stores = await build.client(asha.actor, 'Meera Stores');
  for (const name of ['a.pdf', 'b.pdf']) await build.file(asha.actor, { name });
  await enterDrive(office);
  const linkTo = async (file: string, ...keys: string[]) => {
    await row(page, file);
    await clickRow(page, file, 'right');
    await clickButton(page, 'Change client...');
    await page.waitForSelector('[role=dialog] input:focus');
    await page.keyboard.type('meera');
    await page.waitForFunction(
      (wanted) => {
        const names = Array.from(
          document.querySelectorAll('[role=option]'),
          ({ textContent }) => textContent ?? '',
        );
        return (
          wanted.length === names.length && wanted.every((name, index) => names[index]!.startsWith(name))
        );
      },
      {},
      ['Meera Iyer', 'Meera Stores', 'Agarwal Steel Works'],
    );
    for (const key of keys) await press(page, key);
    await page.waitForSelector('[role=listbox]', { hidden: true });
    await clickButton(page, 'Save');
    await page.waitForSelector('[role=dialog]', { hidden: true });
  };
  const filesOf = async (client_id: number) =>
    (await services.documents.files(asha.actor, { client_id })).items.map(({ name }) => name);
  await linkTo('a.pdf', 'Enter');
  await waitForValue(() => filesOf(meera), ['a.pdf'], 'the first option is the client with that name');
  await linkTo('b.pdf', 'ArrowDown', 'Enter');
  assert.equal([await filesOf(meera), await filesOf(stores)], [['a.pdf'], ['b.pdf']]);
});

test('a client chosen with Enter closes the list, so that it covers no button and the next Enter saves', async (office) => {
  const { page, world, asha } = office;
  const { build, services } = world;
  await build.client(asha.actor, 'Anil Kumar');
  const anil = await build.client(asha.actor, 'Anil Desai');
  const former = await build.client(asha.actor, 'Anil Deshmukh');
  await build.file(asha.actor, { name: 'a.pdf', client_id: former });
  await enterDrive(office);
  await row(page, 'a.pdf');
  await clickRow(page, 'a.pdf', 'right');
  await clickButton(page, 'Change client...');
  await page.waitForSelector('[role=dialog] input:focus');
  await page.keyboard.type('Anil Desa');
  await press(page, 'Enter');
  await page.waitForFunction(
    () => (document.activeElement as HTMLInputElement | null)?.value === 'Anil Desai',
  );
  await press(page, 'Enter');
  await page.waitForSelector('[role=dialog]', { hidden: true });
  const { items } = await services.documents.files(asha.actor, { client_id: anil });
  assert.equal(
    items.map(({ name }) => name),
    ['a.pdf'],
  );

  await signIn(page, office.url, ASHA, '/documents');
  await page.type('[aria-label=Filters] input[role=combobox]', 'anil desa');
  await press(page, 'Enter');
  await page.waitForFunction(() => location.search.includes('Anil+Desai'));
  await page.waitForSelector('[role=listbox]', { hidden: true });
  // It also stays closed when the filtered rows arrive.
  await row(page, 'a.pdf');
  assert.is(await page.$('[role=listbox]'), null);
});

test('Back and a reload ask before the typed name of a new client is lost, as Esc does', async (office) => {
  const { page } = office;
  await signIn(page, office.url, ASHA, '/dashboard');
  await goTo(page, '/clients');
  await press(page, 'Alt+n');
  await page.waitForSelector('[role=dialog] [name=name]:focus');
  const asksBeforeReload = () =>
    page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));
  assert.is(await asksBeforeReload(), false);
  await page.keyboard.type('Patel & Co');
  await waitForValue(asksBeforeReload, true);
  await page.evaluate(() => history.back());
  await clickButton(page, 'Keep editing');
  await page.waitForSelector('[role=alertdialog]', { hidden: true });
  assert.is(pathOf(page), '/clients');
  const typed = () => page.$eval('[role=dialog] [name=name]', (field) => (field as HTMLInputElement).value);
  assert.is(await typed(), 'Patel & Co');
  await page.evaluate(() => history.back());
  await clickButton(page, 'Discard');
  await waitForValue(() => pathOf(page), '/dashboard');
  await page.waitForSelector('[data-drive]');
  assert.is(await asksBeforeReload(), false);
  await page.evaluate(() => history.forward());
  await waitForValue(() => pathOf(page), '/clients', 'nothing is held any more');
});

test('an import whose session has ended asks to sign in again, and keeps the file that was chosen', async (office) => {
  const { page, world, asha } = office;
  const folder = await mkdtemp(join(tmpdir(), 'clients-'));
  await writeFile(join(folder, 'clients.csv'), 'Name,City\nNew One,Pune\n');
  await signIn(page, office.url, ASHA, '/clients');
  await page.locator('main ::-p-text(Import)').click();
  const input = await page.waitForSelector('[role=dialog] input[type=file]');
  await (input as ElementHandle<HTMLInputElement>).uploadFile(join(folder, 'clients.csv'));
  await page.waitForSelector('[role=dialog] ::-p-text(Import 1 client)');
  await world.db('sessions').delete();
  await clickButton(page, 'Import 1 client');
  await page.locator('[role=dialog] input[type=password]').fill(ASHA.password);
  await page.keyboard.press('Enter');
  await page.waitForSelector('[role=dialog] input[type=password]', { hidden: true });
  await clickButton(page, 'Import 1 client');
  await waitForText(page, '1 added');
  assert.is((await world.services.clients.list(asha.actor, { search: 'new one' })).data[0]?.city, 'Pune');
  await rm(folder, { recursive: true });
});

test.run();
