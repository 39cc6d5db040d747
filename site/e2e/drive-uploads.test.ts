import * as assert from 'uvu/assert';
import { chooseFiles, enterDrive, rowNames, press, row, clickButton, uploadFiles } from './drive.ts';
import { until } from '#server/testing/until.ts';
import { uploadProxySuite } from './line.ts';
import type { Office } from './office.ts';
import { ASHA, waitForValue, waitForText } from './office.ts';

const test = uploadProxySuite('drive uploads');

const KB = 1024;
const bills = (count: number, size = 200 * KB) =>
  Array.from({ length: count }, (_, index) => ({ name: `Bill ${index + 1}.pdf`, content: 'x'.repeat(size) }));

/** Counts, in the server, how many uploads are under way; gives the most there ever were. */
function watchUploads({ world }: Office): () => number {
  const { uploads } = world.services;
  const { receive } = uploads;
  let now = 0;
  let most = 0;
  uploads.receive = async (...call) => {
    most = Math.max(most, (now += 1));
    return receive(...call).finally(() => {
      now -= 1;
    });
  };
  return () => most;
}

const statuses = (office: Office) =>
  office.page.$$eval('[data-uploads] li', (lines) => lines.map((line) => line.getAttribute('data-status')));

test('three go at once and never a fourth, and all arrive', async (office) => {
  const { page, line } = office;
  await enterDrive(office);
  const most = watchUploads(office);
  line.hold();
  await uploadFiles(page, bills(7, 80 * KB));
  await until(() => line.held() === 3);
  const order = ['uploading', 'uploading', 'uploading', 'queued', 'queued', 'queued', 'queued'];
  // The panel draws a little later than the queue goes on.
  await until(async () => String(await statuses(office)) === String(order));
  await page.waitForFunction(() => /^\(\d+%\) Dashboard/.test(document.title));
  line.release();
  await waitForText(page, '7 uploads complete');
  await row(page, 'Bill 7.pdf');
  assert.is(most(), 3);
  await waitForValue(async () => (await rowNames(page)).length, 7);
  await page.waitForSelector('[data-uploads]', { hidden: true });
  await page.waitForFunction(() => document.title.startsWith('Dashboard'));
});

test('an upload under way and one that waits can be cancelled, and leave nothing', async (office) => {
  const { page, world, asha, line } = office;
  await enterDrive(office);
  // Of one that is under way the server has a part.
  line.hold(100 * KB);
  await uploadFiles(page, bills(4));
  await until(() => line.held() === 3);
  await page.locator('[aria-label="Cancel Bill 4.pdf"]').click();
  await page.locator('[aria-label="Cancel Bill 1.pdf"]').click();
  await until(() => line.cutOff() === 1);
  line.release();
  await row(page, 'Bill 2.pdf');
  await row(page, 'Bill 3.pdf');
  await waitForText(page, '2 uploads complete');
  const { items } = await world.services.documents.folder(asha.actor, null);
  assert.equal(
    items.map(({ name }) => name),
    ['Bill 2.pdf', 'Bill 3.pdf'],
  );
  const kept = async () => {
    let count = 0;
    for await (const _ of world.blobs.list()) count += 1;
    return count;
  };
  await waitForValue(kept, 2, 'and no bytes');
});

test('a type that is not allowed is refused before a byte is sent, and stops the rest', async (office) => {
  const { page } = office;
  await enterDrive(office);
  let sent = 0;
  page.on('request', (request) => (sent += request.url().endsWith('/upload') ? 1 : 0));
  await press(page, 'Control+u');
  await chooseFiles(page, [
    { name: 'Fine.pdf', content: 'x' },
    { name: 'setup.EXE', content: 'x' },
  ]);
  await waitForText(page, 'setup.EXE: File type "exe" is not supported');
  await clickButton(page, 'Start Upload (2)');
  await waitForText(page, 'setup.EXE: File type "exe" is not supported');
  assert.is(sent, 0);
  await page.locator('[aria-label="Remove setup.EXE"]').click();
  await clickButton(page, 'Start Upload (1)');
  await row(page, 'Fine.pdf');
});

test('starting without files says what is missing', async (office) => {
  await enterDrive(office);
  await press(office.page, 'Control+u');
  await office.page.waitForSelector('[role="dialog"] input[type="file"]');
  await clickButton(office.page, 'Start Upload');
  await waitForText(office.page, 'Please select files to upload');
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
    const tell = (type: string) =>
      row?.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    tell('dragover');
    Object.assign(window, { letGo: () => tell('drop') });
  }, folder.id);
  await waitForText(page, 'Drop files to upload');
  await waitForText(page, 'to Client papers');
  await page.evaluate(() => (window as unknown as { letGo: () => void }).letGo());
  await waitForText(page, '1 upload complete');
  await waitForText(page, 'Already in My Drive: Details.pdf');
  await page.waitForSelector(`[data-uploads] li a[href="/dashboard?highlight=${same.id}"]`);
  const { items } = await world.services.documents.folder(asha.actor, folder.id);
  assert.equal(
    items.map(({ name }) => name),
    ['विवरण.pdf'],
  );
});

test('without the network the queue waits, and goes on by itself', async (office) => {
  const { page, line } = office;
  await enterDrive(office);
  line.hold(100 * KB);
  await uploadFiles(page, bills(2));
  await until(() => line.held() === 2);
  await page.setOfflineMode(true);
  await waitForText(page, 'Waiting for the network');
  line.release();
  await page.setOfflineMode(false);
  await row(page, 'Bill 1.pdf');
  await row(page, 'Bill 2.pdf');
  await waitForValue(async () => (await rowNames(page)).length, 2);
});

test('a session that ends in the middle holds the queue until one has signed in again', async (office) => {
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

test('uploads go on while screens change', async (office) => {
  const { page, world, asha, line } = office;
  await enterDrive(office);
  await page.evaluate('window.untouched = true');
  line.hold(100 * KB);
  await uploadFiles(page, bills(2));
  await until(() => line.held() === 2);
  await page.locator('.sidebar .nav-link[href="/clients"]').click();
  await page.waitForFunction(() => location.pathname === '/clients');
  assert.ok((await statuses(office)).includes('uploading'), 'the panel came along');
  assert.equal((await world.services.documents.folder(asha.actor, null)).items, []);
  line.release();
  await waitForText(page, '2 uploads complete');
  await page.locator('.sidebar .nav-link[href="/dashboard"]').click();
  await row(page, 'Bill 1.pdf');
  await row(page, 'Bill 2.pdf');
  assert.ok(await page.evaluate('window.untouched'), 'no screen was loaded anew');
});

test.run();
