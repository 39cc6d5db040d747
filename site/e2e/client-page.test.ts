import * as assert from 'uvu/assert';
import { signIn } from '#server/testing/browser.ts';
import { askClient } from './asked.ts';
import { violations } from './axe.ts';
import { press, clickButton } from './drive.ts';
import type { Office } from './office.ts';
import { ASHA, waitForValue, officeSuite, pathOf, textOf, waitForText } from './office.ts';

const test = officeSuite("a client's page");

async function addClient({ world, asha }: Office): Promise<number> {
  const { build, services } = world;
  const client = await build.client(asha.actor, 'Sharma Traders', {
    pan: 'AAACZ0000A',
    gstin: '29AAACZ0000A1Z5',
    phone: '9840054321',
    email: 'sharma@example.in',
    address: '12 MG Road\nPune',
    notes: 'en',
  });
  const folder = await build.folder(asha.actor, 'Sharma');
  await build.file(asha.actor, { name: 'Form 16.pdf', parent_id: folder.id });
  await services.documents.setClient(asha.actor, folder.id, { client_id: client });
  return client;
}

test("a click on a client's row opens the client's page, from which files are shared and a folder is made", async (office) => {
  const { page } = office;
  const id = await addClient(office);
  await signIn(page, office.url, ASHA, '/clients');
  // Not on the name: the whole row is a link.
  await page.locator('[data-id] .client-type').click();
  await page.waitForFunction(() => location.pathname.startsWith('/clients/'));
  await waitForValue(() => pathOf(page), `/clients/${id}`);
  for (const text of ['AAACZ0000A', '29AAACZ0000A1Z5', 'Form 16.pdf', 'FY 2026-27', '12 MG Road'])
    await waitForText(page, text);
  await page.waitForSelector('main dd ::-p-text(en)');
  assert.not.match(await textOf(page, 'main'), 'English', 'nobody has chosen a language');
  assert.match(await page.title(), /^Sharma Traders/);
  const currentLink = await page.$eval('.sidebar [aria-current=page]', (link) => link.getAttribute('href'));
  assert.is(currentLink, '/clients');
  assert.equal(await violations(page), []);
  await clickButton(page, 'Share...');
  await waitForText(page, 'Share “Sharma”');
  const recipients = await page.$eval('[role=dialog] textarea', ({ value }) => value);
  assert.is(recipients, 'sharma@example.in', 'only the client can open the link');
  await page.locator('[role=dialog] button ::-p-text(Create link)').click();
  await page.waitForSelector('[role=dialog] input[readonly]');
  await page.locator('[role=dialog] button ::-p-text(Done)').click();
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await clickButton(page, 'New Folder');
  await page.waitForSelector('[role=dialog] input:focus');
  await press(page, 'Enter');
  await page.waitForFunction(() => location.pathname.startsWith('/dashboard/folder/'));
  await waitForText(page, 'Sharma Traders');
});

test('after the search has led to a client, arrows scroll at once, and Enter on a newest file opens it', async (office) => {
  const { page } = office;
  const id = await addClient(office);
  await signIn(page, office.url, ASHA, '/dashboard');
  await press(page, 'Control+k');
  await page.waitForSelector('.global-search:focus');
  await page.keyboard.type('Sharma');
  await page.waitForSelector('[role=option] ::-p-text(Sharma Traders)');
  await press(page, 'ArrowDown');
  await press(page, 'Enter');
  await waitForValue(() => pathOf(page), `/clients/${id}`);
  await page.waitForSelector('.client-page:focus');
  await page.focus('[aria-label="Newest files"] a');
  await press(page, 'Enter');
  await page.waitForSelector('.preview-layer ::-p-text(Form 16.pdf)');
});

test('on a phone the name, the buttons and a hold scroll away, and a long reason is shown when it is asked for', async (office) => {
  const { page, world, asha } = office;
  const id = await addClient(office);
  const reason = `Notice u/s 148, ${'with a reason that goes on and on '.repeat(6)}to its end`;
  await world.services.holds.place(asha.actor, id, { reason });
  await page.setViewport({ width: 390, height: 844 });
  await signIn(page, office.url, ASHA, `/clients/${id}`);
  const heightOf = () =>
    page.$eval('[aria-label="Legal hold"]', (banner) => banner.getBoundingClientRect().height);
  const height = await heightOf();
  const rightOf = (selector: string) =>
    page.$eval(selector, (element) => element.getBoundingClientRect().right);
  assert.is(await rightOf('.client-page'), await rightOf('[aria-label="Legal hold"]'));
  assert.equal(await violations(page), []);
  await clickButton(page, 'Show the whole reason');
  await waitForText(page, 'Show less');
  assert.ok((await heightOf()) > height);
  await page.$eval('.screen', (screen) => screen.scrollTo(0, 9999));
  await page.waitForFunction(() => document.querySelector('h1')!.getBoundingClientRect().bottom < 0);
});

test("the client's page lists the open requests with what is missing, each a link that opens it", async (office) => {
  const { page } = office;
  const id = await addClient(office);
  const asked = await askClient(office, ['Form 16', 'PAN'], id);
  await signIn(page, office.url, ASHA, `/clients/${id}`);
  const list = 'main ul[aria-label=Requests]';
  await page.waitForSelector(`${list} ::-p-text(2 missing)`);
  assert.equal(await violations(page), []);
  await page.locator(`${list} ::-p-text(ITR papers)`).click();
  await page.waitForSelector('[role=dialog] ::-p-text(Asked by Asha Rao)');
  assert.is(page.url(), `${office.url}/requests?request=${asked.id}`);
});

test('an edit of the client shows at once on its page, and deleting the client leads back to the list', async (office) => {
  const { page } = office;
  const id = await addClient(office);
  await signIn(page, office.url, ASHA, `/clients/${id}`);
  await page.locator('main ::-p-text(Edit)').click();
  await page.locator('[role=dialog] [name=city]').fill('Pune');
  await clickButton(page, 'Update');
  await page.waitForSelector('main dd ::-p-text(Pune)');
  // What lies under a dialog takes no clicks until it has faded.
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await page.locator('[aria-label="More actions"]').click();
  await clickButton(page, 'Delete');
  await waitForText(page, '1 file and 1 folder are linked to this client');
  await clickButton(page, 'Delete “Sharma Traders”');
  await page.waitForFunction(() => location.pathname === '/clients');
});

test('a colleague who deletes the client that is being edited destroys nothing that was typed, and saving it leads to the page of the new client', async (office) => {
  const { page, world, asha } = office;
  const id = await addClient(office);
  await signIn(page, office.url, ASHA, `/clients/${id}`);
  await page.locator('main ::-p-text(Edit)').click();
  await page.locator('[role=dialog] [name=city]').fill('Pune');
  const ravi = await world.build.colleague(asha.actor, { name: 'Ravi Kumar', role: 'manager' });
  await world.services.clients.remove(ravi.actor, id);
  // The page under the dialog knows of it as well.
  await page.waitForSelector('main [role=alert]');
  await page.locator('::-p-text(Create it as a new client)').click();
  await clickButton(page, 'Create Client');
  await page.waitForFunction(
    (deleted) => !location.pathname.endsWith(`/${deleted}`) && location.pathname.startsWith('/clients/'),
    {},
    id,
  );
  await page.waitForSelector('main dd ::-p-text(Pune)');
});

test('a linked folder that is empty is told from no folder at all', async (office) => {
  const { page, world, asha } = office;
  const client = await world.build.client(asha.actor, 'Sharma Traders');
  await signIn(page, office.url, ASHA, `/clients/${client}`);
  await waitForText(page, 'No files are linked to this client yet.');
  const folder = await world.build.folder(asha.actor, 'Sharma');
  await world.services.documents.setClient(asha.actor, folder.id, { client_id: client });
  await waitForText(page, '1 folder is linked to this client; there are no files in it yet.');
});

test("the page of another firm's client answers 404 like that of one that never existed", async (office) => {
  const { page, world } = office;
  const stranger = await world.build.actor();
  const foreign = await world.build.client(stranger);
  await signIn(page, office.url, ASHA, '/clients');
  for (const id of [foreign, 99_999, 'abc']) {
    const answer = await page.goto(`${office.url}/clients/${id}`);
    assert.is(answer?.status(), 404);
    await waitForText(page, 'This client is not here');
  }
});

test.run();
