import * as assert from 'uvu/assert';
import { signIn } from '#server/testing/browser.ts';
import { askClient, valueOf } from './asked.ts';
import { violations } from './axe.ts';
import { clickButton, press } from './drive.ts';
import { holdRequests } from './held-requests.ts';
import { ASHA, officeSuite, replaceText, waitForText, waitForValue } from './office.ts';

const test = officeSuite('the dialogs of requests for documents');

test('Enter in the name of a template saves the template, since the request behind it is not ready to be sent', async (office) => {
  const { page, world, asha, url } = office;
  await signIn(page, url, ASHA, '/requests');
  await clickButton(page, 'Ask for documents');
  await page.locator('[role=dialog] textarea[name=rows]').fill('Form 16');
  await page.locator('[role=dialog] [name=title]').fill('ITR');
  await clickButton(page, 'Save list as template');
  await page.waitForFunction(() => (document.activeElement as HTMLInputElement).value === 'ITR');
  const inSight = await page.evaluate(() => {
    const [field, body] = [document.activeElement!, document.activeElement!.closest('.overflow-y-auto')!];
    return field.getBoundingClientRect().bottom <= body.getBoundingClientRect().bottom;
  });
  assert.ok(inSight, 'the field is not below the edge of the dialog');
  await press(page, 'Enter');
  await waitForText(page, 'Template saved');
  const templates = await world.services.requests.templates.list(asha.actor);
  assert.equal(
    templates.filter(({ own }) => own).map(({ name }) => name),
    ['ITR'],
  );
  assert.is(await valueOf(office, 'textarea[name=rows]'), 'Form 16', 'the request is still open');
});

test('the dialog that asks starts in its first field, and keeps the focus near a client who is removed by keyboard', async (office) => {
  const { page, world, asha, url } = office;
  for (const name of ['Anil Desai', 'Bina Shah']) await world.build.client(asha.actor, name);
  await signIn(page, url, ASHA, '/requests');
  await clickButton(page, 'Ask for documents');
  await page.waitForSelector('[role=dialog] input[role=combobox]:focus');
  assert.is(await page.$('[role=listbox]'), null, 'the list of clients does not cover the form before a key');
  for (const name of ['anil', 'bina']) {
    await page.keyboard.type(name);
    await press(page, 'Enter');
    await waitForText(page, name === 'anil' ? 'Anil Desai' : 'Bina Shah');
    await page.waitForSelector('[role=listbox]', { hidden: true });
  }
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  await press(page, 'Tab');
  await waitForValue(focused, 'Remove Bina Shah', 'whoever was added last comes first');
  await press(page, 'Enter');
  await waitForValue(focused, 'Remove Anil Desai', 'the focus is on the next client');
  await press(page, 'Enter');
  await page.waitForSelector('[role=dialog] input[role=combobox]:focus');
  assert.is(await page.$('[role=listbox]'), null);
});

test('the language that a colleague has chosen for a client is proposed, and several clients are asked each in their own', async (office) => {
  const { page, world, asha, url } = office;
  for (const [name, language] of [
    ['Anil Desai', 'en'],
    ['Bina Shah', 'hi'],
  ] as const)
    await world.build.client(asha.actor, name, { language });
  await signIn(page, url, ASHA, '/requests');
  await clickButton(page, 'Ask for documents');
  const choose = async (typed: string, language: string) => {
    await page.waitForSelector('[role=dialog] input[role=combobox]:focus');
    await page.keyboard.type(typed);
    await press(page, 'Enter');
    await page.waitForSelector(`[role=dialog] button ::-p-text(${language})`);
  };
  await choose('bina', 'हिन्दी');
  await waitForText(page, 'The documents, name and note stay as they are written here.');
  await choose('anil', 'That of each client');
  await page.locator('[role=dialog] textarea[name=rows]').fill('Form 16');
  await page.locator('[role=dialog] [name=title]').fill('ITR');
  await page.locator('[role=dialog] button[type=submit]').click();
  await page.waitForSelector('[role=dialog]', { hidden: true });
  const asked = await world.db('requests').orderBy('client_id').pluck('language');
  assert.equal(asked, ['en', 'hi']);
});

test('correcting one field of several leaves the focus in it, or the rest of what is typed would go into the next one and Enter send it', async (office) => {
  const { page, world, asha, url } = office;
  await world.build.client(asha.actor, 'Meera Iyer');
  await signIn(page, url, ASHA, '/requests');
  await clickButton(page, 'Ask for documents');
  await page.waitForSelector('[role=dialog] input[role=combobox]:focus');
  await page.locator('[role=dialog] button[type=submit]').click();
  for (const error of ['Choose a client', 'Ask for at least one document', 'Give the request a name'])
    await waitForText(page, error);
  await page.waitForSelector('[role=dialog] input[role=combobox]:focus');
  await page.keyboard.type('meera');
  await press(page, 'Enter');
  await page.waitForSelector('[aria-label="Remove Meera Iyer"]');
  await page.waitForSelector('[role=listbox]', { hidden: true });
  await page.locator('[role=dialog] textarea[name=rows]').click();
  await page.keyboard.type('PAN');
  await press(page, 'Enter');
  await page.keyboard.type('Aadhaar');
  assert.is(await valueOf(office, 'textarea[name=rows]'), 'PAN\nAadhaar');
  assert.is(await valueOf(office, '[name=title]'), '');
  assert.equal(await world.services.requests.office.list(asha.actor, {}), []);
});

test('the link of one request that no e-mail takes to the client is shown to be copied, or it would have to be looked for', async (office) => {
  const { page, world, asha, url } = office;
  await world.build.client(asha.actor, 'Sharma Traders');
  await signIn(page, url, ASHA, '/requests');
  await clickButton(page, 'Ask for documents');
  await page.locator('[role=dialog] input[role=combobox]').fill('sharma');
  await page.locator('[role=option] ::-p-text(Sharma Traders)').click();
  await page.waitForSelector('[aria-label="Remove Sharma Traders"]');
  await page.locator('[role=dialog] textarea[name=rows]').fill('PAN');
  await page.locator('[role=dialog] [name=title]').fill('ITR');
  await clickButton(page, 'Send request');
  await page.waitForSelector('[role=dialog] input[readonly]:focus');
  const [request] = await world.services.requests.office.list(asha.actor, {});
  const link = await world.services.requests.office.link(asha.actor, request!.id);
  assert.is(await valueOf(office, 'input[readonly]'), link.url);
  assert.equal(await violations(page), []);
  await clickButton(page, 'Done');
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await waitForText(page, 'ITR');
});

test('a client who is typed but not chosen is asked about, since the request would go to the others only', async (office) => {
  const { page, world, asha, url } = office;
  for (const name of ['Sharma Traders', 'Gupta Stores']) await world.build.client(asha.actor, name);
  await signIn(page, url, ASHA, '/requests');
  await clickButton(page, 'Ask for documents');
  const picker = '[role=dialog] input[role=combobox]';
  await page.waitForSelector(`${picker}:focus`);
  await page.locator('[role=dialog] textarea[name=rows]').fill('PAN');
  await page.locator('[role=dialog] [name=title]').fill('ITR');
  await page.locator(picker).fill('sharma');
  await press(page, 'Enter');
  await page.waitForSelector('[aria-label="Remove Sharma Traders"]');
  await page.waitForSelector('[role=listbox]', { hidden: true });
  await page.keyboard.type('gupta');
  await page.waitForSelector('[role=option] ::-p-text(Gupta Stores)');
  await page.locator('[role=dialog] button[type=submit]').click();
  await waitForText(page, '“gupta” is not chosen yet');
  await page.waitForSelector(`${picker}:focus`);
  assert.is(await valueOf(office, 'input[role=combobox]'), 'gupta');
  assert.equal(await world.services.requests.office.list(asha.actor, {}), []);
  await page.keyboard.type(' ');
  await page.waitForSelector('[role=option] ::-p-text(Gupta Stores)');
  await press(page, 'Enter');
  await page.waitForSelector('[aria-label="Remove Gupta Stores"]');
  await page.waitForSelector('[role=listbox]', { hidden: true });
  await page.keyboard.type('sh');
  await page.waitForSelector('[role=option] ::-p-text(Sharma Traders)');
  await press(page, 'Escape');
  await waitForValue(() => valueOf(office, 'input[role=combobox]'), '');
  await page.locator('[role=dialog] button[type=submit]').click();
  await waitForValue(async () => (await world.services.requests.office.list(asha.actor, {})).length, 2);
});

test('a due date that is over is reported at its field, which gets the focus, as the banner above does not say which field is meant', async (office) => {
  const { page, world, asha, url } = office;
  await world.build.client(asha.actor, 'Meera Iyer');
  await page.setViewport({ width: 1366, height: 600 });
  await signIn(page, url, ASHA, '/requests');
  await clickButton(page, 'Ask for documents');
  await page.locator('[role=dialog] textarea[name=rows]').fill('Form 16');
  await page.locator('[role=dialog] [name=title]').fill('ITR');
  await page.focus('[role=dialog] [name=due_on]');
  // The same day in every order of day and month.
  await page.keyboard.type('01012020');
  await waitForValue(() => valueOf(office, '[name=due_on]'), '2020-01-01');
  await page.locator('[role=dialog] input[role=combobox]').fill('meera');
  await press(page, 'Enter');
  await page.waitForSelector('[aria-label="Remove Meera Iyer"]');
  await page.locator('[role=dialog] button[type=submit]').click();
  await page.waitForSelector('[role=dialog] [name=due_on]:focus');
  const described = await page.$eval(
    '[role=dialog] [name=due_on]',
    (field) => document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent,
  );
  assert.match(described ?? '', 'This day is over');
  const isInSight = () =>
    page.$eval('[role=dialog] [role=alert]', (error) => {
      const { left, bottom } = error.getBoundingClientRect();
      return document.elementFromPoint(left + 5, bottom - 2) === error;
    });
  await waitForValue(isInSight, true);
  await page.focus('[role=dialog] [name=due_on]');
  await page.keyboard.type('0101120261');
  assert.match(await valueOf(office, '[name=due_on]'), /^(?:\d{4}-|$)/, 'no year of five digits');
});

test('the clients selected in the list are asked for the same documents at once, since a season begins like that, and who has been asked already is named', async (office) => {
  const { page, world, asha, url } = office;
  const { build, services } = world;
  for (const name of ['Anil Rao', 'Meera Iyer', 'Sunil Shah'])
    await build.client(asha.actor, name, { email: `${name.split(' ')[0]}@example.in`.toLowerCase() });
  await signIn(page, url, ASHA, '/clients');
  await page.locator('[aria-label="Select clients"]').click();
  await page.locator('[data-id]:nth-child(1) .client-pick').click();
  await page.locator('[data-id]:nth-child(2) .client-pick').click();
  await page.locator('[role=toolbar] ::-p-text(Ask for documents)').click();
  await waitForText(page, '2 clients');
  await page.locator('[role=dialog] textarea[name=rows]').fill('Form 16');
  await page.locator('[role=dialog] [name=title]').fill('ITR');
  await clickButton(page, 'Send 2 requests');
  await waitForText(page, '2 requests sent');
  await page.waitForFunction(() => !document.querySelector('[role=dialog], .client-pick'));
  const asked = await services.requests.office.list(asha.actor, {});
  assert.equal(asked.map(({ client }) => client.name).toSorted(), ['Anil Rao', 'Meera Iyer']);

  // A colleague begins the season a second time.
  await page.locator('[aria-label="Select clients"]').click();
  await page.locator('[data-id]:nth-child(2) .client-pick').click();
  await page.locator('[data-id]:nth-child(3) .client-pick').click();
  await page.locator('[role=toolbar] ::-p-text(Ask for documents)').click();
  await page.locator('[role=dialog] [name=title]').fill('itr ');
  await waitForText(page, 'Meera Iyer has an open request of this name, and will be asked again.');
});

test('the client chosen last is in sight among many, and a request without an address counts as one to send by hand', async (office) => {
  const { page, world, asha, url } = office;
  for (let nth = 1; nth <= 12; nth += 1)
    await world.build.client(
      asha.actor,
      `Client ${nth} of the old office in Nashik`,
      nth === 12 ? {} : { email: `c${nth}@example.in` },
    );
  await signIn(page, url, ASHA, '/requests');
  await clickButton(page, 'Ask for documents');
  for (let nth = 1; nth <= 12; nth += 1) {
    await page.locator('[role=dialog] input[role=combobox]').fill(`Client ${nth} of`);
    await page.locator(`[role=option] ::-p-text(Client ${nth} of)`).click();
    await page.waitForSelector('[role=option]', { hidden: true });
  }
  await waitForText(page, '12 clients');
  const inSight = await page.$eval('[role=dialog] ul[aria-label=Clients]', (list) => {
    const chip = [...list.children].find(({ textContent }) => textContent?.startsWith('Client 12 of'))!;
    const [box, shown] = [chip.getBoundingClientRect(), list.getBoundingClientRect()];
    return box.top >= shown.top && box.bottom <= shown.bottom;
  });
  assert.ok(inSight);
  await page.locator('[role=dialog] textarea[name=rows]').fill('Form 16');
  await page.locator('[role=dialog] [name=title]').fill('ITR');
  await clickButton(page, 'Send 12 requests');
  await waitForText(page, '11 requests sent, 1 to send by hand');
  await page.waitForSelector('[data-sonner-toast][data-type=warning]');
});

test('Back undoes the last change of the list and does not leave it, since its filters are in the address', async (office) => {
  const { page, url } = office;
  const { line } = await askClient(office, ['Form 16']);
  await signIn(page, url, ASHA, '/requests');
  await page.locator('::-p-aria([name="Due first Order"][role="button"])').click();
  await page.locator('[role=option] ::-p-text(By client)').click();
  await waitForValue(() => new URL(page.url()).search, '?sort=client');
  await page.locator(line).click();
  await page.waitForSelector('[role=dialog]');
  await page.goBack();
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await page.waitForSelector('::-p-aria([name="Due first Order"][role="button"])');
  assert.is(page.url(), `${url}/requests`);
  await page.locator('[aria-label=Filters] input[type=search]').fill('nobody');
  await waitForText(page, 'No request matches these filters');
  await page.reload();
  await waitForText(page, 'No request matches these filters');
});

test('another year for a template asks before it replaces an edited list, and keeps a typed title', async (office) => {
  const { page, url } = office;
  await signIn(page, url, ASHA, '/requests');
  await clickButton(page, 'Ask for documents');
  await page.locator('[role=dialog] button ::-p-text(Start from an empty list)').click();
  await page.locator('[role=option] ::-p-text(ITR, salaried)').click();
  const list = () => valueOf(office, 'textarea[name=rows]');
  const yearOf = (text: string) => /FY \d{4}-\d{2}/.exec(text)?.[0] ?? '';
  await waitForValue(async () => yearOf(await list()) !== '', true);
  const year = yearOf(await list());
  const otherYear = async (shown: string) => {
    await page.locator(`::-p-aria([name="${shown} Year"][role="button"])`).click();
    await page.locator('[role=option]:not([aria-selected=true])').click();
    await page.waitForSelector('[role=option]', { hidden: true });
  };
  await replaceText(page, '[role=dialog] [name=title]', 'Return of Meera');
  await otherYear(year);
  await waitForValue(async () => yearOf(await list()) !== year, true, 'an untouched list follows the year');
  const second = yearOf(await list());
  assert.is(await valueOf(office, '[name=title]'), 'Return of Meera');

  await page.focus('[role=dialog] textarea[name=rows]');
  await press(page, 'Control+End');
  await page.keyboard.type('\nRent agreement');
  const edited = await list();
  await otherYear(second);
  await waitForText(page, 'Discard your changes?');
  await clickButton(page, 'Keep editing');
  await page.waitForSelector('[role=alertdialog]', { hidden: true });
  assert.is(await list(), edited);
  await page.waitForSelector(`::-p-aria([name="${second} Year"][role="button"])`);
  await otherYear(second);
  await clickButton(page, 'Discard');
  await waitForValue(async () => (await list()).includes('Rent agreement'), false);
});

test('the list of requests says that there are none only once the server has said so', async (office) => {
  const { page, url } = office;
  await signIn(page, url, ASHA, '/requests');
  await waitForText(page, 'No open requests');
  const { held } = await holdRequests(page, 'state=all');
  await page.locator('::-p-aria([name="Open Show"][role="button"])').click();
  await page.locator('[role=option] ::-p-text(Open and done)').click();
  await waitForValue(() => held.length, 1);
  const text = () => page.evaluate(() => document.body.innerText);
  assert.not.match(await text(), 'No open requests');
  await held[0]!.abort();
  await waitForText(page, 'The requests could not be loaded');
  assert.not.match(await text(), 'No open requests');
  // It is loaded again by itself.
  await waitForValue(() => held.length, 2);
  await held[1]!.continue();
  await waitForText(page, 'No open requests');
});

test('a saved template of a request is deleted only after a question, since it cannot be restored', async (office) => {
  const { page, world, asha, url } = office;
  const { templates } = world.services.requests;
  await templates.save(asha.actor, { name: 'Tax audit', rows: ['Trial balance', 'Bank statements'] });
  const own = async () => (await templates.list(asha.actor)).filter((template) => template.own);
  await signIn(page, url, ASHA, '/requests');
  await clickButton(page, 'Ask for documents');
  await page.locator('[role=dialog] button ::-p-text(Start from an empty list)').click();
  await page.locator('[role=option] ::-p-text(Tax audit)').click();
  await page.locator('[aria-label="Delete template"]').click();
  await waitForText(page, 'Delete the template “Tax audit”?');
  await page.locator('[role=alertdialog] ::-p-aria([name="Cancel"][role="button"])').click();
  await page.waitForSelector('[role=alertdialog]', { hidden: true });
  assert.is((await own()).length, 1);
  await page.locator('[aria-label="Delete template"]').click();
  await page.locator('[role=alertdialog] footer button:last-child').click();
  await waitForText(page, 'Template deleted');
  assert.equal(await own(), []);
});

test('a list is saved under the name of another template only after a question, since a colleague may have made that', async (office) => {
  const { page, world, asha, url } = office;
  const { templates } = world.services.requests;
  await templates.save(asha.actor, { name: 'ITR', rows: ['Form 16'] });
  const rows = async () => (await templates.list(asha.actor))[0]!.rows;
  await signIn(page, url, ASHA, '/requests');
  await clickButton(page, 'Ask for documents');
  await page.locator('[role=dialog] textarea[name=rows]').fill('Bank statement');
  await page.locator('[role=dialog] [name=title]').fill('ITR');
  await clickButton(page, 'Save list as template');
  await page.waitForFunction(() => (document.activeElement as HTMLInputElement).value === 'ITR');
  await press(page, 'Enter');
  await waitForText(page, 'Replace the template “ITR”?');
  await page.locator('[role=alertdialog] ::-p-text(Choose another name)').click();
  await page.waitForSelector('[role=alertdialog]', { hidden: true });
  assert.equal(await rows(), ['Form 16']);
  await page.locator('::-p-aria([name="Name of the template"][role="textbox"])').click();
  await press(page, 'Enter');
  await page.locator('[role=alertdialog] footer button:last-child').click();
  await waitForText(page, 'Template saved');
  assert.equal(await rows(), ['Bank statement']);
});

test.run();
