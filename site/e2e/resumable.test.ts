import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import * as assert from 'uvu/assert';
import { forge } from '#server/archive/read/testing/forge.ts';
import { until } from '#server/testing/until.ts';
import {
  chooseFiles,
  enterDrive,
  rowNames,
  press,
  row,
  clickButton,
  uploadFiles,
  visit,
  waitForRowGone,
} from './drive.ts';
import type { Office } from './office.ts';
import { uploadProxySuite } from './upload-proxy.ts';
import { violations } from './axe.ts';
import { ASHA, waitForValue, waitForText } from './office.ts';

const test = uploadProxySuite<{ folder: string }>('resumable uploads');
test.before(async (office) => {
  office.folder = await mkdtemp(join(tmpdir(), 'resumable-'));
});
test.after((office) => rm(office.folder, { recursive: true, force: true }));

const MB = 1024 * 1024;

/** How many bytes of the only upload the server has stored; -1 without an upload. */
const received = async ({ world }: Office): Promise<number> =>
  Number((await world.db('resumable_uploads').first('received'))?.received ?? -1);
const content = async ({ world, asha }: Office, name: string): Promise<Buffer> => {
  const { items } = await world.services.documents.folder(asha.actor, null);
  const { id } = items.find((item) => item.name === name)!;
  const { blob_id } = await world.services.documents.openFile(asha.actor, id);
  return buffer(await world.blobs.get(blob_id));
};

const EXTRACT = '::-p-xpath(//label[contains(., "Extract ZIP file contents")])';

async function uploadFile(office: Office, path: string): Promise<void> {
  await press(office.page, 'Control+u');
  const input = await office.page.waitForSelector('[role="dialog"] input[type="file"]');
  await (input as never as { uploadFile(path: string): Promise<void> }).uploadFile(path);
  await office.page.waitForSelector('[aria-label="Chosen files"] li');
  if (path.endsWith('.zip')) await office.page.locator(EXTRACT).click();
  await clickButton(office.page, 'Start Upload');
}

test('a large upload continues after a reload of the page, when the file is chosen again', async (office) => {
  const bytes = randomBytes(70 * MB);
  const path = join(office.folder, 'Scan of the year.pdf');
  await writeFile(path, bytes);
  await enterDrive(office);
  office.proxy.hold(40 * MB);
  await uploadFile(office, path);
  await until(async () => (await received(office)) >= 32 * MB);
  office.page.once('dialog', (dialog) => void dialog.accept());
  await visit(office, '/dashboard');
  office.proxy.release();
  const before = await received(office);
  assert.ok(before >= 32 * MB && before < 70 * MB, `${before} bytes were kept`);
  await uploadFile(office, path);
  await row(office.page, 'Scan of the year.pdf');
  assert.is((await office.world.db('resumable_uploads').select('id')).length, 1, 'it was the same upload');
  assert.ok((await content(office, 'Scan of the year.pdf')).equals(bytes));
  assert.equal(await office.world.db('storage_reservations'), []);
  const rememberedUploads = () =>
    office.page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('tus')));
  await waitForValue(rememberedUploads, [], 'the browser remembers no complete upload');
});

test('a large upload waits without a network, and continues by itself', async (office) => {
  const bytes = randomBytes(40 * MB);
  const path = join(office.folder, 'Ledger.pdf');
  await writeFile(path, bytes);
  await enterDrive(office);
  office.proxy.hold(10 * MB);
  await uploadFile(office, path);
  await until(() => office.proxy.held() === 1);
  await office.page.setOfflineMode(true);
  await waitForText(office.page, 'Waiting for the network');
  office.proxy.release();
  await office.page.setOfflineMode(false);
  await row(office.page, 'Ledger.pdf');
  assert.ok((await content(office, 'Ledger.pdf')).equals(bytes));
});

test('when the session ends during a large upload, the user signs in again in a dialog and the upload continues', async (office) => {
  const bytes = randomBytes(100 * MB);
  const path = join(office.folder, 'Audit.pdf');
  await writeFile(path, bytes);
  await enterDrive(office);
  office.proxy.hold(40 * MB);
  await uploadFile(office, path);
  await until(async () => (await received(office)) >= 32 * MB);
  await office.world.db('sessions').delete();
  office.proxy.release();
  await waitForText(office.page, 'Please sign in again');
  await office.page.locator('[role="dialog"] input[type="password"]').fill(ASHA.password);
  await office.page.keyboard.press('Enter');
  await row(office.page, 'Audit.pdf');
  assert.ok((await content(office, 'Audit.pdf')).equals(bytes));
  assert.is((await office.world.db('resumable_uploads').select('id')).length, 1);
});

test('a cancelled large upload leaves neither bytes nor reserved storage', async (office) => {
  const path = join(office.folder, 'Film.mp4');
  await writeFile(path, randomBytes(60 * MB));
  await enterDrive(office);
  office.proxy.hold(10 * MB);
  await uploadFile(office, path);
  await until(() => office.proxy.held() === 1);
  await office.page.locator('[aria-label="Cancel Film.mp4"]').click();
  await waitForText(office.page, 'Upload cancelled');
  await until(async () => (await received(office)) === -1);
  assert.equal(await office.world.db('storage_reservations'), []);
});

test('a file that arrived, and was deleted since, is uploaded again when the page was left before the response, also when the first try meets no server', async (office) => {
  const { page, proxy, world, asha } = office;
  const { documents, jobs } = world.services;
  await jobs.start();
  await enterDrive(office);
  page.on('dialog', (dialog) => void dialog.accept());
  page.expected.push(/ERR_CONNECTION_REFUSED/);
  let refusing = false;
  page.on('request', (request) => {
    const isRefused = refusing && request.method() === 'HEAD';
    if (isRefused) refusing = false;
    void (isRefused ? request.abort('connectionrefused') : request.continue());
  });
  await page.setRequestInterception(true);
  for (const [name, bytes] of [
    ['Ledger.pdf', randomBytes(9 * MB)],
    ['Returns.zip', forge([{ name: 'a.pdf', data: 'a', method: 0 }])],
  ] as const) {
    const path = join(office.folder, name);
    const shown = name.replace('.zip', '');
    await writeFile(path, bytes);
    const left = new Promise<void>((resolve, reject) => {
      proxy.loseResponse(() => visit(office, '/dashboard').then(resolve, reject));
    });
    await uploadFile(office, path);
    await left;
    await row(page, shown);
    await jobs.idle();
    const { items } = await documents.folder(asha.actor, null);
    await documents.remove(asha.actor, [items.find((item) => item.name === shown)!.id]);
    await waitForRowGone(page, shown);
    refusing = true;
    await uploadFile(office, path);
    await row(page, shown);
    assert.not.ok(refusing);
  }
});

test('a ZIP is extracted once when the connection breaks before the response, of whatever size it is', async (office) => {
  const { page, world, proxy } = office;
  await world.services.jobs.start();
  await enterDrive(office);
  for (const [name, size] of [
    ['Small.zip', 1000],
    ['Large.zip', 9 * MB],
  ] as const) {
    proxy.loseResponse(() => world.services.jobs.idle());
    await press(page, 'Control+u');
    await chooseFiles(page, [
      { name, content: forge([{ name: 'a.pdf', data: 'x'.repeat(size), method: 0 }]) },
    ]);
    await page.locator(EXTRACT).click();
    await clickButton(page, 'Start Upload');
    await row(page, name.slice(0, 5));
    await page.waitForSelector('[data-uploads]', { hidden: true });
    await world.services.jobs.idle();
  }
  assert.is((await world.db('jobs').where({ kind: 'extraction' })).length, 2);
  await waitForValue(() => rowNames(page), ['Large', 'Small']);
});

test('a small file is kept once when the connection breaks before the response, also without HTTPS, where the browser cannot hash it', async (office) => {
  const { page, proxy } = office;
  page.expected.push(/Cross-Origin-Opener-Policy header has been ignored/);
  office.url = proxy.url.replace('127.0.0.1', 'office-pc');
  await enterDrive(office);
  assert.is(await page.evaluate(() => crypto.subtle), undefined);
  proxy.loseResponse(async () => {});
  await uploadFiles(page, [{ name: 'a.pdf', content: 'a' }]);
  await uploadFiles(page, [{ name: 'b.pdf', content: 'b' }]);
  await row(page, 'b.pdf');
  await page.waitForSelector('[data-uploads]', { hidden: true });
  await waitForValue(() => rowNames(page), ['a.pdf', 'b.pdf']);
});

test('one dialog asks about all taken names or cancels the whole upload, and files with the same content are not sent', async (office) => {
  const { page, world, asha } = office;
  for (const name of ['a.pdf', 'b.pdf', 'c.pdf', 'same.pdf']) {
    await world.build.file(asha.actor, { name, content: `old ${name}` });
  }
  await enterDrive(office);
  await uploadFiles(page, [{ name: 'a.pdf', content: 'new' }]);
  await waitForText(page, '“a.pdf” is already there');
  await clickButton(page, 'Cancel the upload');
  await page.waitForSelector('[role="alertdialog"]', { hidden: true });
  assert.is(String(await content(office, 'a.pdf')), 'old a.pdf');

  await uploadFiles(page, [
    { name: 'a.pdf', content: 'new a' },
    { name: 'b.pdf', content: 'new b' },
    { name: 'c.pdf', content: 'new c' },
    { name: 'same.pdf', content: 'old same.pdf' },
    { name: 'new.pdf', content: 'new' },
  ]);
  await waitForText(page, '3 names are already taken');
  await waitForText(page, '1 more file is already there');
  await waitForText(page, '1 more file has a name that is free');
  await waitForText(page, 'Upload 4 files');
  assert.equal(await violations(page), []);
  await page.locator('input[value="replace"]').click();
  await page.select('[aria-label="For b.pdf"]', 'skip');
  await page.select('[aria-label="For c.pdf"]', 'keep');
  await clickButton(page, 'Upload the others');
  await waitForText(page, 'Already there');
  // Three files upload at once, in any order.
  await until(async () => (await rowNames(page)).length === 6);
  await waitForValue(() => rowNames(page), ['a.pdf', 'b.pdf', 'c.pdf', 'c (2).pdf', 'new.pdf', 'same.pdf']);
  // The row of the replaced file was there before, so its content has to be waited for.
  await until(async () => String(await content(office, 'a.pdf')) === 'new a');
  assert.is(String(await content(office, 'b.pdf')), 'old b.pdf');
});

test.run();
