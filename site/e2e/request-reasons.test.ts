import * as assert from 'uvu/assert';
import { signIn } from '#server/testing/browser.ts';
import { askClient, valueOf } from './asked.ts';
import { clickButton, press } from './drive.ts';
import type { Office } from './office.ts';
import { ASHA, officeSuite, waitForText, waitForValue } from './office.ts';

const test = officeSuite('the reason for which a document is sent back');

const REASON = 'This is of 2024-25';

/** Opens a request with one document to judge, and types a reason. @returns its id and that of its document. */
async function typeReason(office: Office): Promise<{ id: number; row: number }> {
  const { page, world, asha, url } = office;
  const { id, line } = await askClient(office, ['Form 16']);
  await world.db('request_rows').where({ request_id: id }).update({ state: 'unavailable', reason: '' });
  const { rows } = await world.services.requests.office.view(asha.actor, id);
  await signIn(page, url, ASHA, '/requests');
  await page.locator(line).click();
  await page.locator('[aria-label="Send back Form 16"]').click();
  await page.locator('[role=dialog] form input').fill(REASON);
  return { id, row: rows[0]!.id };
}

test('the typed reason stays while the acceptance of a colleague is undone, which the refusal to send it asks for; sent, it is taken back by Ctrl+Z', async (office) => {
  const { page, world, asha } = office;
  const { id, row } = await typeReason(office);
  await world.services.requests.office.judge(asha.actor, id, row, { state: 'accepted', reason: '' });
  await page.locator('[aria-label="Undo accepting Form 16"]').click();
  await page.waitForSelector('[aria-label="Accept Form 16"]');
  assert.is(await valueOf(office, 'form input'), REASON);
  await page.focus('[role=dialog] form input');
  await press(page, 'Enter');
  await waitForText(page, `Reason: ${REASON}`);
  await page.waitForSelector('[aria-label="Undo sending back Form 16"]:focus');
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'PATCH' && sent.push(request.url()));
  await page.locator('[role=dialog] [aria-label="More actions"]').click();
  await page.locator('[role=menuitem] ::-p-text(Close request)').click();
  await page.waitForSelector('[role=alertdialog]');
  await press(page, 'Control+z');
  await press(page, 'Escape');
  await page.waitForSelector('[role=alertdialog]', { hidden: true });
  assert.equal(sent, [], 'the key is not for what lies below a question');
  await press(page, 'Control+z');
  await page.waitForSelector('[aria-label="Send back Form 16"]');
  await press(page, 'Control+z');
  await waitForText(page, 'Nothing to undo');
});

test('the typed reason is shown to copy when a colleague deletes the request, and the dialog says that it is gone and asks for it no more', async (office) => {
  const { page, world, asha } = office;
  await page.evaluateOnNewDocument(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'));
    document.execCommand = () => false;
  });
  const { id } = await typeReason(office);
  const ravi = await world.build.colleague(asha.actor, { name: 'Ravi Kumar', role: 'manager' });
  await world.services.requests.office.remove(ravi.actor, id);
  await waitForText(page, 'This request was deleted, or its client is not assigned to you any more.');
  await page.waitForSelector(`[role=dialog] [role=alert] ::-p-text(${REASON})`);
  await clickButton(page, 'Copy text');
  await waitForText(page, 'The browser does not allow copying here. Select the text and copy it.');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await world.build.client(ravi.actor, 'Anil Desai');
  await waitForValue(() => asked.includes('/api/requests'), true);
  assert.not(asked.includes(`/api/requests/${id}`), 'it is not asked for with each change');
  await press(page, 'Escape');
  await waitForText(page, 'Discard your changes?');
});

test('in a low window the whole form for the reason is in sight', async (office) => {
  const { page } = office;
  await page.setViewport({ width: 683, height: 384 });
  await typeReason(office);
  const [form, dialog] = await page.$eval('[role=dialog] form', (element) =>
    [element, element.closest('[role=dialog]')!].map((box) => box.getBoundingClientRect().bottom),
  );
  assert.ok(form! <= dialog!, `the form ends at ${form}, the dialog at ${dialog}`);
});

test('a typed reason to send a document back is kept while the request is edited', async (office) => {
  const { page, world, url } = office;
  const { id, line } = await askClient(office, ['Form 16', 'Bank statement']);
  await world.db('request_rows').where({ request_id: id }).update({ state: 'unavailable' });
  await signIn(page, url, ASHA, '/requests');
  await page.locator(line).click();
  await page.locator('[aria-label="Send back Form 16"]').click();
  await page.locator('[role=dialog] form input').fill('Ask your employer for it');
  await page.locator('[role=dialog] [aria-label="More actions"]').click();
  await clickButton(page, 'Edit');
  await page.waitForSelector('[role=dialog] [name=title]');
  await press(page, 'Escape');
  await page.waitForSelector('[role=dialog] [name=title]', { hidden: true });
  assert.is(await valueOf(office, 'form input'), 'Ask your employer for it');

  await page.locator('[role=dialog] [aria-label="More actions"]').click();
  await clickButton(page, 'Edit');
  await page.locator('[role=dialog] textarea[name=rows]').fill('Bank statement');
  await clickButton(page, 'Save');
  await page.waitForSelector('[role=dialog] [name=title]', { hidden: true });
  await page.waitForSelector('[aria-label="Send back Form 16"]', { hidden: true });
  await press(page, 'Escape');
  await page.waitForSelector('[role=dialog]', { hidden: true });
  assert.is(await page.$('[role=alertdialog]'), null, 'of a removed document nothing is left to ask about');
});

test.run();
