import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { load } from '#server/testing/browser.ts';
import { until } from '#server/testing/until.ts';
import { violations } from './axe.ts';
import { dropTree } from './drops.ts';
import { chooseFiles, enterDrive, rowNames, press, row, rowSelector, clickButton, visit } from './drive.ts';
import { uploadProxySuite } from './upload-proxy.ts';
import { waitForValue, pathOf, waitForText } from './office.ts';

const test = uploadProxySuite('files dropped on the page');

const LIST = '[data-scroller]';
const bill = 'x'.repeat(2000);

test('files dropped during a question about taken names wait for its answer and get a question of their own', async (office) => {
  const { page, world, asha } = office;
  for (const name of ['a.pdf', 'b.pdf']) await world.build.file(asha.actor, { name, content: 'old' });
  await enterDrive(office);
  await dropTree(page, LIST, { 'a.pdf': 'new a' });
  await waitForText(page, '“a.pdf” is already there');
  await page.locator('input[value="replace"]').click();
  await dropTree(page, '[role="alertdialog"]', { 'b.pdf': 'new b' });
  await clickButton(page, 'Upload 1 file');
  await waitForText(page, '“b.pdf” is already there');
  assert.is(
    await page.$eval('input[value="keep"]', (input) => (input as HTMLInputElement).checked),
    true,
    'the choice for the first does not carry over',
  );
  await clickButton(page, 'Upload 1 file');
  await row(page, 'b (2).pdf');
  await waitForValue(() => rowNames(page), ['a.pdf', 'b.pdf', 'b (2).pdf']);
  const { items } = await world.services.documents.folder(asha.actor, null);
  const countEarlierVersions = async (name: string) => {
    const { id } = items.find((item) => item.name === name)!;
    return (await world.services.versions.list(asha.actor, id)).earlier.length;
  };
  await waitForValue(() => countEarlierVersions('a.pdf'), 1, 'the replaced file is kept as a version');
  assert.is(await countEarlierVersions('b.pdf'), 0);
});

test('the question about taken names in a tree names their folders, in natural order, since many files share a name', async (office) => {
  const { page, world, asha } = office;
  const gst = await world.build.folder(asha.actor, 'GST');
  for (const month of ['10', '9']) {
    const { id: parent_id } = await world.build.folder(asha.actor, month, gst.id);
    for (const name of ['10.pdf', '2.pdf'])
      await world.build.file(asha.actor, { name, parent_id, content: 'old' });
  }
  await enterDrive(office);
  const month = { '10.pdf': 'new', '2.pdf': 'new' };
  await dropTree(page, LIST, { GST: { 10: month, 9: month } });
  await waitForText(page, '4 names are already taken');
  const labels = await page.$$eval('[role=alertdialog] li select', (all) =>
    all.map((select) => select.getAttribute('aria-label')),
  );
  assert.equal(
    labels.map((label) => /GST.*pdf/.exec(label ?? '')?.[0]),
    ['GST / 9 / 2.pdf', 'GST / 9 / 10.pdf', 'GST / 10 / 2.pdf', 'GST / 10 / 10.pdf'],
  );
  await waitForText(page, 'GST / 10');
});

test('an empty folder that could not be created is listed as failed, and Retry creates it', async (office) => {
  const { page, world } = office;
  const { documents } = world.services;
  const { createFolder } = documents;
  await enterDrive(office);
  documents.createFolder = () => Promise.reject(new Error('the disk is away'));
  await dropTree(page, LIST, { 'Vakalatnama 2026': {} });
  await page.waitForSelector('[data-uploads] [data-status="error"]');
  documents.createFolder = createFolder;
  await page.locator('[aria-label="Retry Vakalatnama 2026"]').click();
  await row(page, 'Vakalatnama 2026');
});

test('while names are compared the panel says that it prepares, and leaving the page asks first', async (office) => {
  const { page, world } = office;
  const { documents } = world.services;
  const { compare } = documents;
  const comparing = new Promise<() => void>((resolve) => {
    documents.compare = async (...call) => {
      await new Promise<void>(resolve);
      return compare(...call);
    };
  });
  await enterDrive(office);
  await dropTree(page, LIST, { GST: { 'April.pdf': bill, 'May.pdf': bill } });
  await waitForText(page, 'Preparing 2 files...');
  const asksBeforeLeaving = () =>
    page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));
  assert.is(await asksBeforeLeaving(), true);
  (await comparing)();
  await row(page, 'GST');
  await waitForText(page, '2 uploads complete');
  assert.is(await asksBeforeLeaving(), false);
});

test('the total of a dropped folder is known from the start and never changes, and files refused for one reason are one line', async (office) => {
  const { page } = office;
  await enterDrive(office);
  const month = (n: number) => ({
    ...Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`Bill ${n}-${i}.pdf`, bill])),
    ...Object.fromEntries(Array.from({ length: 3 }, (_, i) => [`Setup ${n}-${i}.exe`, 'x'])),
    'patch.msi': 'x',
  });
  await page.evaluate(() => {
    const shownTexts = new Set<string>();
    Object.assign(window, { shownTexts });
    new MutationObserver(() => {
      const heading = document.querySelector('[data-uploads] h2')?.textContent;
      const folder = document.querySelector('[data-uploads] [data-status="uploading"] p + p')?.textContent;
      for (const text of [heading, folder]) if (text) shownTexts.add(text);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await dropTree(page, LIST, { Photos: { April: month(4), May: month(5) }, 'Loose.pdf': bill });
  await waitForText(page, '8 files refused: type not supported');
  await waitForText(page, 'In 2 folders');
  await waitForText(page, '61 uploads complete · 8 refused');
  const shownTexts = await page.evaluate(() => [
    ...(window as unknown as { shownTexts: Set<string> }).shownTexts,
  ]);
  const counts = shownTexts.flatMap((text) => {
    const [, current, total] = /^Uploading (\d+) of (\d+)/.exec(text) ?? [];
    return current ? [[Number(current), Number(total)] as const] : [];
  });
  assert.ok(counts.length > 0);
  assert.equal([...new Set(counts.map(([, total]) => total))], [61], 'the total never changes');
  assert.equal(
    counts.map(([current]) => current),
    counts.map(([current]) => current).toSorted((a, b) => a - b),
    'the count never goes back',
  );
  const totalsOfFolder = shownTexts.flatMap((text) => /of (\d+) files/.exec(text)?.[1] ?? []);
  assert.equal(
    [...new Set(totalsOfFolder)].filter((total) => total !== '60'),
    [],
  );
  await clickButton(page, 'Show the files');
  await waitForText(page, 'Photos / April / Setup 4-0.exe');
  assert.equal(await violations(page), []);
});

test('when some of the dropped files are refused, all reasons are shown and the others can be uploaded', async (office) => {
  const { page } = office;
  await enterDrive(office);
  const dropped = {
    'a.exe': 'x',
    'Fine.pdf': bill,
    'b.dll': 'x',
    'Good.pdf': bill,
    Folder: { 'In.pdf': bill },
  };
  await dropTree(page, LIST, dropped);
  await waitForText(page, '2 files cannot be uploaded');
  await waitForText(page, 'a.exe: File type "exe" is not supported');
  await waitForText(page, 'b.dll: File type "dll" is not supported');
  await row(page, 'Folder');
  assert.equal(await violations(page), []);
  await clickButton(page, 'Upload the other 2 files');
  await row(page, 'Fine.pdf');
  await row(page, 'Good.pdf');
  await waitForValue(() => rowNames(page), ['Folder', 'Fine.pdf', 'Good.pdf']);
});

test('system files in a dropped folder, such as Thumbs.db, are skipped and named in the result', async (office) => {
  const { page, world, asha } = office;
  await enterDrive(office);
  await dropTree(page, LIST, {
    Returns: { 'ITR.pdf': bill, '~$Notes.docx': 'x', 'Thumbs.db': 'x', Old: { 'desktop.ini': 'x' } },
  });
  await waitForText(page, '3 system files skipped (~$Notes.docx, Thumbs.db, desktop.ini)');
  const { items } = await world.services.documents.folder(asha.actor, null);
  const within = await world.services.documents.folder(asha.actor, items[0]!.id);
  assert.equal(
    within.items.map(({ name }) => name),
    ['Old', 'ITR.pdf'],
  );
});

test('files dropped on a screen other than the drive are not opened by the browser: a dialog asks, and uploads them to My Drive', async (office) => {
  const { page, url, world, asha } = office;
  await enterDrive(office);
  await load(page, `${url}/clients`);
  await dropTree(page, 'main', { 'Notice.pdf': bill });
  await waitForText(page, 'Upload 1 file to My Drive?');
  await clickButton(page, 'Upload 1 file');
  await waitForText(page, '1 upload complete');
  await waitForValue(() => pathOf(page), '/clients');
  const { items } = await world.services.documents.folder(asha.actor, null);
  assert.equal(
    items.map(({ name }) => name),
    ['Notice.pdf'],
  );
});

test('files dropped on an open dialog are refused with a message', async (office) => {
  const { page } = office;
  await enterDrive(office);
  await press(page, 'Alt+n');
  await page.waitForSelector('[role="dialog"] input');
  await dropTree(page, '[role="dialog"]', { 'Notice.pdf': bill });
  await waitForText(page, 'Close what is open over the page, then drop the files again.');
  await waitForValue(() => pathOf(page), '/dashboard');
});

test('after a reload the panel lists interrupted uploads, which continue when their files are chosen again', async (office) => {
  const { page, world, asha, proxy } = office;
  const folder = await world.build.folder(asha.actor, 'Audit');
  await enterDrive(office, `/dashboard/folder/${folder.id}`);
  proxy.hold(20 * 1024);
  await press(page, 'Control+u');
  const samples = ['One.pdf', 'Two.pdf'].map((name) => ({ name, content: 'x'.repeat(200_000) }));
  const paths = await chooseFiles(page, samples);
  await clickButton(page, 'Start Upload');
  await waitForText(page, 'Uploading 1 of 2');
  page.once('dialog', (dialog) => void dialog.accept());
  await visit(office, '/dashboard');
  proxy.release();
  await waitForText(page, '2 uploads were interrupted');
  await waitForText(page, 'Choose the files again to continue');
  assert.equal(await violations(page), []);
  const input = await page.waitForSelector('[aria-label="Files that were interrupted"]');
  await (input as never as { uploadFile(...files: string[]): Promise<void> }).uploadFile(...paths);
  await page.waitForSelector('[data-interrupted]', { hidden: true });
  await waitForText(page, '2 uploads complete');
  const { items } = await world.services.documents.folder(asha.actor, folder.id);
  assert.equal(
    items.map(({ name }) => name),
    ['One.pdf', 'Two.pdf'],
    'the files are in the folder that was chosen first',
  );
  assert.is(await page.$(rowSelector('One.pdf')), null);
});

test('an interrupted file of which a dropped folder has two copies continues in both places, although it is chosen once', async (office) => {
  const { page, world, asha, proxy } = office;
  await enterDrive(office);
  proxy.hold(20 * 1024);
  const content = 'x'.repeat(200_000);
  await dropTree(page, LIST, { Year: { April: { 'Form.pdf': content }, May: { 'Form.pdf': content } } });
  await until(() => proxy.held() === 2);
  page.once('dialog', (dialog) => void dialog.accept());
  await visit(office, '/dashboard');
  proxy.release();
  await waitForText(page, '2 uploads were interrupted');
  const folder = await mkdtemp(join(tmpdir(), 'copies-'));
  const path = join(folder, 'Form.pdf');
  await writeFile(path, content);
  await utimes(path, 1_700_000_000, 1_700_000_000);
  const input = await page.waitForSelector('[aria-label="Files that were interrupted"]');
  await (input as never as { uploadFile(...files: string[]): Promise<void> }).uploadFile(path);
  await waitForText(page, '2 uploads complete');
  await rm(folder, { recursive: true });
  const [year] = (await world.services.documents.folder(asha.actor, null)).items;
  const months = (await world.services.documents.folder(asha.actor, year!.id)).items;
  const sizes = months.map(
    async ({ id }) => (await world.services.documents.folder(asha.actor, id)).items.length,
  );
  assert.equal(await Promise.all(sizes), [1, 1]);
});

test.run();
