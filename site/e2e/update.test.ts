import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { createAssets } from '#server/http/assets.ts';
import { builtSite, load } from '#server/testing/browser.ts';
import { violations } from './axe.ts';
import { dropTree } from './drops.ts';
import { enterDrive, press, clickRow, row, rowSelector } from './drive.ts';
import type { UploadProxy } from './line.ts';
import { openUploadProxy } from './line.ts';
import type { Office } from './office.ts';
import { waitForValue, officeSuite, pathOf, waitForText } from './office.ts';

const CLIENT = join(import.meta.dirname, '../../dist/client');

const test = officeSuite<{ built: string; line: UploadProxy }>('a page that is older than the server');
test.before.each(async (office) => {
  // A copy, since the tests beside use what was built too.
  office.built = await mkdtemp(join(tmpdir(), 'built-'));
  await cp(CLIENT, office.built, { recursive: true });
  const { render } = await builtSite();
  office.line = await openUploadProxy(
    await office.world.serve({ site: { render, assets: createAssets(office.built) } }),
  );
  office.url = office.line.url;
});
test.after.each(async ({ built, line }) => {
  line.close();
  await rm(built, { recursive: true, force: true });
});

/** As an update does: the files of this part are gone. */
async function lose({ built, page }: Office & { built: string }, part: string): Promise<void> {
  page.expected.push(new RegExp(`/_astro/${part}\\.`));
  const folder = join(built, '_astro');
  const lost = (await readdir(folder)).filter((name) => name.startsWith(`${part}.`));
  assert.ok(lost.length > 0, `${part} is a part of its own`);
  await Promise.all(lost.map((name) => rm(join(folder, name))));
}

const notice = '[data-outdated]';

test('a dialog that does not load leaves the list as it is, and offers to reload', async (office) => {
  const { page, world, asha } = office;
  await world.build.file(asha.actor, { name: 'Bill.pdf' });
  await enterDrive(office);
  await lose(office, 'Dialogs');
  await press(page, 'Alt+n');
  await page.waitForSelector(notice);
  await row(page, 'Bill.pdf');
  assert.equal(await violations(page), []);
  await page.locator(`${notice} button`).click();
  await page.waitForSelector(notice, { hidden: true });
  await row(page, 'Bill.pdf');
});

test('a preview that does not load leads back to the list, and says so', async (office) => {
  const { page, world, asha } = office;
  await world.build.file(asha.actor, { name: 'Bill.pdf' });
  await enterDrive(office);
  await lose(office, 'Preview');
  await page.locator(`${rowSelector('Bill.pdf')} a`).click();
  await page.waitForSelector(notice);
  await row(page, 'Bill.pdf');
  await page.waitForFunction(() => location.search === '');
  await waitForValue(() => pathOf(page), '/dashboard');
});

test('a viewer that does not load leaves the preview open, and says so in its place', async (office) => {
  const { page, world, asha } = office;
  await world.build.file(asha.actor, { name: 'Ledger.csv', content: 'Name,PAN\nAsha,ABCPE1234F\n' });
  await enterDrive(office);
  await lose(office, 'TableViewer');
  page.expected.push(/A part of the page failed/);
  await page.locator(`${rowSelector('Ledger.csv')} a`).click();
  await waitForText(page, 'This part of the page could not be shown');
  await page.waitForSelector('[aria-label="Preview of Ledger.csv"]');
});

for (const [part, path] of [
  ['Clients', '/clients'],
  ['SignInForm', '/login'],
] as const) {
  test(`a screen of which nothing works since its script did not load says so (${path})`, async (office) => {
    const { page, url } = office;
    if (path !== '/login') await enterDrive(office);
    await lose(office, part);
    page.expected.push(/Error hydrating/);
    await page.goto(url + path);
    await page.waitForSelector(notice);
    assert.equal(await violations(page), []);
    await Promise.all([page.waitForNavigation(), page.locator(`${notice} button`).click()]);
  });
}

test('Delete asks although the part that asks has gone, since it was fetched before', async (office) => {
  const { page, world, asha } = office;
  await world.build.file(asha.actor, { name: 'Bill.pdf' });
  const part = page.waitForResponse((response) => /\/ConfirmHost\./.test(response.url()));
  await enterDrive(office);
  await part;
  await page.waitForNetworkIdle({ idleTime: 300 });
  await lose(office, 'ConfirmHost');
  await clickRow(page, 'Bill.pdf');
  await press(page, 'Delete');
  await waitForText(page, "Delete 'Bill.pdf'?");
});

test('toasts that do not load offer to reload, so that nobody waits for an answer', async (office) => {
  const { page, world, asha } = office;
  await world.build.file(asha.actor, { name: 'Bill.pdf' });
  await enterDrive(office);
  await lose(office, 'Toasts');
  await clickRow(page, 'Bill.pdf');
  await press(page, 'Delete');
  await waitForText(page, "Delete 'Bill.pdf'?");
  await press(page, 'Tab');
  await page.locator('[role="alertdialog"] footer button:last-child').click();
  await page.waitForSelector(notice);
});

test('a click that leads to a newer version loads it whole, so that parts of two versions never meet', async (office) => {
  const { page, url } = office;
  await enterDrive(office);
  await page.evaluate('window.older = 1');
  await page.setRequestInterception(true);
  page.on('request', async (request) => {
    if (!request.url().endsWith('/clients') || request.isNavigationRequest()) return request.continue();
    const answer = await page.evaluate(
      (address) => fetch(`${address}?plain`).then((r) => r.text()),
      url + '/clients',
    );
    const newer = answer.replace(/name="build" content="[^"]+"/, 'name="build" content="newer"');
    return request.respond({ status: 200, contentType: 'text/html', body: newer });
  });
  await page.locator('.sidebar .nav-link[href="/clients"]').click();
  await page.waitForFunction(() => location.pathname === '/clients' && !('older' in window));
});

test('a tab that was left open is told of the update when somebody comes back to it', async (office) => {
  const { page, built } = office;
  await enterDrive(office);
  assert.is(
    await readFile(join(built, 'build.txt'), 'utf8'),
    await page.$eval('meta[name="build"]', (meta) => (meta as HTMLMetaElement).content),
  );
  await writeFile(join(built, 'build.txt'), 'fedcba9876543210');
  await page.evaluate(() => {
    const now = Date.now;
    Date.now = () => now() + 3_600_000;
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await waitForText(page, 'This page is from an older version');
});

test('uploads under way are not lost silently by reloading', async (office) => {
  const { page, built, url, line } = office;
  await enterDrive(office);
  line.hold(20_000);
  await dropTree(page, '[data-scroller]', { 'Large.pdf': 'x'.repeat(400_000) });
  await waitForText(page, 'Uploading 1 of 1');
  await writeFile(join(built, 'build.txt'), 'fedcba9876543210');
  await page.evaluate(() => {
    const now = Date.now;
    Date.now = () => now() + 3_600_000;
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await waitForText(page, 'Uploads are running');
  const asked = new Promise<string>((resolve) => {
    page.once('dialog', (dialog) => {
      resolve(dialog.type());
      void dialog.dismiss();
    });
  });
  await page.locator(`${notice} button`).click();
  assert.is(await asked, 'beforeunload');
  await waitForText(page, 'Uploading 1 of 1');
  page.once('dialog', (dialog) => void dialog.accept());
  await load(page, `${url}/robots.txt`).catch(() => undefined);
});

test.run();
