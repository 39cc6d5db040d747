import * as assert from 'uvu/assert';
import { FORM_16, recognise } from '#server/fields/testing/recognised.ts';
import { load } from '#server/testing/browser.ts';
import { clickButton, clickRow, enterDrive } from './drive.ts';
import { holdRequests } from './held-requests.ts';
import { waitForValue, officeSuite, replaceText, waitForText } from './office.ts';

const test = officeSuite('organising documents');

test('documents are organised together and undone together, and a client created from one document is suggested for the others', async (office) => {
  const { page, world, asha, url } = office;
  const { actor } = asha;
  await world.build.client(actor, 'Sharma Traders', { pan: 'AAAPZ0000A' });
  for (const [index, pan] of ['AAAPZ0000A', 'ZZZPZ0000A', 'ZZZPZ0000A'].entries()) {
    const { id } = await world.build.file(actor, { name: `scan${index}.pdf`, content: `${index}` });
    const [first, ...otherFields] = FORM_16.fields;
    const fields = [{ ...first!, value: pan }, ...otherFields];
    await recognise(world, id, { ...FORM_16, fields });
  }
  const { id: blank } = await world.build.file(actor, { name: 'blank.pdf', content: 'blank' });
  await recognise(world, blank, { ...FORM_16, type: null, year: null, period: null, fields: [] });
  await enterDrive(office);
  await load(page, `${url}/filing`);
  await waitForText(page, 'PAN matches: AAAPZ0000A');
  await waitForText(page, 'Sharma Traders Form 16 FY 2025-26.pdf');
  await waitForText(page, 'ZZZPZ0000A');
  await waitForText(page, 'No client matches it');
  await waitForText(page, '1 document could not be identified');
  const unidentified = await page.$eval('details', (details) => [
    details.open,
    details.textContent.includes('blank.pdf'),
  ]);
  assert.equal(unidentified, [false, true], 'unidentified documents are below, collapsed');
  await page.locator('::-p-text(New client...)').click();
  await page.waitForSelector('input[name=pan]');
  assert.is(await page.$eval('input[name=pan]', (field) => (field as HTMLInputElement).value), 'ZZZPZ0000A');
  await page.type('input[name=name]', 'Meera Rao');
  await page.locator('::-p-text(Create client)').click();
  await waitForText(page, 'Meera Rao Form 16 FY 2025-26.pdf');
  // The button that opened the dialog has gone; the focus has to be in the list.
  await waitForValue(
    () => page.evaluate(() => document.activeElement?.closest('li[data-id]') !== null),
    true,
  );
  await page.locator('::-p-text(Organise 3 documents)').click();
  await waitForText(page, '3 documents organised');
  await waitForText(page, 'Nothing to organise');
  await waitForText(page, 'Organised recently');
  await page.locator('[aria-labelledby=filed-before] button').click();
  await waitForText(page, '3 documents are back where they were');
  await waitForText(page, 'scan0.pdf');
  const [item] = (await world.services.documents.files(actor, { search: 'scan0' })).items;
  assert.is(item!.client_id, null);
});

test('rows are chosen one by one or as a range with Shift, and organised together, each for the client chosen last, whose answer may be late', async (office) => {
  const { page, world, asha, url } = office;
  const { actor } = asha;
  for (const client of ['Iyer Stores', 'Sharma Traders', 'Meera Rao'])
    await world.build.client(actor, client);
  const name = FORM_16.fields.find(({ key }) => key === 'employer_name')!;
  for (const number of [1, 2, 3, 4]) {
    const { id } = await world.build.file(actor, { name: `paper${number}.pdf`, content: `paper ${number}` });
    await recognise(world, id, { ...FORM_16, fields: [{ ...name, value: 'Iyer Stores' }] });
  }
  await enterDrive(office);
  await load(page, `${url}/filing`);
  const box = (number: number) => page.locator(`label:has([aria-label="Choose paper${number}.pdf"])`);
  await box(4).click();
  await waitForText(page, 'Organise 1 document');
  await page.keyboard.down('Shift');
  await box(2).click();
  await page.keyboard.up('Shift');
  await page.locator('::-p-text(Organise 3 documents)').click();
  await waitForText(page, '3 documents organised');
  const unfiled = (await world.services.documents.files(actor, { search: 'paper' })).items;
  assert.equal(
    unfiled.map((item) => item.name),
    ['paper1.pdf'],
  );

  await box(1).click();
  await waitForText(page, 'Organise 1 document');
  await page.locator('[aria-label="Change where paper1.pdf goes"]').click();
  const { held } = await holdRequests(page, '&client=');
  for (const client of ['Sharma Traders', 'Meera Rao']) {
    await replaceText(page, 'li input[role=combobox]', client);
    await page.locator(`[role=option] ::-p-text(${client})`).click();
  }
  await waitForValue(() => held.length, 2);
  const canFile = () =>
    page.$$eval('main button', (buttons) =>
      buttons
        .filter(({ innerText }) => /^Organise( 1 document)?$/.test(innerText))
        .map(({ disabled }) => !disabled),
    );
  assert.equal(await canFile(), [false, false], 'the row still has the former client');
  for (const request of held.toReversed()) {
    const answered = page.waitForResponse(request.url());
    await request.continue();
    await answered;
  }
  await waitForValue(canFile, [true, true]);
  await page.locator('::-p-text(Organise 1 document)').click();
  await waitForText(page, '1 document organised');
  const [filed] = (await world.services.documents.files(actor, { search: 'Meera Rao Form 16' })).items;
  assert.is(filed?.client?.name, 'Meera Rao');
});

test('a name that was changed is still there after a look at its document, and a reload asks before it is lost', async (office) => {
  const { page, world, asha, url } = office;
  await world.build.client(asha.actor, 'Sharma Traders', { pan: 'AAAPZ0000A' });
  const { id } = await world.build.file(asha.actor, { name: 'scan.pdf', content: 'scan' });
  const [first, ...otherFields] = FORM_16.fields;
  await recognise(world, id, { ...FORM_16, fields: [{ ...first!, value: 'AAAPZ0000A' }, ...otherFields] });
  await enterDrive(office);
  await load(page, `${url}/filing`);
  await waitForText(page, 'Sharma Traders Form 16 FY 2025-26.pdf');
  await page.locator('[aria-label="Change where scan.pdf goes"]').click();
  await replaceText(page, 'li[data-id] input[value$=".pdf"]', 'Sharma Form 16 signed.pdf');
  await page.locator('::-p-text(Done)').click();
  await waitForText(page, 'Sharma Form 16 signed.pdf');
  await page.locator('li[data-id] a').click();
  await page.waitForSelector('.preview-layer');
  await page.goBack();
  await waitForText(page, 'Organise 1 document');
  await waitForText(page, 'Sharma Form 16 signed.pdf');
  const asked = new Promise<string>((resolve) =>
    page.once('dialog', (dialog) => {
      resolve(dialog.type());
      void dialog.accept();
    }),
  );
  await page.reload();
  assert.is(await asked, 'beforeunload');
  await waitForText(page, 'Sharma Traders Form 16 FY 2025-26.pdf');
});

test('a document is organised and put back by keyboard alone, on a phone too, with its name in sight and refused where no file can have it', async (office) => {
  const { page, world, asha, url } = office;
  await world.build.client(asha.actor, 'Sharma Traders', { pan: 'AAAPZ0000A' });
  const [first, ...otherFields] = FORM_16.fields;
  for (const number of [1, 2]) {
    const { id } = await world.build.file(asha.actor, { name: `scan${number}.pdf`, content: `${number}` });
    await recognise(world, id, { ...FORM_16, fields: [{ ...first!, value: 'AAAPZ0000A' }, ...otherFields] });
  }
  await enterDrive(office);
  await page.setViewport({ width: 390, height: 844 });
  await load(page, `${url}/filing`);
  await page.locator('[aria-label="Change where scan2.pdf goes"]').click();
  const field = 'li[data-id] input[value$=".pdf"]';
  const width = await page.$eval(field, (input) => input.getBoundingClientRect().width);
  assert.ok(width > 280, `the field has ${width} pixels`);
  await replaceText(page, field, 'GSTR-3B: bad.pdf');
  await waitForText(page, 'A name cannot contain any of these');
  const canFile = () =>
    page.$eval('[aria-label="Organise scan2.pdf"]', (button) => !button.matches(':disabled'));
  assert.is(await canFile(), false);
  await replaceText(page, field, 'GSTR-3B good.pdf');
  await waitForValue(canFile, true);
  const focused = () =>
    page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.tagName);
  await page.focus('[aria-label="Organise scan2.pdf"]');
  await page.keyboard.press('Enter');
  await waitForText(page, '1 document organised');
  await waitForText(page, 'Organised recently');
  await waitForValue(focused, 'Organise scan1.pdf');
  await page.keyboard.press('Enter');
  // The list is empty then.
  await waitForText(page, 'Nothing to organise');
  await page.waitForFunction(() => document.activeElement?.ariaLabel?.startsWith('Undo: '));
  await page.waitForSelector('[aria-label="Undo: Sharma Traders Form 16 FY 2025-26.pdf"]');
  await page.focus('[aria-label="Undo: GSTR-3B good.pdf"]');
  await page.keyboard.press('Enter');
  await waitForText(page, '1 document is back where it was');
  await waitForValue(focused, 'Organise scan2.pdf');
  await page.locator('[aria-label="Undo: Sharma Traders Form 16 FY 2025-26.pdf"]').click();
  await waitForValue(focused, 'MAIN');
});

test('clients are typed into one row after the other with Enter, without waiting for the search', async (office) => {
  const { page, world, asha, url } = office;
  for (const name of ['Iyer Stores', 'Sharma Traders']) await world.build.client(asha.actor, name);
  for (const number of [1, 2, 3]) {
    const { id } = await world.build.file(asha.actor, {
      name: `paper${number}.pdf`,
      content: `paper ${number}`,
    });
    await recognise(world, id, { ...FORM_16, fields: [] });
  }
  await enterDrive(office);
  await load(page, `${url}/filing`);
  await page.locator('li[data-id] input[role=combobox]').click();
  for (const name of ['shar', 'iyer', 'sharma']) {
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
    await page.waitForFunction(
      (typed) => (document.activeElement as HTMLInputElement | null)?.value !== typed,
      {},
      name,
    );
  }
  await waitForText(page, 'Organise 3 documents');
  assert.is(
    await page.evaluate(() => document.activeElement?.tagName),
    'A',
    'the focus stays in the last row',
  );
  await (await page.waitForSelector('::-p-text(Organise 3 documents)'))!.click();
  await waitForText(page, '3 documents organised');
  const filed = (await world.services.documents.files(asha.actor, {})).items.map(
    ({ client }) => client?.name,
  );
  assert.equal(filed.toSorted(), ['Iyer Stores', 'Sharma Traders', 'Sharma Traders']);
});

test('the settings of an inbox that were not loaded are not saved, so that automatic filing is not switched off unnoticed', async (office) => {
  const { page, world, asha } = office;
  const { id } = await world.build.folder(asha.actor, 'Scans');
  await world.services.filing.setInbox(asha.actor, id, { inbox: true, by_itself: true });
  await enterDrive(office);
  await clickRow(page, 'Scans', 'right');
  let failing = true;
  page.on('request', (request) => {
    if (failing && request.url().endsWith('/api/filing/inboxes')) void request.abort();
    else void request.continue();
  });
  await page.setRequestInterception(true);
  await clickButton(page, 'Inbox...');
  await waitForText(page, 'The settings of this inbox could not be loaded');
  await page.waitForSelector('[role=dialog] button[type=submit][disabled]');
  // It is loaded again by itself.
  failing = false;
  await page.locator('[role=dialog] button[type=submit]:not([disabled])').click();
  await waitForText(page, 'Inbox settings saved');
  const [inbox] = await world.services.filing.inboxes(asha.actor);
  assert.is(inbox?.by_itself, true);
});

test.run();
