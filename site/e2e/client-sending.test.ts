import type { Page } from 'puppeteer';
import * as assert from 'uvu/assert';
import { load } from '#server/testing/browser.ts';
import { violations } from './axe.ts';
import { clickButton } from './drive.ts';
import { holdRequests } from './held-requests.ts';
import { officeSuite, submitWith, textOf, waitForText, waitForValue } from './office.ts';
import { keptRecords, onPhone } from './on-phone.ts';

const test = officeSuite('sending from the page of a request');

test('without script all files arrive that are chosen when any Send, or the button that finishes, is pressed, and the page names what arrived', (office) =>
  onPhone(
    office,
    ['Form 16', 'PAN', 'Rent agreement'],
    async ({ phone, id, rows, choose }) => {
      const { world, asha } = office;
      const received = async () =>
        (await world.services.requests.office.view(asha.actor, id)).rows.map(({ files }) =>
          files.map(({ name }) => name).join(),
        );
      const submit = (selector: string) => submitWith(phone, selector);
      await choose(`#row-${rows[0]} [type=file]`, 'a.pdf');
      // More than are named.
      await choose(`#row-${rows[1]} [type=file]`, ...Array<string>(7).fill('setup.pdf'));
      await choose(`#row-${rows[2]} [type=file]`, 'c.pdf');
      await submit(`#row-${rows[2]} [data-plain] button`);
      await waitForText(phone, 'Your files have arrived: Form 16 and Rent agreement.');
      await waitForText(phone, 'setup.pdf: This file is not what its name says');
      await waitForText(phone, '2 more files were not taken. Below is what has arrived.');
      const told = phone.url();
      assert.equal(await received(), ['a.pdf', '', 'c.pdf']);

      await choose(`#row-${rows[1]} [type=file]`, 'b.pdf');
      await submit('[data-done] button');
      await waitForText(phone, '3 files received');
      assert.equal(await received(), ['a.pdf', 'b.pdf', 'c.pdf']);

      // The form may have been sent before the script was loaded, which then takes the messages out of the address.
      await phone.setJavaScriptEnabled(true);
      await load(phone, told);
      await waitForValue(() => new URL(phone.url()).search, '');
    },
    { script: false },
  ));

test('without script a file is taken back, and a reason told, without the loss of files that are chosen and not sent', (office) =>
  onPhone(
    office,
    ['Form 16', 'PAN', 'Rent agreement'],
    async ({ phone, id, rows, choose }) => {
      const { world, asha } = office;
      const seen = async () =>
        (await world.services.requests.office.view(asha.actor, id)).rows.map(
          ({ files, reason }) => reason ?? files.map(({ name }) => name).join(),
        );
      const submit = (selector: string) => submitWith(phone, selector);
      await choose(`#row-${rows[0]} [type=file]`, 'a.pdf');
      await phone.click(`#row-${rows[1]} summary`);
      await phone.type(`#row-${rows[1]} textarea`, 'We own the flat');
      await submit(`#row-${rows[1]} details button`);
      assert.equal(await seen(), ['a.pdf', 'We own the flat', '']);

      await choose(`#row-${rows[2]} [type=file]`, 'c.pdf');
      await submit(`#row-${rows[0]} details button`);
      await waitForText(phone, 'The file was taken back.');
      assert.equal(await seen(), ['', 'We own the flat', 'c.pdf']);
      await submit(`#row-${rows[1]} [formaction$="/available"]`);
      assert.equal(await seen(), ['', '', 'c.pdf']);

      const accepted = { state: 'accepted', reason: '' } as const;
      await world.services.requests.office.judge(asha.actor, id, rows[1]!, accepted);
      await submit(`#row-${rows[1]} details button`);
      await waitForText(phone, 'PAN: The office has accepted this document');

      await world.services.requests.office.close(asha.actor, id, true);
      await phone.click(`#row-${rows[0]} summary`);
      await phone.type(`#row-${rows[0]} textarea`, 'Lost');
      await submit(`#row-${rows[0]} details button`);
      await waitForText(phone, 'What you have just sent was not taken, since this request is closed.');
    },
    { script: false },
  ));

test('what cannot be sent since the office has closed the request stays, the page says so, it is sent once the request is open again, and files that the page was left before are named to be chosen again', (office) =>
  onPhone(office, ['Form 16'], async ({ phone, id, rows, choose }) => {
    const { world, asha } = office;
    const { office: requests } = world.services.requests;
    await requests.close(asha.actor, id, true);
    const received = async () => (await requests.view(asha.actor, id)).rows[0]!.files.length;
    const files = `#row-${rows[0]} [data-scripted]:not([hidden]) [data-files]`;
    await choose(files, 'a.pdf', 'b.pdf');
    await waitForText(phone, 'a.pdf: This link does not work any more');
    await waitForText(phone, 'b.pdf: This link does not work any more');
    await requests.close(asha.actor, id, false);
    await phone.locator('[data-missing="a.pdf"] [data-retry]').click();
    await waitForValue(received, 1);

    const { held } = await holdRequests(phone, '/uploads');
    await choose(files, 'c.pdf');
    await waitForValue(() => held.length, 1);
    phone.on('dialog', (question) => void question.accept());
    await phone.reload();
    await waitForText(phone, 'b.pdf has not arrived. Choose it again to continue.');
    await waitForText(phone, 'c.pdf has not arrived. Choose it again to continue.');
    await phone.setRequestInterception(false);
    await choose(files, 'b.pdf', 'c.pdf');
    await waitForValue(received, 3);
    await phone.waitForSelector('[data-missing]', { hidden: true });
  }));

test('a refused file does not hold back the answer for another document, and finishing asks about it by its name until its message is closed, when the focus stays with its document', (office) =>
  onPhone(office, ['Form 16', 'PAN'], async ({ phone, rows, choose }) => {
    const row = `#row-${rows[0]}`;
    await choose(`${row} [data-files]`, 'setup.pdf');
    await waitForText(phone, 'setup.pdf: This file is not what its name says');
    await choose(`${row} [data-files]`, 'a.pdf');
    await waitForText(phone, 'Received');
    await phone.click('[data-done] button');
    await waitForText(phone, '1 file has not arrived. Finish without it?');
    assert.is(await textOf(phone, 'dialog[open] li'), 'setup.pdf');
    assert.is(await textOf(phone, ':focus'), 'No, go back', 'Enter must not finish');
    assert.equal(await violations(phone), []);
    await clickButton(phone, 'No, go back');
    await choose(`${row} [data-files]`, 'setup.jpg');
    await phone.locator(`#row-${rows[1]} summary`).click();
    await phone.locator(`#row-${rows[1]} details button`).click();
    await waitForText(phone, 'Not available');
    for (const name of ['setup.pdf', 'setup.jpg'])
      await waitForText(phone, `${name}: This file is not what its name says`);
    await phone.locator(`${row} [aria-label="Close this message"]`).click();
    await phone.waitForSelector(`${row} [data-files]:focus`);
    assert.not.match(await textOf(phone, row), 'setup.pdf');
  }));

test('a file that is chosen before the script has come by a slow network is sent by it', (office) =>
  onPhone(office, ['Form 16'], async ({ phone, rows, choose }) => {
    const row = `#row-${rows[0]}`;
    const address = phone.url();
    await phone.goto('about:blank');
    // What is in the cache of the first visit would not be held.
    await phone.setCacheEnabled(false);
    const scripts = await holdRequests(phone, '.js');
    const loaded = phone.goto(address);
    await choose(`${row} [data-plain] input`, 'a.pdf');
    await scripts.release();
    await loaded;
    await phone.waitForSelector(`${row} [aria-label="Take back a.pdf"]`);
  }));

test('a question whether to take a file back stays open while another file arrives', (office) =>
  onPhone(office, ['Form 16', 'PAN'], async ({ phone, rows, choose }) => {
    const row = `#row-${rows[0]}`;
    await choose(`${row} [data-files]`, 'c.pdf', 'a.pdf');
    await phone.waitForSelector(`${row} [aria-label="Take back c.pdf"]`);
    await phone.locator(`${row} [aria-label="Take back a.pdf"]`).click();
    await phone.focus(`${row} details[open] button`);
    await choose(`#row-${rows[1]} [data-files]`, 'b.pdf');
    await phone.waitForSelector(`#row-${rows[1]} [aria-label="Take back b.pdf"]`);
    await phone.waitForSelector(`${row} details[open] button:focus`);

    await choose(`#row-${rows[1]} [data-files]`, 'front.jpg');
    const { held, release } = await holdRequests(phone, '/uploads');
    await phone.click(`${row} details[open] button`);
    await waitForValue(() => held.length, 1);
    // It would do nothing now, and looks like it.
    await phone.waitForSelector('form[data-done] button:disabled');
    await release();
    await waitForText(phone, 'The file was taken back.');
    await phone.waitForSelector('form[data-done] button:enabled');
  }));

test('a file that is taken back is sent again when the page was left before it learned that the file had arrived', (office) =>
  onPhone(office, ['Form 16'], async ({ phone, id, rows, choose }) => {
    const { office: requests } = office.world.services.requests;
    const row = `#row-${rows[0]}`;
    const names = async () =>
      (await requests.view(office.asha.actor, id)).rows[0]!.files.map(({ name }) => name);
    // As a page that is left: it still has the address of the upload.
    await phone.evaluate(() => {
      Storage.prototype.removeItem = () => {};
    });
    await choose(`${row} [data-files]`, 'a.pdf');
    const takeBack = `${row} [aria-label="Take back a.pdf"]`;
    await phone.waitForSelector(takeBack);
    await phone.reload();
    await phone.locator(takeBack).click();
    await phone.locator(`${row} details[open] button`).click();
    await waitForText(phone, 'The file was taken back.');
    await choose(`${row} [data-files]`, 'a.pdf');
    await waitForValue(names, ['a.pdf']);
  }));

test('a document that is not available, which is told once there is a network, with the photo that was chosen meanwhile, does not count as sent, and nothing is left to tell the office about what it has accepted', (office) =>
  onPhone(office, ['Form 16', 'PAN'], async ({ phone, id, rows, choose }) => {
    const { office: requests } = office.world.services.requests;
    await choose(`#row-${rows[0]} [data-files]`, 'locked.pdf');
    await waitForText(phone, 'opens only with a password: tell the office');
    await phone.locator(`#row-${rows[1]} summary`).click();
    await phone.setOfflineMode(true);
    await phone.locator(`#row-${rows[1]} details button`).click();
    await waitForText(phone, 'No connection.');
    await choose(`#row-${rows[0]} [data-files]`, 'front.jpg');
    await phone.setOfflineMode(false);
    await waitForText(phone, '1 of 2 sent, 1 not available');
    const [form16] = (await requests.view(office.asha.actor, id)).rows;
    assert.equal(form16!.files.map(({ name }) => name).toSorted(), ['Form 16.pdf', 'locked.pdf']);
    for (const row of rows)
      await requests.judge(office.asha.actor, id, row, { state: 'accepted', reason: '' });
    await phone.reload();
    await waitForText(phone, 'All done, thank you');
    assert.is(await textOf(phone, '#progress'), '1 of 2 sent, 1 not available');
    assert.not.match(await textOf(phone, 'main'), 'opens only with a password');
  }));

test('of files that are sent again one line tells how many, which is closed, since a line for each photo would fill the page', (office) =>
  onPhone(office, ['Form 16'], async ({ phone, rows, choose }) => {
    const row = `#row-${rows[0]}`;
    const lines = () => phone.$$eval(`${row} [data-sending] li`, (all) => all.map((line) => line.innerText));
    for (const count of [1, 2]) {
      await choose(`${row} [data-files]`, 'a.pdf', 'b.pdf');
      if (count === 1) await phone.waitForSelector(`${row} ::-p-text(b.pdf)`);
      if (count === 1) await phone.waitForSelector(`${row} ::-p-text(a.pdf)`);
      await waitForValue(async () => (await lines()).length, count - 1);
    }
    await waitForText(phone, 'You have already sent 2 of these files. They are stored once.');
    assert.equal(await violations(phone), []);
    await phone.locator(`${row} [aria-label="Close this message"]`).click();
    await waitForValue(lines, []);
    await choose(`${row} [data-files]`, 'a.pdf');
    await waitForText(phone, 'You have already sent a.pdf. It is stored once.');
  }));

test('a photo that the browser cannot draw has a glyph with its name, and the page says which photos could not become pages', (office) =>
  onPhone(office, ['PAN'], async ({ phone, rows, choose }) => {
    const row = `#row-${rows[0]}`;
    await choose(`${row} [data-files]`, 'front.jpg', 'whole.heic', 'broken.heic', 'torn.heic');
    await phone.waitForFunction(
      (strip) => document.querySelectorAll(`${strip} li > span svg`).length === 3,
      {},
      `${row} [data-strip]`,
    );
    assert.is(await textOf(phone, `${row} [data-strip] li:nth-child(2) > span`), 'whole.heic');
    assert.is((await phone.$$(`${row} [data-strip] img`)).length, 1);
    await phone.click(`${row} [data-send]`);
    await waitForText(
      phone,
      'not as pages of a PDF, since they cannot be read as photos: broken.heic, torn.heic.',
    );
    await waitForText(phone, 'PAN.pdf 2 photos');
  }));

test('a client who has sent nothing cannot finish, a file that arrives as the network goes is named, and a receipt says that files have come after it, which a client would think were part of it', (office) =>
  onPhone(office, ['PAN'], async ({ phone, rows, choose }) => {
    await submitWith(phone, '[data-done] button');
    await waitForText(phone, 'Nothing has arrived yet.');
    await phone.evaluate(() => {
      const { fetch } = window;
      addEventListener('online', () => Object.assign(window, { fetch }));
      window.fetch = () => Promise.reject(new TypeError());
    });
    await choose(`#row-${rows[0]} [data-files]`, 'a.pdf');
    await waitForText(phone, 'a.pdf has arrived');
    await phone.evaluate(() => dispatchEvent(new Event('online')));
    await phone.waitForSelector('[data-said=nothing]', { hidden: true });
    await submitWith(phone, '[data-done] button');
    await waitForText(phone, 'You may close this page now.');
    office.world.advance(60_000);
    await choose(`#row-${rows[0]} [data-files]`, 'b.pdf');
    await waitForText(phone, '1 file has come since. For a receipt with all of them, press');
  }));

test('the button to send photos says how many PDFs it makes of them', (office) =>
  onPhone(office, ['PAN'], async ({ phone, rows, choose }) => {
    const row = `#row-${rows[0]}`;
    const label = () => textOf(phone, `${row} [data-send]`);
    await choose(`${row} [data-files]`, ...Array<string>(60).fill('front.jpg'));
    await waitForValue(label, 'Send 60 photos as one PDF');
    const isInSight = () =>
      phone.$eval(`${row} [data-send]`, (button) => button.getBoundingClientRect().bottom < innerHeight);
    assert.ok(await isInSight(), 'else a client would think that they are sent');
    await choose(`${row} [data-files]`, 'back.jpg');
    await waitForValue(label, 'Send 61 photos as 2 PDFs');
  }));

test('photos that a phone was still sending when it ended the page are offered again, without those that had arrived', (office) =>
  onPhone(office, ['PAN'], async ({ phone, id, rows, choose }) => {
    const { world, asha } = office;
    const row = `#row-${rows[0]}`;
    const thumbnails = () => phone.$$eval(`${row} [data-strip] img`, (all) => all.map(({ alt }) => alt));
    await phone.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true });
    await choose(`${row} [data-files]`, 'front.jpg', 'back.jpg');
    await waitForValue(thumbnails, ['front.jpg', 'back.jpg']);
    const { held } = await holdRequests(phone, '/uploads');
    await phone.locator(`${row} [data-send]`).click();
    await waitForValue(() => held.length, 2);
    // The request that begins an upload, and that with its bytes.
    await held[0]!.continue();
    await waitForValue(() => held.length, 3);
    await held[2]!.continue();
    await waitForText(phone, 'Sending photos: 1 of 2 have arrived');
    const { 'upload-metadata': first = '' } = held[0]!.headers();
    const left = first.includes(Buffer.from('front.jpg').toString('base64')) ? 'back.jpg' : 'front.jpg';
    // The photo that has arrived is forgotten a moment after the page says so.
    await waitForValue(() => keptRecords(phone), 2);
    phone.on('dialog', (question) => void question.accept());
    await phone.reload();
    await waitForValue(thumbnails, [left]);
    await phone.setRequestInterception(false);
    await phone.locator(`${row} [data-send]`).click();
    await waitForValue(
      async () => (await world.services.requests.office.view(asha.actor, id)).rows[0]!.files.length,
      2,
    );
    await phone.waitForSelector(`${row} [data-strip][hidden]`);
    await waitForValue(() => keptRecords(phone), 0);
    await phone.reload();
    await phone.waitForSelector(`${row} [data-files]`);
    assert.equal(await thumbnails(), []);
  }));

test('a phone writes each photo to its storage once, and not again with each one that arrives before it', (office) =>
  onPhone(office, ['PAN'], async ({ phone, rows, choose }) => {
    const row = `#row-${rows[0]}`;
    await phone.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true });
    await phone.evaluate(() => {
      const { put } = IDBObjectStore.prototype;
      document.documentElement.dataset['written'] = '0';
      IDBObjectStore.prototype.put = function (record: { photos: unknown[] }) {
        const { dataset } = document.documentElement;
        dataset['written'] = String(Number(dataset['written']) + record.photos.length);
        return put.call(this, record);
      };
    });
    const names = ['1.png', '2.png', '3.png', '4.png', '5.png'];
    await choose(`${row} [data-files]`, ...names);
    await phone.locator(`${row} [data-send]`).click();
    await waitForText(phone, '5 photos');
    assert.is(await keptRecords(phone), 0, 'what has arrived is kept no more');
    assert.is(await phone.evaluate(() => document.documentElement.dataset['written']), String(names.length));
  }));

test('photos that a phone could not send, without network or while the request was closed, are offered again once the page is opened anew, which names the file that was under way', (office) =>
  onPhone(office, ['PAN'], async ({ phone, id, rows, choose }) => {
    const { office: requests } = office.world.services.requests;
    const row = `#row-${rows[0]}`;
    const thumbnails = (page: Page) =>
      page.$$eval(`${row} [data-strip] img`, (all) => all.map(({ alt }) => alt));
    const touch = { width: 390, height: 844, isMobile: true, hasTouch: true };
    await phone.setViewport(touch);
    await choose(`${row} [data-files]`, 'front.jpg', 'back.jpg');
    await waitForValue(() => thumbnails(phone), ['front.jpg', 'back.jpg']);
    await requests.close(office.asha.actor, id, true);
    await phone.locator(`${row} [data-send]`).click();
    await waitForText(phone, 'This link does not work any more, so nothing was sent.');
    await requests.close(office.asha.actor, id, false);
    phone.on('dialog', (question) => void question.accept());
    await phone.reload();
    await waitForValue(async () => (await thumbnails(phone)).toSorted(), ['back.jpg', 'front.jpg']);

    await phone.setOfflineMode(true);
    await phone.locator(`${row} [data-send]`).click();
    await waitForText(phone, 'No connection.');
    await choose(`${row} [data-files]`, 'a.pdf');
    await phone.waitForFunction(() => document.querySelectorAll('progress').length === 2);
    await phone.close();
    const later = await phone.browserContext().newPage();
    await later.setViewport(touch);
    await load(later, phone.url());
    await waitForValue(async () => (await thumbnails(later)).toSorted(), ['back.jpg', 'front.jpg']);
    await waitForText(later, 'a.pdf has not arrived. Choose it again to continue.');
  }));

test.run();
