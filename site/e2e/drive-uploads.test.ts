import * as assert from 'uvu/assert';
import { chooseFiles, enterDrive, rowNames, press, row, clickButton, uploadFiles } from './drive.ts';
import { until } from '#server/testing/until.ts';
import { uploadProxySuite } from './upload-proxy.ts';
import type { Office } from './office.ts';
import { ASHA, waitForValue, waitForText } from './office.ts';

const test = uploadProxySuite('drive uploads');

const KB = 1024;
const bills = (count: number, size = 200 * KB) =>
  Array.from({ length: count }, (_, index) => ({ name: `Bill ${index + 1}.pdf`, content: 'x'.repeat(size) }));

/** Counts the uploads that run in the server at the same time. @returns the maximum so far. */
function watchUploads({ world }: Office): () => number {
  const { uploads } = world.services;
  const { receive } = uploads;
  let current = 0;
  let max = 0;
  uploads.receive = async (...call) => {
    max = Math.max(max, (current += 1));
    return receive(...call).finally(() => {
      current -= 1;
    });
  };
  return () => max;
}

const statuses = (office: Office) =>
  office.page.$$eval('[data-uploads] li', (lines) => lines.map((line) => line.getAttribute('data-status')));

test('at most three files upload at once, and all arrive', async (office) => {
  const { page, proxy } = office;
  await enterDrive(office);
  const maxUploads = watchUploads(office);
  proxy.hold();
  await uploadFiles(page, bills(7, 80 * KB));
  await until(() => proxy.held() === 3);
  const order = ['uploading', 'uploading', 'uploading', 'queued', 'queued', 'queued', 'queued'];
  // The panel shows changes of the queue a little later.
  await until(async () => String(await statuses(office)) === String(order));
  await page.waitForFunction(() => /^\(\d+%\) Dashboard/.test(document.title));
  proxy.release();
  await waitForText(page, '7 uploads complete');
  await row(page, 'Bill 7.pdf');
  assert.is(maxUploads(), 3);
  await waitForValue(async () => (await rowNames(page)).length, 7);
  await page.waitForSelector('[data-uploads]', { hidden: true });
  await page.waitForFunction(() => document.title.startsWith('Dashboard'));
});

test('running and queued uploads can be cancelled, and leave no bytes on the server', async (office) => {
  const { page, world, asha, proxy } = office;
  await enterDrive(office);
  // So that the server has a part of the uploads that run.
  proxy.hold(100 * KB);
  await uploadFiles(page, bills(4));
  await until(() => proxy.held() === 3);
  await page.locator('[aria-label="Cancel Bill 4.pdf"]').click();
  await page.locator('[aria-label="Cancel Bill 1.pdf"]').click();
  await until(() => proxy.cutOff() === 1);
  proxy.release();
  await row(page, 'Bill 2.pdf');
  await row(page, 'Bill 3.pdf');
  await waitForText(page, '2 uploads complete');
  const { items } = await world.services.documents.folder(asha.actor, null);
  assert.equal(
    items.map(({ name }) => name),
    ['Bill 2.pdf', 'Bill 3.pdf'],
  );
  const countBlobs = async () => {
    let count = 0;
    for await (const _ of world.blobs.list()) count += 1;
    return count;
  };
  await waitForValue(countBlobs, 2, 'no bytes of the cancelled uploads are left');
});

test('the question whether to cancel uploads is taken back when they have finished meanwhile', async (office) => {
  const { page, proxy } = office;
  await enterDrive(office);
  proxy.hold(100 * KB);
  await uploadFiles(page, bills(1));
  await until(() => proxy.held() === 1);
  await page.locator('[data-uploads] header [aria-label="Close"]').click();
  await waitForText(page, 'Cancel the uploads?');
  proxy.release();
  await page.waitForSelector('[role="alertdialog"]', { hidden: true });
  await waitForText(page, '1 upload complete');
});

test('Start Upload asks for files, and sends nothing while one of a type that is not allowed is among them', async (office) => {
  const { page } = office;
  await enterDrive(office);
  let sent = 0;
  page.on('request', (request) => (sent += request.url().endsWith('/upload') ? 1 : 0));
  await press(page, 'Control+u');
  await page.waitForSelector('[role="dialog"] input[type="file"]');
  await clickButton(page, 'Start Upload');
  await waitForText(page, 'Please select files to upload');
  await chooseFiles(page, [
    { name: 'Fine.pdf', content: 'x' },
    { name: 'setup.EXE', content: 'x' },
    { name: 'b.dll', content: 'x' },
  ]);
  await waitForText(page, 'setup.EXE: File type "exe" is not supported');
  await clickButton(page, 'Start Upload (3)');
  await waitForText(page, 'File type "dll" is not supported');
  assert.is(sent, 0);
  await page.locator('[aria-label="Remove setup.EXE"]').click();
  await clickButton(page, 'Upload the other file');
  await row(page, 'Fine.pdf');
});

test('Enter starts the upload and answers the question about taken names, however many files come before the button', async (office) => {
  const { page, world, asha } = office;
  await world.build.file(asha.actor, { name: 'Bill.pdf' });
  await enterDrive(office);
  await press(page, 'Control+u');
  await page.waitForSelector('[role="dialog"] input[type="file"]:focus');
  await chooseFiles(page, [{ name: 'Bill.pdf', content: 'x' }]);
  await press(page, 'Enter');
  await page.waitForSelector('[role="alertdialog"] input[value="keep"]:focus');
  await press(page, 'Enter');
  await row(page, 'Bill (2).pdf');
});

test('files dropped on a folder go into it, and the overlay names it', async (office) => {
  const { page, world, asha } = office;
  const folder = await world.build.folder(asha.actor, 'Client papers');
  const same = await world.build.file(asha.actor, { name: 'Details.pdf', content: 'dropped' });
  await enterDrive(office);
  await page.evaluate((id) => {
    const row = document.querySelector(`[data-id="${id}"]`);
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['dropped'], 'विवरण.pdf'));
    const dispatch = (type: string) =>
      row?.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    dispatch('dragover');
    Object.assign(window, { dropFiles: () => dispatch('drop') });
  }, folder.id);
  await waitForText(page, 'Drop files to upload');
  await waitForText(page, 'to Client papers');
  await page.evaluate(() => (window as unknown as { dropFiles: () => void }).dropFiles());
  await waitForText(page, '1 upload complete');
  await waitForText(page, 'Already in My Drive: Details.pdf');
  await page.waitForSelector(`[data-uploads] li a[href="/dashboard?highlight=${same.id}"]`);
  const { items } = await world.services.documents.folder(asha.actor, folder.id);
  assert.equal(
    items.map(({ name }) => name),
    ['विवरण.pdf'],
  );
});

test('without a network the upload queue waits, and continues by itself', async (office) => {
  const { page, proxy } = office;
  // Fetched when the page is idle; without the network that would be an error.
  const toasts = page.waitForResponse((response) => response.url().includes('/_astro/toasts.'));
  await enterDrive(office);
  await toasts;
  proxy.hold(100 * KB);
  await uploadFiles(page, bills(2));
  await until(() => proxy.held() === 2);
  await page.setOfflineMode(true);
  await waitForText(page, 'Waiting for the network');
  proxy.release();
  await page.setOfflineMode(false);
  await row(page, 'Bill 1.pdf');
  await row(page, 'Bill 2.pdf');
  await waitForValue(async () => (await rowNames(page)).length, 2);
});

test('when the session ends the upload queue waits until the user has signed in again', async (office) => {
  const { page, world } = office;
  await enterDrive(office);
  await press(page, 'Control+u');
  await chooseFiles(page, bills(2, KB));
  await world.db('sessions').delete();
  await clickButton(page, 'Start Upload');
  await waitForText(page, 'Please sign in again');
  await page.locator('[role="dialog"] input[type="password"]').fill(ASHA.password);
  await page.keyboard.press('Enter');
  await row(page, 'Bill 1.pdf');
  await row(page, 'Bill 2.pdf');
});

test('uploads continue while the user moves between screens', async (office) => {
  const { page, world, asha, proxy } = office;
  await enterDrive(office);
  await page.evaluate('window.untouched = true');
  proxy.hold(100 * KB);
  await uploadFiles(page, bills(2));
  await until(() => proxy.held() === 2);
  await page.locator('.sidebar .nav-link[href="/clients"]').click();
  await page.waitForFunction(() => location.pathname === '/clients');
  await waitForValue(async () => (await statuses(office)).includes('uploading'), true);
  assert.equal((await world.services.documents.folder(asha.actor, null)).items, []);
  proxy.release();
  await waitForText(page, '2 uploads complete');
  await page.locator('.sidebar .nav-link[href="/dashboard"]').click();
  await row(page, 'Bill 1.pdf');
  await row(page, 'Bill 2.pdf');
  assert.ok(await page.evaluate('window.untouched'), 'no page was reloaded');
});

test.run();
