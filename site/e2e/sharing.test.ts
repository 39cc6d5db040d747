import * as assert from 'uvu/assert';
import { COUNTED_MOST } from '#server/documents/details/contract.ts';
import { load, openPage, signIn } from '#server/testing/browser.ts';
import { until } from '#server/testing/until.ts';
import { pdf } from '#server/tools/samples.ts';
import { askClient } from './asked.ts';
import { violations } from './axe.ts';
import { holdRequests } from './held-requests.ts';
import { ASHA, officeSuite, waitForText, waitForValue } from './office.ts';
import { pathOfLink } from './share-link.ts';

const test = officeSuite('sharing by a link');

test('more items than one link can share are refused before the link is filled in, a warning says which of very many were looked at, and Esc keeps addresses to which it was not sent', async (office) => {
  const { page, world, asha } = office;
  const { id: parent_id } = await world.build.folder(asha.actor, 'Bills');
  await world.build.file(asha.actor, { name: 'bill.txt', parent_id });
  const { id: _, ...bill } = await world.db('item_rows').where({ name: 'bill.txt' }).first();
  const bills = Array.from({ length: 500 }, (__, nth) => ({
    ...bill,
    name: `bill ${nth}.txt`,
    name_key: `bill ${nth}.txt`,
    blob_id: `${nth}`.padStart(64, 'e'),
  }));
  await world.db.batchInsert('item_rows', bills, 20);
  await signIn(page, office.url, ASHA, `/dashboard/folder/${parent_id}`);
  await page.waitForSelector('[data-id]');
  await page.focus('.item-grid');
  await page.keyboard.down('Control');
  await page.keyboard.press('a');
  await page.keyboard.up('Control');
  await waitForText(page, '501 selected');
  await page.locator('main button[data-needs=share] ::-p-text(Share)').click();
  await waitForText(page, 'One link can share at most 500 items');
  await page.waitForSelector('[role=dialog] button[disabled] ::-p-text(Create link)');
  await page.keyboard.press('Escape');

  const columns = Object.keys(bill);
  const differing: Record<string, string> = {
    name: "n || '.txt'",
    name_key: "n || '.txt'",
    blob_id: 'hex(n)',
  };
  await world.db.raw(
    `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${COUNTED_MOST})
     INSERT INTO item_rows (${columns.join()}) SELECT ${columns.map((column) => differing[column] ?? `b.${column}`).join()}
     FROM item_rows b CROSS JOIN numbers WHERE b.name = 'bill.txt'`,
  );
  await load(page, `${office.url}/dashboard`);
  await page.locator(`[data-id="${parent_id}"] [data-menu]`).click();
  await page.locator('[role=menuitem] ::-p-text(Share...)').click();
  await waitForText(page, 'only the first were looked at for documents of other clients');
  await page.locator('[role=dialog] button ::-p-text(Create link)').click();
  await page.locator('[role=dialog] form textarea').fill('meera@example.in');
  await page.keyboard.press('Escape');
  await waitForText(page, 'Discard your changes?');
  await page.locator('[role=alertdialog] button ::-p-text(Keep editing)').click();
  await page.locator('[role=dialog] form button[type=submit]').click();
  await waitForText(page, 'Sent to');
  await page.keyboard.press('Escape');
  await page.waitForSelector('[role=dialog]', { hidden: true });
});

test('a folder is shared from its menu, with a warning if it holds documents of several clients, and opened by an outsider without JavaScript; once revoked, the link looks like one that never existed', async (office) => {
  const { page, browser, world, asha } = office;
  const folder = await world.build.folder(asha.actor, 'Sharma Traders');
  await world.build.file(asha.actor, { name: 'note.txt', parent_id: folder.id });
  for (const name of ['Meera Iyer', 'Rao & Co']) {
    const client_id = await world.build.client(asha.actor, name);
    await world.build.file(asha.actor, { name: `${name}.csv`, parent_id: folder.id, client_id });
  }
  await signIn(page, office.url, ASHA, '/dashboard');
  await page.locator(`[data-id="${folder.id}"] [data-menu]`).click();
  await waitForText(page, 'Share...');
  await page.locator('[role=menuitem] ::-p-text(Share...)').click();
  await waitForText(page, 'Only for files and folders that are all linked to the same client');
  await waitForText(page, 'Whoever opens this link sees documents of 2 clients');
  await waitForText(page, 'No client: 1 document');
  const theirs = await page.waitForSelector('[role=dialog] li a ::-p-text(Meera Iyer)');
  const href = await theirs!.evaluate((name) => name.closest('a')!.href);
  assert.is(href, `${office.url}/dashboard/folder/${folder.id}?search=client%3A%22Meera+Iyer%22`);
  await page.locator('[role=dialog] button ::-p-text(Create link)').click();
  const link = await page.waitForSelector('[role=dialog] input[readonly]');
  const url = await link!.evaluate((input) => (input as HTMLInputElement).value);
  const path = new URL(url).pathname;

  const outside = await openPage(browser, { width: 390, height: 844 });
  await outside.setJavaScriptEnabled(false);
  const response = await outside.goto(office.url + path);
  const headers = response!.headers();
  assert.equal([headers['referrer-policy'], headers['x-robots-tag']], ['no-referrer', 'noindex, nofollow']);
  const token = path.slice('/s/'.length);
  assert.not.match(await outside.title(), token);
  await waitForText(outside, 'note.txt');
  const unknown = await outside.goto(`${office.url}/s/${'x'.repeat(43)}`);
  assert.is(unknown!.status(), 404);
  const unknownPage = await outside.$eval('main', (main) => main.textContent);

  await page.locator('[role=dialog] button ::-p-text(Done)').click();
  await page.locator('[aria-label="Clear the selection"]').click();
  await page.locator('[aria-label="Grid"]').click();
  await page.waitForSelector(`.item-tiles [data-id="${folder.id}"] [aria-label="Shared by a link"]`);
  const { client: client_id } = await askClient(office, ['Form 16']);
  await world.services.drops.make(asha.actor, { client_id, file_mb: 50, max_files: 1000 });
  await load(page, `${office.url}/shared`);
  await waitForText(page, 'Sharma Traders');
  await waitForText(page, 'Anything the client sends');
  await page.locator('[aria-label="Close the request “ITR papers”"]').click();
  await page.locator('[role=alertdialog] button ::-p-text(Close the request)').click();
  await waitForText(page, 'Request closed');
  assert.equal(await violations(page), []);
  await page.locator('[aria-label="Revoke the link to “Sharma Traders”"]').click();
  await page.locator('[role=alertdialog] button ::-p-text(Revoke the link)').click();
  await waitForText(page, 'Link revoked');
  const ended = await outside.goto(office.url + path);
  assert.is(ended!.status(), 404);
  assert.is(
    await outside.$eval('main', (main) => main.textContent),
    unknownPage,
    'the same page as of an unknown link',
  );
  await outside.close();
});

test('of several items, those to which there is a link already are named, also after one of them was to be shared alone', async (office) => {
  const { page, world, asha } = office;
  const shared = await world.build.folder(asha.actor, 'Scans to sort');
  await world.build.folder(asha.actor, 'Meera Iyer');
  await pathOfLink(office, [shared.id]);
  await signIn(page, office.url, ASHA, '/dashboard');
  await page.locator(`[data-id="${shared.id}"] [data-menu]`).click();
  await page.locator('[role=menuitem] ::-p-text(Share...)').click();
  await waitForText(page, 'There is a link to this already');
  await page.keyboard.press('Escape');
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await page.focus('.item-grid');
  await page.keyboard.down('Control');
  await page.keyboard.press('a');
  await page.keyboard.up('Control');
  await page.locator('main button[data-needs=share] ::-p-text(Share)').click();
  await waitForText(page, 'there is a link already to:');
  const named = await page.$$eval('[role=dialog] li a', (all) =>
    all.map((one) => [one.textContent, one.pathname + one.search]),
  );
  assert.equal(named, [['Scans to sort', `/shared?item=${shared.id}`]]);
  assert.not.match(await page.$eval('[role=dialog]', (dialog) => dialog.textContent), 'to this already');
});

test('all clients whose documents a link would show can be read and opened by keyboard before it is made', async (office) => {
  const { page, world, asha } = office;
  const { id: parent_id } = await world.build.folder(asha.actor, 'Mixed');
  for (let n = 1; n <= 7; n += 1) {
    const client_id = await world.build.client(asha.actor, `Client ${n}`);
    await world.build.file(asha.actor, { name: `Form 16 of ${n}.txt`, parent_id, client_id });
  }
  await signIn(page, office.url, ASHA, '/dashboard');
  await page.locator(`[data-id="${parent_id}"] [data-menu]`).click();
  await page.locator('[role=menuitem] ::-p-text(Share...)').click();
  await waitForText(page, 'sees documents of 7 clients:');
  const shown = () =>
    page.$$eval('[role=dialog] li > a', (all) => all.filter((one) => one.checkVisibility()).length);
  assert.is(await shown(), 5);
  await page.focus('[role=dialog] summary');
  await page.keyboard.press('Enter');
  await waitForValue(shown, 7);
  assert.is(await page.$eval('[role=dialog] summary', (one) => one.textContent), 'and 2 more');
  assert.equal(await violations(page), []);
});

test('a link whose answer is slow is not lost by Esc, since it is shown only once, and one that was just made, as for the wrong folder, is revoked from its dialog', async (office) => {
  const { page, world, asha } = office;
  const { id } = await world.build.file(asha.actor, { name: 'a.csv' });
  await signIn(page, office.url, ASHA, '/dashboard');
  await page.locator(`[data-id="${id}"] [data-menu]`).click();
  await page.locator('[role=menuitem] ::-p-text(Share...)').click();
  await page.waitForSelector('[role=dialog] form [type=submit]');
  const { held, release } = await holdRequests(page, '/api/shares');
  await page.locator('[role=dialog] button ::-p-text(Create link)').click();
  await waitForValue(() => held.some((request) => request.method() === 'POST'), true);
  await page.keyboard.press('Escape');
  await release();
  await page.locator('[role=dialog] button ::-p-text(Revoke...)').click();
  await waitForText(page, 'Revoke the link to “a.csv”?');
  await page.locator('[role=alertdialog] button ::-p-text(Revoke the link)').click();
  await waitForText(page, 'Link revoked');
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await page.waitForSelector('[aria-label="Shared by a link"]', { hidden: true });
  const [link] = await world.services.sharing.links.list(asha.actor);
  assert.is(link!.state, 'revoked');
});

test('a link that covers Aadhaar numbers says which files it withholds, why and what to do once it is made and in the list, since a file may not have been read before', async (office) => {
  const { page, world, asha } = office;
  const content = 'Name,Aadhaar\nRamesh,234567890124\n';
  const { id } = await world.build.file(asha.actor, { name: 'staff.csv', content });
  await signIn(page, office.url, ASHA, '/dashboard');
  await page.locator(`[data-id="${id}"] [data-menu]`).click();
  await page.locator('[role=menuitem] ::-p-text(Share...)').click();
  await page.locator('[role=dialog] label ::-p-text(Cover Aadhaar numbers)').click();
  await page.locator('[role=dialog] button ::-p-text(Create link)').click();
  await waitForText(page, 'The link is ready');
  await waitForText(page, 'staff.csv: it has a number in it, and is no PDF or picture. Share it as a PDF.');
  await load(page, `${office.url}/shared`);
  await waitForText(page, '1 file is withheld from them: staff.csv. Change the link to see why');
  assert.equal(await violations(page), []);
});

test('a link that does not cover Aadhaar numbers never says that they are covered, and warns of those known before it is made', async (office) => {
  const { page, world, asha } = office;
  const content = 'Name,Aadhaar\nRamesh,234567890124\n';
  const { id } = await world.build.file(asha.actor, { name: 'staff.csv', content });
  const check = { ids: [id], open_locked: false, prepare: true };
  await until(async () => (await world.services.sharing.links.check(asha.actor, check)).waiting === 0);
  await signIn(page, office.url, ASHA, '/dashboard');
  await page.locator(`[data-id="${id}"] [data-menu]`).click();
  await page.locator('[role=menuitem] ::-p-text(Share...)').click();
  await waitForText(page, '1 file has an Aadhaar number, which this link does not cover.');
  await page.locator('[role=dialog] button ::-p-text(Create link)').click();
  await waitForText(page, 'The link is ready');
  assert.not.match(await page.$eval('[role=dialog]', (dialog) => dialog.textContent), /covered|withheld/);
});

test('the recipient of a link is told that a file is opening, since its pages may take a while to be drawn', async (office) => {
  const { page, world, asha, url } = office;
  const ids: number[] = [];
  for (const name of ['a.csv', 'b.csv']) ids.push((await world.build.file(asha.actor, { name })).id);
  await load(page, url + (await pathOfLink(office, ids, { mode: 'view' })));
  const drawing = await holdRequests(page, '/v/');
  // Chromium answers no question about a page that is being left; the page has to report by itself.
  const told: string[] = [];
  page.on('console', (message) => told.push(message.text()));
  await page.$eval('#opening', (status) => {
    new MutationObserver(() => console.info(status.textContent)).observe(status, { childList: true });
  });
  await page.locator('a ::-p-text(a.csv)').click();
  await until(() => told.includes('Opening...'));
  await drawing.release();
  await page.waitForFunction(() => location.pathname.includes('/v/'));
});

test('the next pages of a long document are added below the others, which keep their place, and are reached by links without JavaScript', async (office) => {
  const { page, world, asha, url } = office;
  const content = pdf(Array.from({ length: 70 }, (_, n) => [`Ledger ${n + 1}`]));
  const { id } = await world.build.file(asha.actor, { name: 'ledger.pdf', content });
  const path = `${await pathOfLink(office, [id])}/v/${id}`;
  await page.setViewport({ width: 390, height: 844 });
  // A slow machine is told to open it again until it is drawn.
  await until(async () => {
    await load(page, url + path);
    return (await page.$('#page-range')) !== null;
  });
  await waitForText(page, 'Pages 1–30 of 70');
  const images = () => page.$$eval('main img', (all) => all.length);
  const heights = () =>
    page.$$eval('main img', (all) => [...new Set(all.map((one) => Math.round(one.clientHeight)))]);
  await page.waitForFunction(() => document.querySelector('img')?.naturalHeight);
  assert.is((await heights()).length, 1, 'a page that is not loaded yet has the height of one that is');
  await page.focus('#more-pages');
  const top = await page.$eval('#more-pages', (link) => link.getBoundingClientRect().top + scrollY);
  await page.keyboard.press('Enter');
  await waitForText(page, 'Pages 1–60 of 70');
  assert.is(await images(), 60);
  const below = await page.$$eval('main img', (all) => all[30]!.getBoundingClientRect().top + scrollY);
  assert.ok(Math.abs(below - top) < 40, 'the next page is where the button was');
  await page.keyboard.press('Enter');
  await waitForText(page, 'Pages 1–70 of 70');
  assert.is(await page.$('#more-pages'), null);
  assert.is(await page.evaluate(() => document.activeElement?.id), 'page-range', 'the focus is not lost');

  await page.setJavaScriptEnabled(false);
  // Without JavaScript no image is lazy: all of them would have to be drawn first.
  const go = (address: string) => page.goto(address, { waitUntil: 'domcontentloaded' });
  const follow = async (selector: string) =>
    go(await page.$eval(selector, (link) => (link as HTMLAnchorElement).href));
  await go(url + path);
  await follow('#more-pages');
  await waitForText(page, 'Pages 31–60 of 70');
  await waitForText(page, 'Page 31 of 70');
  await follow('a[href*="from=1#"]');
  await waitForText(page, 'Pages 1–30 of 70');
  await page.emulateMediaType('print');
  assert.is(await page.$eval('body', ({ innerText }) => innerText.trim()), '', 'paper gets only the pages');
});

test('a page counts its downloads down without being loaded again, and says when they are used up, but only to a browser that has downloaded', async (office) => {
  const { page, browser, world, asha, url } = office;
  const { id } = await world.build.file(asha.actor, { name: 'a.csv' });
  const path = await pathOfLink(office, [id], { max_downloads: 2 });
  const other = await openPage(browser);
  await load(page, url + path);
  await waitForText(page, '2 more downloads are possible');
  await page.locator('main button ::-p-text(Download)').click();
  await waitForText(page, '1 more download is possible');
  await page.locator('[aria-label="Download a.csv"]').click();
  await waitForText(page, 'All downloads are used up');
  assert.is(await page.evaluate(() => document.activeElement?.tagName), 'H1', 'the focus is not lost');
  assert.is(await page.$('main form'), null);
  assert.is((await world.db('share_links').first('downloads')).downloads, 2);
  assert.equal(await violations(page), []);

  await page.setJavaScriptEnabled(false);
  assert.is((await page.goto(url + path))!.status(), 410);
  await waitForText(page, 'Ask Asha Rao of');
  await page.setJavaScriptEnabled(true);
  await other.goto(url + path);
  await waitForText(other, 'This link is not available');
  await other.close();
});

test.run();
