import * as assert from 'uvu/assert';
import { load } from '#server/testing/browser.ts';
import { violations } from './axe.ts';
import { dropTree } from './drops.ts';
import { chooseFiles, enterDrive, rowNames, press, row, rowSelector, clickButton, visit } from './drive.ts';
import { uploadProxySuite } from './line.ts';
import { waitForValue, pathOf, waitForText } from './office.ts';

const test = uploadProxySuite('what is dropped');

const LIST = '[data-scroller]';
const bill = 'x'.repeat(2000);

test('a second drop waits for the question about the first, and neither is lost', async (office) => {
  const { page, world, asha } = office;
  for (const name of ['a.pdf', 'b.pdf']) await world.build.file(asha.actor, { name, content: 'old' });
  await enterDrive(office);
  await dropTree(page, LIST, { 'a.pdf': 'new a' });
  await waitForText(page, "'a.pdf' is already there");
  await page.locator('input[value="replace"]').click();
  await dropTree(page, '[role="alertdialog"]', { 'b.pdf': 'new b' });
  await clickButton(page, 'Upload 1 file');
  await waitForText(page, "'b.pdf' is already there");
  assert.is(
    await page.$eval('input[value="keep"]', (input) => (input as HTMLInputElement).checked),
    true,
    'the choice for the first does not carry over',
  );
  await clickButton(page, 'Upload 1 file');
  await row(page, 'b (2).pdf');
  await waitForValue(() => rowNames(page), ['a.pdf', 'b.pdf', 'b (2).pdf']);
  const { items } = await world.services.documents.folder(asha.actor, null);
  const earlier = async (name: string) => {
    const { id } = items.find((one) => one.name === name)!;
    return (await world.services.versions.list(asha.actor, id)).earlier.length;
  };
  await waitForValue(() => earlier('a.pdf'), 1, 'what was replaced is kept');
  assert.is(await earlier('b.pdf'), 0);
});

test('an empty folder that could not be made is a row with its reason, and comes when tried again', async (office) => {
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

test('while names are compared the panel says that it prepares, and leaving asks first', async (office) => {
  const { page, world } = office;
  const { documents } = world.services;
  const { compare } = documents;
  const asked = new Promise<() => void>((tell) => {
    documents.compare = async (...call) => {
      await new Promise<void>(tell);
      return compare(...call);
    };
  });
  await enterDrive(office);
  await dropTree(page, LIST, { GST: { 'April.pdf': bill, 'May.pdf': bill } });
  await waitForText(page, 'Preparing 2 files…');
  const asks = () =>
    page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));
  assert.is(await asks(), true);
  (await asked)();
  await row(page, 'GST');
  await waitForText(page, '2 uploads complete');
  assert.is(await asks(), false);
});

test('totals are known from the start and never shrink; equal refusals are one line that names the folders', async (office) => {
  const { page } = office;
  await enterDrive(office);
  const month = (n: number) => ({
    ...Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`Bill ${n}-${i}.pdf`, bill])),
    ...Object.fromEntries(Array.from({ length: 3 }, (_, i) => [`Setup ${n}-${i}.exe`, 'x'])),
    'patch.msi': 'x',
  });
  await page.evaluate(() => {
    const said = new Set<string>();
    Object.assign(window, { said });
    new MutationObserver(() => {
      const heading = document.querySelector('[data-uploads] h2')?.textContent;
      const folder = document.querySelector('[data-uploads] [data-status="uploading"] p + p')?.textContent;
      for (const text of [heading, folder]) if (text) said.add(text);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await dropTree(page, LIST, { Photos: { April: month(4), May: month(5) }, 'Loose.pdf': bill });
  await waitForText(page, '8 files refused: type not supported');
  await waitForText(page, 'In 2 folders');
  await waitForText(page, '61 uploads complete · 8 refused');
  const said = await page.evaluate(() => [...(window as unknown as { said: Set<string> }).said]);
  const counts = said.flatMap((text) => {
    const [, at, of] = /^Uploading (\d+) of (\d+)/.exec(text) ?? [];
    return at ? [[Number(at), Number(of)] as const] : [];
  });
  assert.ok(counts.length > 0);
  assert.equal([...new Set(counts.map(([, of]) => of))], [61], 'the total stands');
  assert.equal(
    counts.map(([at]) => at),
    counts.map(([at]) => at).toSorted((a, b) => a - b),
    'and the count goes one way',
  );
  const inFolder = said.flatMap((text) => /of (\d+) files/.exec(text)?.[1] ?? []);
  assert.equal(
    [...new Set(inFolder)].filter((of) => of !== '60'),
    [],
  );
  await clickButton(page, 'Show the files');
  await waitForText(page, 'Photos / April / Setup 4-0.exe');
  assert.equal(await violations(page), []);
});

test('of loose files one that is refused stops nobody else: all reasons are told, and the others can go on', async (office) => {
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

test('the upload dialog lists every reason and offers to go on with the others', async (office) => {
  const { page } = office;
  await enterDrive(office);
  await press(page, 'Control+u');
  await chooseFiles(page, [
    { name: 'Fine.pdf', content: 'x' },
    { name: 'a.exe', content: 'x' },
    { name: 'b.dll', content: 'x' },
  ]);
  await waitForText(page, 'a.exe: File type "exe" is not supported');
  await waitForText(page, 'File type "dll" is not supported');
  await clickButton(page, 'Upload the other file');
  await row(page, 'Fine.pdf');
});

test('what the system left in a folder is not uploaded, and the result says so', async (office) => {
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

test('files dropped on a screen that is no folder never take its place: it asks, and uploads to My Drive', async (office) => {
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

test('files dropped on an open dialog are refused in words', async (office) => {
  const { page } = office;
  await enterDrive(office);
  await press(page, 'Alt+n');
  await page.waitForSelector('[role="dialog"] input');
  await dropTree(page, '[role="dialog"]', { 'Notice.pdf': bill });
  await waitForText(page, 'Close what is open over the page, then drop the files again.');
  await waitForValue(() => pathOf(page), '/dashboard');
});

test('after a reload it says which uploads were interrupted, and they go on when chosen again', async (office) => {
  const { page, world, asha, line } = office;
  const folder = await world.build.folder(asha.actor, 'Audit');
  await enterDrive(office, `/dashboard/folder/${folder.id}`);
  line.hold(20 * 1024);
  await press(page, 'Control+u');
  const samples = ['One.pdf', 'Two.pdf'].map((name) => ({ name, content: 'x'.repeat(200_000) }));
  const paths = await chooseFiles(page, samples);
  await clickButton(page, 'Start Upload');
  await waitForText(page, 'Uploading 1 of 2');
  page.once('dialog', (dialog) => void dialog.accept());
  await visit(office, '/dashboard');
  line.release();
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
    'into the folder they were going to',
  );
  assert.is(await page.$(rowSelector('One.pdf')), null);
});

test.run();
