import * as assert from 'uvu/assert';
import { sender } from '#server/requests/testing/office.ts';
import { load, openPage, signIn } from '#server/testing/browser.ts';
import { askClient, valueOf } from './asked.ts';
import { violations } from './axe.ts';
import { clickButton, press } from './drive.ts';
import { holdRequests } from './held-requests.ts';
import { ASHA, officeSuite, replaceText, textOf, waitForText, waitForValue } from './office.ts';
import { pdf } from './samples.ts';

const test = officeSuite('the dialog of one request');

test('the preview of a received file leads back to its request, where the file is accepted, by Esc and by Back', async (office) => {
  const { page, world, asha, url } = office;
  const { id, line } = await askClient(office, ['Form 16']);
  const { url: link } = await world.services.requests.office.link(asha.actor, id);
  const { rows } = await world.services.requests.office.view(asha.actor, id);
  await sender(world, url, link).files(rows[0]!.id, [['IMG_1.pdf', pdf(1)]]);
  await signIn(page, url, ASHA, '/requests');
  await page.locator(line).click();
  const accept = '[aria-label="Accept Form 16"]';
  for (const leave of [() => press(page, 'Escape'), () => page.goBack()]) {
    await page.waitForSelector(accept);
    await page.locator('[role=dialog] a ::-p-text(Form 16.pdf)').click();
    await page.waitForSelector('.preview-layer');
    await page.waitForSelector('.preview-layer section[aria-label=Request] button');
    await leave();
    await page.waitForSelector(accept);
    assert.is(await page.$('.preview-layer'), null);
    // The next one is one Tab away, and not all that is above it.
    await page.waitForFunction(() => document.activeElement?.textContent.includes('Form 16.pdf'));
  }
  await page.locator(accept).click();
  await page.waitForSelector('[aria-label="Undo accepting Form 16"]');
  await press(page, 'Escape');
  await page.waitForSelector('[role=dialog]', { hidden: true });
  assert.is(page.url(), `${url}/requests`);
});

test('one of several files is sent back with a reason and the others are accepted, by keys, and the client sees which without script and is told some minutes later', async (office) => {
  const { page, browser, world, asha, url } = office;
  const { id, line } = await askClient(office, ['Bank statement']);
  const { url: link } = await world.services.requests.office.link(asha.actor, id);
  const { rows } = await world.services.requests.office.view(asha.actor, id);
  await sender(world, url, link).files(rows[0]!.id, [
    ['April.pdf', pdf(1)],
    ['May.pdf', pdf(2)],
  ]);
  await signIn(page, url, ASHA, '/requests');
  await page.locator(line).click();
  await page.waitForSelector('[aria-label="Send back May.pdf"]');
  await page.focus('[aria-label="Send back May.pdf"]');
  await press(page, 'Enter');
  await page.waitForSelector('[role=dialog] form input:focus');
  await page.locator('[role=dialog] form input').fill('This is of 2024-25');
  await press(page, 'Escape');
  await waitForText(page, 'Discard your changes?');
  await clickButton(page, 'Keep editing');
  await page.focus('[role=dialog] form input');
  await press(page, 'Enter');
  await waitForText(page, 'Reason: This is of 2024-25');
  const told = 'of what is sent back, in one e-mail';
  await waitForText(page, told);
  await page.waitForSelector('[aria-label="Accept May.pdf"]');
  // One key more takes it back, and does not accept it.
  await page.waitForSelector('[aria-label="Undo sending back May.pdf"]:focus');
  await page.focus('[aria-label="Accept April.pdf"]');
  await press(page, 'Enter');
  await page.waitForSelector('[aria-label="Undo accepting April.pdf"]:focus');
  assert.equal(await violations(page), []);

  const phone = await openPage(browser, { width: 390, height: 844 });
  await phone.setJavaScriptEnabled(false);
  await load(phone, url + new URL(link).pathname);
  const card = await textOf(phone, `#row-${rows[0]!.id}`);
  assert.match(card, /May\.pdf\s+Not accepted: This is of 2024-25/);
  assert.match(card, /April\.pdf\s.*· accepted/s);
  assert.match(card, 'Please send again');
  world.advance(5 * 60_000);
  await world.services.requests.tellReturns();
  await page.waitForSelector(`[role=dialog] ::-p-text(${told})`, { hidden: true });
  await phone.browserContext().close();
});

test('a file is sent back from its preview, which the list and the details of the drive say, and the next one is accepted there', async (office) => {
  const { page, world, asha, url } = office;
  const { id } = await askClient(office, ['Bank statement']);
  const { url: link } = await world.services.requests.office.link(asha.actor, id);
  const { rows } = await world.services.requests.office.view(asha.actor, id);
  await sender(world, url, link).files(rows[0]!.id, [
    // Sorted by name, the folder has May first.
    ['Statement of April.pdf', pdf(1)],
    ['May.pdf', pdf(2)],
  ]);
  const { folder_id, rows: received } = await world.services.requests.office.view(asha.actor, id);
  const [april, may] = received[0]!.files.map(({ item_id }) => item_id!);
  await signIn(page, url, ASHA, `/dashboard/folder/${folder_id}?preview=${april}&request=${id}`);
  const bar = '.preview-layer section[aria-label=Request]';
  await page.locator(`${bar} button ::-p-text(Send back...)`).click();
  await page.waitForSelector('[role=dialog] input[name=reason]:focus');
  await press(page, 'Enter');
  await waitForText(page, 'Say why');
  await page.locator('[role=dialog] input[name=reason]').fill('This is of 2024-25');
  await press(page, 'Escape');
  await waitForText(page, 'Discard your changes?');
  await clickButton(page, 'Keep editing');
  await page.waitForSelector('[role=dialog] input[name=reason]:focus');
  await press(page, 'Enter');
  await page.waitForSelector(`${bar} ::-p-text(This is of 2024-25)`);
  assert.equal(await violations(page), []);
  const onButton = (text: string) =>
    page.waitForFunction((text) => document.activeElement?.textContent === text, {}, text);
  await onButton('Undo');
  await press(page, 'Enter');
  await onButton('Send back...');
  // Their tooltips are where the keys can be learnt.
  await press(page, 'Shift+Tab');
  await page.waitForSelector('[role=tooltip] kbd ::-p-text(A)');
  await press(page, 'Tab');
  await page.waitForSelector('[role=tooltip] kbd ::-p-text(S)');
  await press(page, 'Enter');
  await page.waitForSelector('[role=dialog] input[name=reason]:focus');
  await page.locator('[role=dialog] input[name=reason]').fill('This is of 2024-25');
  await press(page, 'Enter');
  await onButton('Undo');
  await press(page, 'ArrowRight');
  await page.waitForFunction((item) => location.search.includes(`preview=${item}`), {}, may!);
  await waitForValue(() => new URL(page.url()).searchParams.get('request'), String(id), 'for a reload');
  await page.waitForSelector(`${bar} button ::-p-text(Send back...)`);
  // By keys, since the arrow has left the buttons.
  await press(page, 's');
  await page.waitForSelector('[role=dialog] input[name=reason]:focus');
  await press(page, 'Escape');
  await page.waitForSelector('[role=dialog] input[name=reason]', { hidden: true });
  await press(page, 'a');
  await page.waitForSelector(`${bar} button ::-p-text(Undo)`);
  assert.is(await page.$(`${bar} button ::-p-text(Send back...)`), null);
  await press(page, 'Control+z');
  await page.waitForSelector(`${bar} button ::-p-text(Send back...)`);
  await press(page, 'a');
  await page.waitForSelector(`${bar} button ::-p-text(Undo)`);
  await press(page, 'ArrowLeft');
  await page.waitForSelector(`${bar} ::-p-text(This is of 2024-25)`);
  await press(page, 'Control+z');
  await waitForText(page, '“May.pdf” is neither accepted nor sent back any more');
  await press(page, 'Control+z');
  const judged = async () =>
    (await world.services.requests.office.view(asha.actor, id)).rows[0]!.files.map(({ judged }) => judged);
  assert.equal(await judged(), ['returned', null], 'only the last one');
  await press(page, 'ArrowRight');
  await page.waitForSelector(`${bar} button ::-p-text(Send back...)`);
  await press(page, 'a');
  await page.waitForSelector(`${bar} button ::-p-text(Undo)`);
  const colleague = (state: 'accepted' | 'returned') =>
    world.services.requests.office.judgeFile(asha.actor, id, received[0]!.files[1]!.id, {
      state,
      reason: 'Not signed',
      overrule: true,
    });
  await colleague('returned');
  await page.waitForSelector(`${bar} ::-p-text(Not signed)`);
  await press(page, 'Control+z');
  await page.waitForNetworkIdle();
  assert.equal(await judged(), ['returned', 'returned'], 'what a colleague has decided since stays');
  await colleague('accepted');
  await page.waitForSelector(`${bar} ::-p-text(Not signed)`, { hidden: true });

  await load(page, `${url}/dashboard/folder/${folder_id}`);
  await page.waitForSelector(`[data-id="${april}"] [title="This is of 2024-25"] ::-p-text(Sent back)`);
  assert.is(await page.$(`[data-id="${may}"] ::-p-text(Sent back)`), null);
  await page.locator(`[data-id="${april}"] [data-check]`).click();
  await press(page, 'i');
  await page.waitForSelector('.details dd ::-p-text(This is of 2024-25)');
  // Wherever else a colleague comes upon it.
  const marked = '[title="This is of 2024-25"] ::-p-text(Sent back)';
  await load(page, `${url}/dashboard/folder/${folder_id}?preview=${april}`);
  await page.waitForSelector(`.preview-layer header ${marked}`);
  const { client } = await world.services.requests.office.view(asha.actor, id);
  await load(page, `${url}/clients/${client.id}`);
  await page.waitForSelector(`ul[aria-label="Newest files"] ${marked}`);
  await load(page, `${url}/recent`);
  await page.waitForSelector(`[data-id="${april}"] ${marked}`);

  // Sent back by an earlier version, which kept no reason.
  await world.db('arrivals').where({ item_id: april }).update({ judged_reason: null });
  await load(page, `${url}/dashboard/folder/${folder_id}`);
  assert.is(await textOf(page, `[data-id="${april}"] ::-p-text(Sent back)`), 'Sent back');
  await load(page, `${url}/dashboard/folder/${folder_id}?preview=${april}`);
  assert.is(await textOf(page, '.preview-layer header ::-p-text(Sent back)'), 'Sent back ·');

  // The document is accepted without it.
  await world.db('arrivals').where({ item_id: april }).update({ judged_reason: 'This is of 2024-25' });
  const how = { state: 'accepted', reason: '' } as const;
  await world.services.requests.office.judge(asha.actor, id, rows[0]!.id, how);
  await load(page, `${url}/dashboard/folder/${folder_id}?preview=${april}&request=${id}`);
  await page.waitForSelector(`${bar} button ::-p-text(Undo for the whole document)`);
  assert.match(await textOf(page, bar), /Sent back\s*This is of 2024-25/);
});

test('where no e-mail is sent, the office is told where it sends back that the client is not', async (office) => {
  const { page, world, asha, url } = office;
  Object.defineProperty(world.services.system, 'sendsEmail', { value: false });
  const { id, line } = await askClient(office, ['Form 16']);
  const { url: link } = await world.services.requests.office.link(asha.actor, id);
  const { rows } = await world.services.requests.office.view(asha.actor, id);
  await sender(world, url, link).files(rows[0]!.id, [['April.pdf', pdf(1)]]);
  const { folder_id, rows: received } = await world.services.requests.office.view(asha.actor, id);
  const april = received[0]!.files[0]!.item_id!;
  await signIn(page, url, ASHA, `/dashboard/folder/${folder_id}?preview=${april}&request=${id}`);
  const bar = '.preview-layer section[aria-label=Request]';
  const said = '::-p-text(The client is not told by e-mail)';
  await page.locator(`${bar} button ::-p-text(Send back...)`).click();
  await page.waitForSelector(`[role=dialog] ${said}`);
  await page.locator('[role=dialog] input[name=reason]').fill('This is of 2024-25');
  await press(page, 'Enter');
  await page.waitForSelector(`${bar} ${said}`);
  // Until its reason is stored, the browser would ask before the page is left.
  await page.waitForSelector('[role=dialog] input[name=reason]', { hidden: true });
  await load(page, `${url}/requests`);
  await page.locator(line).click();
  await page.locator('[role=dialog] button ::-p-text(Undo)').click();
  await page.locator('[aria-label="Send back Form 16"]').click();
  await page.waitForSelector(`[role=dialog] form ${said}`);
});

test('the only file of a document is accepted in its preview, which is taken back there, and what a colleague accepts meanwhile is sent back with the reason that is typed already', async (office) => {
  const { page, world, asha, url } = office;
  const { id } = await askClient(office, ['Rent agreement']);
  const { office: requests } = world.services.requests;
  const { url: link } = await requests.link(asha.actor, id);
  const { rows } = await requests.view(asha.actor, id);
  const row = rows[0]!.id;
  await sender(world, url, link).files(row, [['Rent.pdf', pdf(1)]]);
  const { folder_id, rows: received } = await requests.view(asha.actor, id);
  const file = received[0]!.files[0]!;
  await signIn(page, url, ASHA, `/dashboard/folder/${folder_id}?preview=${file.item_id}&request=${id}`);
  const bar = '.preview-layer section[aria-label=Request]';
  const accept = await page.waitForSelector(`${bar} button ::-p-text(Accept)`);
  await accept!.evaluate((text) => text.closest('button')!.focus());
  for (const next of ['Undo', 'Accept']) {
    await press(page, 'Enter');
    await page.waitForFunction((text) => document.activeElement?.textContent === text, {}, next);
  }
  const { rows: after } = await requests.view(asha.actor, id);
  assert.equal([after[0]!.state, after[0]!.files[0]!.judged], ['received', null]);

  await page.locator(`${bar} button ::-p-text(Send back...)`).click();
  await page.locator('[role=dialog] input[name=reason]').fill('Page 2 is missing');
  await requests.judge(asha.actor, id, row, { state: 'accepted', reason: '' });
  await press(page, 'Enter');
  await waitForText(page, 'A colleague has accepted this meanwhile.');
  await clickButton(page, 'Send back all the same');
  await page.waitForSelector(`${bar} ::-p-text(Page 2 is missing)`);
  assert.is((await requests.view(asha.actor, id)).rows[0]!.state, 'returned');
});

test('what was sent back by mistake is taken back in the request, where its reason is shown once', async (office) => {
  const { page, world, asha, url } = office;
  const { id, line } = await askClient(office, ['Rent agreement']);
  const { office: requests } = world.services.requests;
  const { url: link } = await requests.link(asha.actor, id);
  const { rows } = await requests.view(asha.actor, id);
  await sender(world, url, link).files(rows[0]!.id, [['Rent.pdf', pdf(1)]]);
  await signIn(page, url, ASHA, '/requests');
  await page.locator(line).click();
  await page.locator('[aria-label="Send back Rent agreement"]').click();
  await page.locator('[role=dialog] form input').fill('Page 2 is missing');
  await press(page, 'Enter');
  const undo = '[aria-label="Undo sending back Rent agreement"]';
  await page.waitForSelector(`${undo}:focus`);
  assert.is((await textOf(page, '[role=dialog]')).split('Page 2 is missing').length - 1, 1);
  await press(page, 'Enter');
  await page.waitForSelector('[aria-label="Send back Rent agreement"]:focus');
  assert.equal((await requests.view(asha.actor, id)).rows[0]!.state, 'received');
});

test('on a phone the buttons of a document are level with its title', async (office) => {
  const { page, world, url } = office;
  const { id, line } = await askClient(office, ['Form 16']);
  await world.db('request_rows').where({ request_id: id }).update({ state: 'accepted' });
  await page.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true });
  await signIn(page, url, ASHA, '/requests');
  await page.locator(line).click();
  const button = await page.waitForSelector('[aria-label="Undo accepting Form 16"]');
  const apart = await button!.evaluate((element) => {
    const middle = (box: DOMRect) => box.top + box.height / 2;
    const title = element.closest('li')!.querySelector('p')!;
    return Math.abs(middle(element.getBoundingClientRect()) - middle(title.getBoundingClientRect()));
  });
  assert.ok(apart < 4, `${apart} px`);
});

test('after a request is deleted the focus is on the line that takes its place', async (office) => {
  const { page, url } = office;
  const { line } = await askClient(office, ['Form 16']);
  const { line: next } = await askClient(office, ['PAN']);
  await signIn(page, url, ASHA, '/requests');
  await page.focus(line);
  await press(page, 'Enter');
  await page.locator('[role=dialog] [aria-label="More actions"]').click();
  await clickButton(page, 'Delete request');
  await page.locator('[role=alertdialog] button ::-p-text(Delete request)').click();
  await waitForText(page, 'Request deleted');
  await page.waitForSelector(`${next}:focus`);
});

test('a document is sent back once, however often the button is pressed, and the typed reason survives a failure', async (office) => {
  const { page, world, url } = office;
  const { id, line } = await askClient(office, ['Form 16']);
  await world.db('request_rows').where({ request_id: id }).update({ state: 'unavailable' });
  await signIn(page, url, ASHA, '/requests');
  await page.locator(line).click();
  await page.locator('[aria-label="Send back Form 16"]').click();
  await page.waitForSelector('[role=dialog] form input:focus');
  await press(page, 'Escape');
  await page.waitForSelector('[role=dialog] form', { hidden: true });
  await page.locator('[aria-label="Send back Form 16"]').click();
  await page.locator('[role=dialog] form input').fill('Ask your employer for it');
  await press(page, 'Escape');
  await waitForText(page, 'Discard your changes?');
  await clickButton(page, 'Keep editing');
  const { held } = await holdRequests(page, '/rows/');
  await press(page, 'Enter');
  await press(page, 'Enter');
  await waitForValue(() => held.length, 1);
  await held[0]!.abort();
  await waitForText(page, 'That did not work');
  assert.is(held.length, 1);
  assert.is(await valueOf(office, 'form input'), 'Ask your employer for it');
  await page.locator('[role=dialog] form button[type=submit]').click();
  await waitForValue(() => held.length, 2);
  await held[1]!.continue();
  await waitForText(page, 'Reason: Ask your employer for it');
  await page.waitForSelector('[role=dialog] form', { hidden: true });
  await page.setRequestInterception(false);
  await page.locator('[aria-label="Accept Form 16"]').click();
  await page.waitForSelector('[aria-label="Undo accepting Form 16"]');
});

test('a double click on "Remind now" reminds the client once, since the client gets an e-mail each time', async (office) => {
  const { page, url } = office;
  const { line } = await askClient(office, ['Form 16']);
  await signIn(page, url, ASHA, '/requests');
  await page.locator(line).click();
  const { held, release } = await holdRequests(page, '/remind');
  await page.locator('[role=dialog] button ::-p-text(Remind now)').click({ count: 2 });
  await waitForValue(() => held.length, 1);
  await release();
  await waitForText(page, 'The client was reminded by e-mail');
  assert.is(held.length, 1);
  const reminders = (await office.world.deliverMail()).filter(({ to }) => to.address === 'meera@example.in');
  assert.is(reminders.length, 1);
});

test('a request is closed only after a question, as in the list of everything shared, and its dialog says that it is closed, as does the page of the client, with whom to ask', async (office) => {
  const { page, url, world, asha } = office;
  const { id, line } = await askClient(office, ['Form 16']);
  const { url: link } = await world.services.requests.office.link(asha.actor, id);
  await signIn(page, url, ASHA, '/requests?state=all');
  await page.locator(line).click();
  await waitForText(page, 'Waiting for the client');
  await page.locator('[role=dialog] [aria-label="More actions"]').click();
  await clickButton(page, 'Close request');
  await page.locator('[role=alertdialog] button ::-p-text(Close the request)').click();
  await page.waitForSelector('[role=dialog] ::-p-text(Closed)');
  const closed = await page.goto(url + new URL(link).pathname);
  assert.is(closed!.status(), 410);
  await waitForText(page, `ask ${asha.user.name} of ${asha.user.firm_name}`);
  await waitForText(page, ASHA.email);
});

test('Esc and Cancel ask before they discard the changes of an edited request', async (office) => {
  const { page, url } = office;
  const { line } = await askClient(office, ['Form 16']);
  await signIn(page, url, ASHA, '/requests');
  await page.locator(line).click();
  const edit = async () => {
    await page.locator('[role=dialog] [aria-label="More actions"]').click();
    await clickButton(page, 'Edit');
    await page.waitForSelector('[role=dialog] [name=title]');
  };
  await edit();
  await press(page, 'Escape');
  await page.waitForSelector('[role=dialog] [name=title]', { hidden: true });
  await edit();
  await replaceText(page, '[role=dialog] [name=title]', 'ITR for the bank');
  await press(page, 'Escape');
  await waitForText(page, 'Discard your changes?');
  await clickButton(page, 'Keep editing');
  await page.waitForSelector('[role=alertdialog]', { hidden: true });
  assert.is(await valueOf(office, '[name=title]'), 'ITR for the bank');
  await clickButton(page, 'Cancel');
  await waitForText(page, 'Discard your changes?');
  await clickButton(page, 'Discard');
  await page.waitForSelector('[role=dialog] [name=title]', { hidden: true });
});

test.run();
