import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { createAssets } from '#server/http/assets.ts';
import { builtSite, load } from '#server/testing/browser.ts';
import { violations } from './axe.ts';
import { dropTree } from './drops.ts';
import { enterDrive, press, clickRow, row, rowSelector } from './drive.ts';
import type { UploadProxy } from './upload-proxy.ts';
import { openUploadProxy } from './upload-proxy.ts';
import type { Office } from './office.ts';
import { waitForValue, officeSuite, pathOf, waitForText } from './office.ts';

const CLIENT = join(import.meta.dirname, '../../dist/client');

const test = officeSuite<{ built: string; proxy: UploadProxy }>('a page that is older than the server');
test.before.each(async (office) => {
  // A copy, since tests that run at the same time use the build too.
  office.built = await mkdtemp(join(tmpdir(), 'built-'));
  await cp(CLIENT, office.built, { recursive: true });
  const { render } = await builtSite();
  office.proxy = await openUploadProxy(
    await office.world.serve({ site: { render, assets: createAssets(office.built) } }),
  );
  office.url = office.proxy.url;
});
test.after.each(async ({ built, proxy }) => {
  proxy.close();
  await rm(built, { recursive: true, force: true });
});

/** Removes the script of a part of the page, as an update does. */
async function removeScript({ built, page }: Office & { built: string }, part: string): Promise<void> {
  page.expected.push(new RegExp(`/_astro/${part}\\.`));
  const folder = join(built, '_astro');
  const files = (await readdir(folder)).filter((name) => name.startsWith(`${part}.`));
  assert.ok(files.length > 0, `${part} has a script of its own`);
  await Promise.all(files.map((name) => rm(join(folder, name))));
}

const NOTICE = '[data-outdated]';

test('a dialog that does not load leaves the list as it is and offers to reload, and Delete still asks, since its question was loaded beforehand', async (office) => {
  const { page, world, asha } = office;
  await world.build.file(asha.actor, { name: 'Bill.pdf' });
  const loaded = ['prompts', 'removal'].map((part) =>
    page.waitForResponse((response) => response.url().includes(`/${part}.`)),
  );
  await enterDrive(office);
  await Promise.all(loaded);
  await page.waitForNetworkIdle({ idleTime: 300 });
  for (const part of ['prompts', 'removal', 'Dialogs']) await removeScript(office, part);
  await clickRow(page, 'Bill.pdf');
  await press(page, 'Delete');
  await waitForText(page, 'Delete “Bill.pdf”?');
  await press(page, 'Escape');
  await page.waitForSelector('[role="alertdialog"]', { hidden: true });
  await press(page, 'Alt+n');
  await page.waitForSelector(NOTICE);
  await row(page, 'Bill.pdf');
  assert.equal(await violations(page), []);
  await page.locator(`${NOTICE} button`).click();
  await page.waitForSelector(NOTICE, { hidden: true });
  await row(page, 'Bill.pdf');
});

test('a preview that does not load leads back to the list, and says so', async (office) => {
  const { page, world, asha } = office;
  await world.build.file(asha.actor, { name: 'Bill.pdf' });
  await enterDrive(office);
  await removeScript(office, 'Preview');
  await page.locator(`${rowSelector('Bill.pdf')} a`).click();
  await page.waitForSelector(NOTICE);
  await row(page, 'Bill.pdf');
  await page.waitForFunction(() => location.search === '');
  await waitForValue(() => pathOf(page), '/dashboard');
});

test('a viewer that does not load leaves the preview open, and says so in its place', async (office) => {
  const { page, world, asha } = office;
  await world.build.file(asha.actor, { name: 'Ledger.csv', content: 'Name,PAN\nAsha,ABCPE1234F\n' });
  await enterDrive(office);
  await removeScript(office, 'TableViewer');
  page.expected.push(/A part of the page failed/);
  await page.locator(`${rowSelector('Ledger.csv')} a`).click();
  await waitForText(page, 'This part of the page could not be shown');
  await page.waitForSelector('[aria-label="Preview of Ledger.csv"]');
});

for (const [part, path] of [
  ['Clients', '/clients'],
  ['SignInForm', '/login'],
] as const) {
  test(`a screen whose script did not load says so, since nothing on it works (${path})`, async (office) => {
    const { page, url } = office;
    if (path !== '/login') await enterDrive(office);
    await removeScript(office, part);
    page.expected.push(/Error hydrating/);
    await page.goto(url + path);
    await page.waitForSelector(NOTICE);
    assert.equal(await violations(page), []);
    await Promise.all([page.waitForNavigation(), page.locator(`${NOTICE} button`).click()]);
  });
}

test('a link to a screen of a newer version loads the whole page, so that scripts of two versions never meet', async (office) => {
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

test('a tab that was left open shows a notice of the update when the user returns to it', async (office) => {
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

test('reloading for an update asks first while uploads run', async (office) => {
  const { page, built, url, proxy } = office;
  await enterDrive(office);
  proxy.hold(20_000);
  await dropTree(page, '[data-scroller]', { 'Large.pdf': 'x'.repeat(400_000) });
  await waitForText(page, 'Uploading 1 of 1');
  await writeFile(join(built, 'build.txt'), 'fedcba9876543210');
  await page.evaluate(() => {
    const now = Date.now;
    Date.now = () => now() + 3_600_000;
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await waitForText(page, 'Uploads are running');
  const dialogType = new Promise<string>((resolve) => {
    page.once('dialog', (dialog) => {
      resolve(dialog.type());
      void dialog.dismiss();
    });
  });
  await page.locator(`${NOTICE} button`).click();
  assert.is(await dialogType, 'beforeunload');
  await waitForText(page, 'Uploading 1 of 1');
  page.once('dialog', (dialog) => void dialog.accept());
  await load(page, `${url}/robots.txt`).catch(() => undefined);
});

test.run();
