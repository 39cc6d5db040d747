import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'puppeteer';
import * as assert from 'uvu/assert';
import { lockedPdf } from '#server/reading/testing/locked.ts';
import { pdf } from '#server/requests/testing/office.ts';
import { lockedListener } from '#server/serving/locked-page.ts';
import { load, openPage, signIn } from '#server/testing/browser.ts';
import { until } from '#server/testing/until.ts';
import { trustPage } from '#server/tls/trust.ts';
import { violations } from './axe.ts';
import { ASHA, officeSuite, textOf } from './office.ts';
import { pathOfLink } from './share-link.ts';

const test = officeSuite<{ folder: string }>('what a browser saves', { reading: true });
test.before.each(async (office) => {
  office.folder = await mkdtemp(join(tmpdir(), 'almirah-saved-'));
});
test.after.each(async ({ folder }) => {
  await rm(folder, { recursive: true });
});

/** Lets the page save files. @returns a function that gives the name and the bytes of what an act saves. */
async function saving(page: Page, folder: string) {
  const session = await page.createCDPSession();
  await session.send('Browser.setDownloadBehavior', {
    behavior: 'allow',
    downloadPath: folder,
    ...(page.browserContext().id && { browserContextId: page.browserContext().id! }),
  });
  return async (act: () => Promise<unknown>): Promise<[name: string, content: Buffer]> => {
    await act();
    const saved = async () => (await readdir(folder)).filter((name) => !name.endsWith('.crdownload'));
    await until(async () => (await saved()).length > 0);
    const [name = ''] = await saved();
    const content = await readFile(join(folder, name));
    await rm(join(folder, name));
    return [name, content];
  };
}

test('what a button, a link, or an entry of a menu on a phone downloads is saved under its name', async ({
  page,
  url,
  world,
  asha,
  folder,
}) => {
  const client_id = await world.build.client(asha.actor, 'Meera Sharma');
  const content = lockedPdf('HDFC@4410', ['Statement of April']);
  const { id } = await world.build.file(asha.actor, { name: 'april.pdf', content, client_id });
  const notices = await world.build.folder(asha.actor, 'Meera & Söhne “2026”');
  await world.build.file(asha.actor, { name: 'रसीद.pdf', parent_id: notices.id, content: pdf() });
  await signIn(page, url, ASHA, `/dashboard?preview=${id}`);
  const save = await saving(page, folder);
  await page.locator('.viewer-room input[type=password]').fill('HDFC@4410');
  await page.keyboard.press('Enter');
  const unlocked = 'a[aria-label="Download without password"]';
  await page.waitForSelector(unlocked);
  await until(async () => (await world.db('pdf_passwords')).length > 0);
  assert.is((await save(() => page.locator(unlocked).click()))[0], 'april (unlocked).pdf');
  await page.setViewport({ width: 390, height: 844 });
  const [name, bytes] = await save(async () => {
    await page.locator('[role="toolbar"] [aria-label="View options"]').click();
    await page.locator('[role=menuitem] ::-p-text(Download without password)').click();
  });
  assert.is(name, 'april (unlocked).pdf');
  assert.match(bytes.toString('latin1'), /^%PDF/);
  await load(page, `${url}/clients`);
  const [list] = await save(async () => {
    await page.locator('main [aria-label="More"]').click();
    await page.locator('[role=menuitem] ::-p-text(Export)').click();
  });
  assert.match(list, /^clients-.*\.csv$/);
  await page.setViewport({ width: 1366, height: 768 });
  await load(page, `${url}/dashboard`);
  const [zip] = await save(async () => {
    await page.locator(`[data-id="${notices.id}"] [data-menu]`).click();
    await page.locator('[role=menuitem] ::-p-text(Download)').click();
  });
  assert.is(zip, 'Meera & Söhne “2026”.zip');
});

test('a recipient saves a shared file by a form that is redirected, without JavaScript', async (office) => {
  const { browser, url, world, asha, folder } = office;
  const content = pdf('Computation');
  const { id } = await world.build.file(asha.actor, { name: 'Computation – “2026”.pdf', content });
  const path = await pathOfLink(office, [id]);
  const outside = await openPage(browser, { width: 390, height: 844 });
  await outside.setJavaScriptEnabled(false);
  await outside.goto(url + path);
  const save = await saving(outside, folder);
  const [name, saved] = await save(() => outside.click('form[action*="/download"] button'));
  assert.is(name, 'Computation – “2026”.pdf');
  assert.ok(saved.equals(content));
  await outside.close();
});

test('the pages outside the site have their style by their own security policy, and the one about trust saves the certificate', async (office) => {
  const { browser, folder } = office;
  const cert = '-----BEGIN CERTIFICATE-----\nAAEC\n-----END CERTIFICATE-----\n';
  const authority = { cert, fingerprint: 'AB:CD' } as Parameters<typeof trustPage>[0];
  const trust = trustPage(authority, { appName: 'Almirah', baseUrl: 'https://192.168.1.10:8443' });
  const locked = lockedListener('Almirah');
  const server = createServer((req, res) => void (trust(req, res) || locked(req, res)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const page = await openPage(browser, { width: 390, height: 844 });
  for (const path of ['/', '/trust']) {
    await page.goto(address + path);
    assert.is(await page.$eval('body', (body) => getComputedStyle(body).marginTop), '0px', path);
    assert.equal(await violations(page), []);
    assert.equal(page.faults, []);
  }
  assert.is(await textOf(page, '.print'), 'AB:CD');
  const save = await saving(page, folder);
  const [name, saved] = await save(() => page.click('a[download]'));
  assert.is(name, 'almirah-office.crt');
  assert.equal([...saved], [0, 1, 2]);
  await page.close();
  server.close();
});

test.run();
