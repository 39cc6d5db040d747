import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ElementHandle, HTTPRequest, Page } from 'puppeteer';
import * as assert from 'uvu/assert';
import { load, openPage, signIn } from '#server/testing/browser.ts';
import { pdf, sender } from '#server/requests/testing/office.ts';
import { StoreFull } from '#storage/blobs.ts';
import { askClient } from './asked.ts';
import { violations } from './axe.ts';
import { clickButton, press } from './drive.ts';
import { holdRequests } from './held-requests.ts';
import type { Office } from './office.ts';
import {
  ASHA,
  waitForValue,
  focusedControl,
  officeSuite,
  submitWith,
  textOf,
  waitForText,
} from './office.ts';
import { keptRecords, plainPhoto } from './on-phone.ts';

const test = officeSuite('asking clients for documents');

/** Picks a client by the first letters of the name. */
async function pickClient(page: Page, letters: string): Promise<void> {
  await page.locator('[role=dialog] input[role=combobox]').fill(letters);
  await page.locator(`[role=option] ::-p-text(${letters})`).click();
  // The list would cover the fields below.
  await page.waitForSelector('[role=option]', { hidden: true });
}

test('a missing title of a request is reported under its field, which gets the focus, until it is typed', async (office) => {
  const { page, world, asha, url } = office;
  await world.build.client(asha.actor, 'Meera Iyer');
  await signIn(page, url, ASHA, '/requests');
  await page.locator('button ::-p-text(Ask for documents)').click();
  await pickClient(page, 'Meera');
  await page.locator('[role=dialog] textarea[name=rows]').fill('Form 16');
  await page.locator('[role=dialog] button[type=submit]').click();
  await waitForText(page, 'Give the request a name');
  await waitForValue(
    () => focusedControl(page),
    'title',
    'the field is below the visible part of the dialog',
  );
  const hasError = () =>
    page.$eval('[name=title]', (field) =>
      (field.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .some((id) => document.getElementById(id)?.textContent?.includes('Give the request a name')),
    );
  assert.ok(await hasError());
  await page.keyboard.type('I');
  assert.not(await hasError());
  await press(page, 'Escape');
  await waitForText(page, 'Discard your changes?');
  await clickButton(page, 'Keep editing');
  const rows = await page.$eval('[role=dialog] textarea[name=rows]', ({ value }) => value);
  assert.is(rows, 'Form 16');
});

test('a request from a template goes to two clients, and of the documents that arrive one is accepted and one sent back', async (office) => {
  const { page, browser, world, asha, url } = office;
  const { services, build } = world;
  for (const name of ['Meera Iyer', 'Anil Rao'])
    await build.client(asha.actor, name, { email: `${name.split(' ')[0]}@example.in`.toLowerCase() });
  await signIn(page, url, ASHA, '/requests');
  await page.locator('button ::-p-text(Ask for documents)').click();
  await pickClient(page, 'Meera');
  await pickClient(page, 'Anil');
  await page.locator('[role=dialog] button ::-p-text(Start from an empty list)').click();
  await page.locator('[role=option] ::-p-text(ITR, salaried)').click();
  await page.waitForFunction(() =>
    (document.querySelector('[role=dialog] textarea') as HTMLTextAreaElement).value.includes('Form 16'),
  );
  assert.equal(await violations(page), []);
  await page.focus('[role=dialog] textarea');
  await press(page, 'Control+a');
  await page.keyboard.type('Form 16\nBank statement');
  await page.locator('[role=dialog] button ::-p-text(Send 2 requests)').click();
  await waitForText(page, '2 requests sent');
  await waitForText(page, 'Anil Rao');

  const requests = await services.requests.office.list(asha.actor, {});
  const { id } = requests.find(({ client }) => client.name === 'Meera Iyer')!;
  const link = await services.requests.office.link(asha.actor, id);
  const { rows } = await services.requests.office.view(asha.actor, id);
  const meera = sender(world, url, link.url);
  await meera.files(rows[0]!.id, [['form16.pdf', pdf()]]);
  await meera.files(rows[1]!.id, [['april.pdf', pdf('April')]]);

  // As a server without e-mail renders it.
  await page.evaluate(() => (document.body.dataset['sendsEmail'] = 'false'));
  await page.locator(`li[data-id="${id}"] button`).click();
  await waitForText(page, 'E-mail is not set up on this server');
  await page.waitForSelector('[role=dialog] button[disabled] ::-p-text(Remind now)');
  await page.locator('[aria-label="Accept Form 16"]').click();
  await waitForText(page, 'Accepted');
  await page.locator('[aria-label="Send back Bank statement"]').click();
  await page.locator('[role=dialog] form input').fill('Page 2 is missing');
  await page.locator('[role=dialog] form button[type=submit]').click();
  await waitForText(page, 'Reason: Page 2 is missing');

  const phone = await openPage(browser, { width: 390, height: 844 });
  await phone.setJavaScriptEnabled(false);
  await phone.goto(url + new URL(link.url).pathname);
  await waitForText(phone, 'Page 2 is missing');
  await phone.close();
});

test('the list of requests names a missing e-mail address only where the server sends e-mails', async (office) => {
  const { page, url, world, asha } = office;
  const { system } = world.services;
  await askClient(office, ['Form 16'], await world.build.client(asha.actor, 'Meera Iyer'));
  await signIn(page, url, ASHA, '/requests');
  await waitForText(page, 'No e-mail address');
  Object.defineProperty(system, 'sendsEmail', { value: false });
  await load(page, `${url}/requests`);
  await waitForText(page, 'ITR papers');
  assert.not.match(await textOf(page, 'main'), 'No e-mail address');
});

/** Asks a client for documents. @returns the request, its rows, and the address of the client's page. */
async function askMeera(office: Office, names: string[]) {
  const { world, asha, url } = office;
  const { office: requests } = world.services.requests;
  const { id } = await askClient(office, names);
  const link = await requests.link(asha.actor, id);
  const { rows } = await requests.view(asha.actor, id);
  return { requests, id, rows, pageUrl: url + new URL(link.url).pathname };
}

test('a document whose photos are not one PDF yet is shown as received to the client, who would send them again, and to the office', async (office) => {
  const { world, url, browser, page } = office;
  const { id, pageUrl, rows } = await askMeera(office, ['Form 16']);
  const sent = await sender(world, url, pageUrl).upload(rows[0]!.id, 'IMG_1.jpg', await plainPhoto(), {
    batch: 'batch-one',
    position: '1',
  });
  assert.is(sent.status, 200);
  const phone = await openPage(browser, { width: 390, height: 844 });
  await phone.goto(pageUrl);
  assert.is(await textOf(phone, '[data-state]'), 'Received');
  await waitForText(phone, 'Your photos are being put together as PDF.');
  await waitForText(phone, '1 of 1 sent');
  assert.equal(await violations(phone), []);

  await signIn(page, url, ASHA, '/requests');
  await page.locator(`li[data-id="${id}"] button`).click();
  await waitForText(page, 'Received, being prepared');
  assert.not.match(await textOf(page, '[role=dialog]'), 'Needed');
});

test('a client who finishes with open documents must confirm it, reasons typed and photos chosen so far are sent, and the receipt is shown at the top', async (office) => {
  const { browser, asha } = office;
  const { requests, id, pageUrl, rows } = await askMeera(office, [
    'Form 16',
    'PAN',
    'Bank statement',
    'Cancelled cheque',
  ]);
  const phone = await openPage(browser, { width: 390, height: 844 });
  await phone.goto(pageUrl);
  const chooser = await phone.waitForSelector(`#row-${rows[0]!.id} [data-files]`);
  const folder = await mkdtemp(join(tmpdir(), 'almirah-asked-'));
  await writeFile(join(folder, 'form16.pdf'), pdf());
  await (chooser as ElementHandle<HTMLInputElement>).uploadFile(join(folder, 'form16.pdf'));
  await waitForText(phone, '1 of 4 sent');
  await phone.locator(`#row-${rows[1]!.id} summary`).click();
  await phone.locator(`#row-${rows[1]!.id} textarea`).fill('Lost it');
  await writeFile(join(folder, 'cheque.jpg'), await plainPhoto());
  const photos = await phone.waitForSelector(`#row-${rows[3]!.id} [data-files]`);
  await (photos as ElementHandle<HTMLInputElement>).uploadFile(join(folder, 'cheque.jpg'));
  const sendPhotos = `#row-${rows[3]!.id} [data-send]:not([hidden])`;
  await phone.waitForSelector(sendPhotos);
  const refuse = (request: HTTPRequest) =>
    void (request.url().endsWith('/uploads')
      ? request.respond({ status: 400, body: '{}' })
      : request.continue());
  phone.on('request', refuse);
  await phone.setRequestInterception(true);
  await phone.locator(sendPhotos).click();
  await phone.waitForSelector(`#row-${rows[3]!.id} [data-retry]`);
  phone.off('request', refuse);
  await phone.setRequestInterception(false);
  phone.expected.push(/400/);
  await writeFile(join(folder, 'back.jpg'), await plainPhoto(50));
  const more = await phone.waitForSelector(`#row-${rows[3]!.id} [data-files]`);
  await (more as ElementHandle<HTMLInputElement>).uploadFile(join(folder, 'back.jpg'));
  await phone.waitForSelector(sendPhotos);
  await phone.locator('[data-done] button').click();
  await waitForText(phone, '1 document is still open. Finish anyway?');
  assert.is(await textOf(phone, 'dialog[open] ul'), 'Bank statement');
  await phone.locator('dialog[open] button ::-p-text(Yes, finish)').click();
  await waitForText(phone, 'Thank you. Your receipt is below.');
  const above = await phone.$eval('h1', (title) => title.previousElementSibling?.textContent ?? '');
  assert.match(above, 'Receipt no.');
  const receipts = async () => (await textOf(phone, 'main')).match(/Receipt no\./g)?.length;
  assert.is(await receipts(), 1);
  const another = await phone.waitForSelector(`#row-${rows[0]!.id} [data-files]`);
  await writeFile(join(folder, 'more.pdf'), pdf('more'));
  await (another as ElementHandle<HTMLInputElement>).uploadFile(join(folder, 'more.pdf'));
  await waitForText(phone, 'more.pdf');
  assert.is(await receipts(), 1, 'also after more was sent');
  const view = await requests.view(asha.actor, id);
  assert.is(view.rows[1]!.reason, 'Lost it');
  assert.is(
    view.rows[3]!.files.length,
    2,
    'the failed photo and the chosen one were sent before the page was left',
  );
  assert.ok(view.done);
  await phone.waitForSelector('[aria-label="Take back more.pdf"]');
  await requests.judge(asha.actor, id, rows[0]!.id, { state: 'returned', reason: 'Not legible' });
  await phone.reload();
  await waitForText(phone, 'The office has sent 1 document back. Please see why below, and send it again.');
  assert.not.match(await textOf(phone, 'main'), 'Thank you');
  assert.is(await receipts(), 1);
  await phone.close();
  await rm(folder, { recursive: true });
});

test('a file arrives beside photos that are only chosen: its document lists it and keeps the photos, which are named as not sent', async (office) => {
  const { browser, asha } = office;
  const { requests, id, pageUrl, rows } = await askMeera(office, ['Form 16']);
  const phone = await openPage(browser, { width: 390, height: 844 });
  const folder = await mkdtemp(join(tmpdir(), 'almirah-mixed-'));
  const [paper, photo] = ['form16.pdf', 'page2.jpg'].map((name) => join(folder, name)) as [string, string];
  await writeFile(paper, pdf());
  await writeFile(photo, await plainPhoto());
  try {
    await phone.goto(pageUrl);
    const row = `#row-${rows[0]!.id}`;
    const chooser = await phone.waitForSelector(`${row} [data-files]`);
    await (chooser as ElementHandle<HTMLInputElement>).uploadFile(paper, photo);
    await waitForText(phone, '1 of 1 sent');
    await phone.waitForSelector(`${row} ::-p-text(form16.pdf)`);
    assert.is(await textOf(phone, '[data-state]'), 'Received');
    assert.is(await phone.$(`${row} textarea`), null, 'who has sent it is not asked whether it is missing');
    await waitForText(phone, 'Not sent yet');
    assert.equal(await violations(phone), []);
    await phone.locator(`${row} [data-send]`).click();
    await waitForText(phone, '1 photo');
    await phone.waitForSelector(`${row} [data-unsent][hidden]`);
    assert.is((await requests.view(asha.actor, id)).rows[0]!.files.length, 2);
  } finally {
    await phone.close();
    await rm(folder, { recursive: true });
  }
});

test('photos that are chosen on a phone and not sent are still there after the page was left, since the phone may keep them nowhere else', async (office) => {
  const { browser, asha } = office;
  const { requests, id, pageUrl, rows } = await askMeera(office, ['Form 16', 'PAN']);
  const phone = await openPage(browser, { width: 390, height: 844 });
  await phone.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true });
  const folder = await mkdtemp(join(tmpdir(), 'almirah-kept-'));
  const card = `#row-${rows[1]!.id}`;
  const thumbnails = () => phone.$$eval(`${card} [data-strip] img`, (all) => all.map(({ alt }) => alt));
  try {
    await phone.goto(pageUrl);
    for (const name of ['front.jpg', 'back.jpg', 'blurred.jpg']) {
      await writeFile(join(folder, name), await plainPhoto(40 + name.length));
      const chooser = await phone.waitForSelector(`${card} [data-files]`);
      await (chooser as ElementHandle<HTMLInputElement>).uploadFile(join(folder, name));
    }
    await waitForValue(thumbnails, ['front.jpg', 'back.jpg', 'blurred.jpg']);
    await waitForValue(() => keptRecords(phone), 4);
    await phone.locator(`${card} [aria-label="Remove photo 3"]`).click();
    // The photo is forgotten a moment after it has gone from the page.
    await waitForValue(() => keptRecords(phone), 3);
    await rm(folder, { recursive: true });
    let questions = 0;
    phone.on('dialog', (question) => {
      questions += 1;
      void question.accept();
    });
    await phone.reload();
    await waitForValue(thumbnails, ['front.jpg', 'back.jpg']);
    await waitForText(phone, 'Not sent yet');
    const asked = questions;
    for (const language of ['hi', 'en']) {
      await Promise.all([phone.waitForNavigation(), phone.click(`a[hreflang=${language}]`)]);
      await waitForValue(thumbnails, ['front.jpg', 'back.jpg']);
    }
    assert.is(questions, asked, 'the page does not ask before it changes its language');
    await phone.locator(`${card} [data-send]`).click();
    await phone.waitForSelector(`${card} ::-p-text(2 photos)`);
    assert.is((await requests.view(asha.actor, id)).rows[1]!.files.length, 1, 'as one PDF');
    await waitForValue(() => keptRecords(phone), 0);
    await phone.reload();
    await phone.waitForSelector(`${card} [data-strip][hidden]`);
    assert.equal(await thumbnails(), [], 'what was sent is not kept');
  } finally {
    await phone.close();
    await rm(folder, { recursive: true, force: true });
  }
});

test('a client takes back a file by keys and another one without script, and is told when the office works with one already', async (office) => {
  const { browser, world, asha, url } = office;
  const { requests, id, pageUrl, rows } = await askMeera(office, ['Bank statement']);
  const { url: link } = await requests.link(asha.actor, id);
  await sender(world, url, link).files(
    rows[0]!.id,
    ['April.pdf', 'May.pdf', 'June.pdf'].map((name) => [name, pdf(name)]),
  );
  const phone = await openPage(browser, { width: 390, height: 844 });
  await load(phone, pageUrl);
  const names = async () => (await requests.view(asha.actor, id)).rows[0]!.files.map(({ name }) => name);
  const place = () =>
    phone.$eval('[aria-label="Take back April.pdf"]', (link) => JSON.stringify(link.getBoundingClientRect()));
  await phone.focus('[aria-label="Take back April.pdf"]');
  const before = await place();
  await press(phone, 'Enter');
  await phone.waitForSelector('details[open]');
  assert.is(await place(), before, 'the link stays where it is');
  await press(phone, 'Tab');
  assert.equal(await violations(phone), []);
  await press(phone, 'Enter');
  await waitForText(phone, 'The file was taken back.');
  assert.equal(await names(), ['May.pdf', 'June.pdf']);
  // The script takes the message out of the address.
  await waitForValue(() => new URL(phone.url()).search, '');
  await load(phone, phone.url());
  assert.is(await phone.$('[role=alert]'), null, 'told once');

  await phone.setJavaScriptEnabled(false);
  await load(phone, pageUrl);
  const takeBack = async (name: string) => {
    await phone.click(`[aria-label="Take back ${name}"]`);
    await submitWith(phone, 'details[open] button[type=submit]');
  };
  await takeBack('May.pdf');
  await waitForText(phone, 'The file was taken back.');
  const [june] = (await requests.view(asha.actor, id)).rows[0]!.files;
  await world.services.documents.noteOpened(asha.actor, june!.item_id!);
  await takeBack('June.pdf');
  await waitForText(phone, 'The office works with this file already.');
  assert.equal(await names(), ['June.pdf']);
  assert.is(await phone.$('[aria-label="Take back June.pdf"]'), null);
  const { put } = world.blobs;
  world.blobs.put = () => Promise.reject(new StoreFull());
  const chosen = (await phone.$('input[type=file]')) as ElementHandle<HTMLInputElement>;
  await chosen.uploadFile('package.json');
  await submitWith(phone, '#foot button[type=submit]');
  await waitForText(phone, 'what you have just sent may not have arrived');
  world.blobs.put = put;
  await phone.close();
});

test('a client goes on typing a reason while a file arrives, and learns of a file that has changed since it was chosen', async (office) => {
  const { browser } = office;
  const { pageUrl, rows } = await askMeera(office, ['Form 16', 'PAN']);
  const [first, second] = rows.map(({ id }) => `#row-${id}`);
  const folder = await mkdtemp(join(tmpdir(), 'almirah-typing-'));
  const path = join(folder, 'form16.pdf');
  await writeFile(path, pdf());
  const phone = await openPage(browser, { width: 390, height: 844 });
  const choose = async (page = phone) =>
    ((await page.waitForSelector(`${first} [data-files]`)) as ElementHandle<HTMLInputElement>).uploadFile(
      path,
    );
  try {
    await phone.goto(pageUrl);
    const { held, release } = await holdRequests(phone, '/uploads');
    await choose();
    await waitForValue(() => held.length, 1);
    await phone.locator(`${second} summary`).click();
    await phone.type(`${second} textarea`, 'Lo');
    await release();
    await waitForText(phone, '1 of 2 sent');
    await phone.keyboard.type('st it');
    assert.is(
      await phone.$eval(`${second} textarea`, (field) => (field as HTMLTextAreaElement).value),
      'Lost it',
    );

    const other = await openPage(browser, { width: 390, height: 844 });
    await other.goto(pageUrl);
    const again = await holdRequests(other, '/uploads');
    await choose(other);
    await waitForValue(() => again.held.length, 1);
    await writeFile(path, pdf('Another'));
    await again.release();
    await waitForText(other, 'This file was changed, moved or deleted since you chose it.');
    await other.close();
  } finally {
    await phone.close();
    await rm(folder, { recursive: true });
  }
});

test.run();
