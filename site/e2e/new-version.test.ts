import * as assert from 'uvu/assert';
import type { Page } from 'puppeteer';
import { rm, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { textsOf } from '#server/documents/versions/testing/texts.ts';
import { until } from '#server/testing/until.ts';
import { violations } from './axe.ts';
import { chooseFiles, enterDrive, press, row, visit } from './drive.ts';
import { waitForText } from './office.ts';
import { holdTimers } from './quick.ts';
import { uploadProxySuite } from './upload-proxy.ts';

interface Files {
  folder: string;
}
const test = uploadProxySuite<Files>('a new version of one file');
test.before.each(async (office) => {
  office.folder = await mkdtemp(join(tmpdir(), 'versions-'));
});
test.after.each(({ folder }) => rm(folder, { recursive: true }));

const NEW_VERSION = 'Upload new version...';

/** Chooses a file in the file picker that `open` opens. @returns where it is on the disk. */
async function choose(page: Page, folder: string, name: string, content: string, open: () => Promise<void>) {
  const path = join(folder, name);
  await writeFile(path, content);
  const [picker] = await Promise.all([page.waitForFileChooser(), open()]);
  await picker.accept([path]);
  return path;
}
async function chooseInMenu(page: Page): Promise<void> {
  await page.locator('[data-menu]').click();
  await page.locator(`[role=menuitem] ::-p-text(${NEW_VERSION})`).click();
}

test("a file of another name becomes the new version from the file's menu, and the same content again makes none; another type is refused with what to do", async (office) => {
  const { page, world, asha, folder } = office;
  const { id } = await world.build.file(asha.actor, { name: 'ITR.txt', content: 'first' });
  const earlier = async () => (await world.services.versions.list(asha.actor, id)).earlier.length;
  await enterDrive(office);
  await row(page, 'ITR.txt');
  await choose(page, folder, 'ITR.pdf', 'x', () => chooseInMenu(page));
  await waitForText(page, `"ITR.pdf" cannot be a new version of "ITR.txt": it has to end with ".txt".`);
  await choose(page, folder, 'ITR final v2.txt', 'x'.repeat(3000), () => chooseInMenu(page));
  await waitForText(page, 'New version of “ITR.txt”');
  const { size } = await world.services.documents.item(asha.actor, id);
  await waitForText(page, size);
  await choose(page, folder, 'ITR copy.txt', 'x'.repeat(3000), () => chooseInMenu(page));
  await waitForText(page, '“ITR.txt” has this content already');
  assert.is(await earlier(), 1);
  const { items } = await world.services.documents.folder(asha.actor, null);
  assert.equal(
    items.map(({ name }) => name),
    ['ITR.txt'],
  );
});

test('an upload from the list of versions that a reload interrupts continues as a version of the same file, renamed meanwhile', async (office) => {
  const { page, world, asha, folder, proxy } = office;
  const { id } = await world.build.file(asha.actor, { name: 'ITR.txt', content: 'first' });
  await enterDrive(office);
  await row(page, 'ITR.txt');
  await page.locator('[data-menu]').click();
  await page.locator('[role=menuitem] ::-p-text(Versions...)').click();
  await waitForText(page, 'Current version');
  proxy.hold(20 * 1024);
  const button = `[role=dialog] button ::-p-text(${NEW_VERSION})`;
  const path = await choose(page, folder, 'v2.txt', 'x'.repeat(200_000), () => page.locator(button).click());
  await page.waitForSelector('[role=dialog] [role=progressbar]');
  await until(() => proxy.held() === 1);
  assert.equal(await violations(page), []);
  await world.services.documents.rename(asha.actor, id, { name: 'ITR 2025.txt' });
  page.once('dialog', (dialog) => void dialog.accept());
  await visit(office, '/dashboard');
  proxy.release();
  await waitForText(page, '1 upload was interrupted');
  await waitForText(page, '(New version of “ITR.txt”)');
  const input = await page.waitForSelector('[aria-label="Files that were interrupted"]');
  await (input as never as { uploadFile(...files: string[]): Promise<void> }).uploadFile(path);
  await waitForText(page, 'New version of “ITR.txt”');
  const { current, earlier } = await world.services.versions.list(asha.actor, id);
  assert.equal([current.file_size, earlier.length], [200_000, 1]);
  const { items } = await world.services.documents.folder(asha.actor, null);
  assert.equal(
    items.map(({ name }) => name),
    ['ITR 2025.txt'],
  );
});

test('a version whose file a colleague deletes meanwhile fails with who did it, and Retry saves it once the file is restored', async (office) => {
  const { page, world, asha, folder, proxy } = office;
  const { id } = await world.build.file(asha.actor, { name: 'ITR.txt', content: 'first' });
  const ravi = await world.build.colleague(asha.actor);
  await enterDrive(office);
  await row(page, 'ITR.txt');
  proxy.hold(20 * 1024);
  await choose(page, folder, 'v2.txt', 'x'.repeat(200_000), () => chooseInMenu(page));
  await until(() => proxy.held() === 1);
  await world.services.documents.remove(ravi.actor, [id]);
  proxy.release();
  await waitForText(page, 'New version of “ITR.txt”: Deleted by Ravi Kumar');
  await world.services.trash.restore(asha.actor, { ids: [id] });
  await page.locator('[aria-label="Retry v2.txt"]').click();
  await waitForText(page, '1 upload complete');
  const { current, earlier } = await world.services.versions.list(asha.actor, id);
  assert.equal([current.file_size, earlier.length], [200_000, 1]);
});

test('Undo in the toast after an upload brings the earlier content back, and what was uploaded stays among the versions', async (office) => {
  const { page, world, asha, folder } = office;
  const { id } = await world.build.file(asha.actor, { name: 'ITR.txt', content: 'first' });
  await holdTimers(page, 8000);
  await enterDrive(office);
  await row(page, 'ITR.txt');
  await choose(page, folder, 'ITR v2.txt', 'x'.repeat(3000), () => chooseInMenu(page));
  await waitForText(page, '“ITR.txt” replaced');
  assert.equal(await violations(page), []);
  await page.locator('[data-sonner-toast] button ::-p-text(Undo)').click();
  await waitForText(page, '“ITR.txt” has its earlier content again');
  assert.equal(await textsOf(world, asha.actor, id), ['first', 'x'.repeat(3000), 'first']);
  const ravi = await world.build.colleague(asha.actor);
  world.advance(60_000);
  await world.build.file(ravi.actor, { name: 'ITR.txt', content: 'by Ravi', conflict: 'replace' });
  world.advance(60_000);
  await choose(page, folder, 'ITR v3.txt', 'by Asha', () => chooseInMenu(page));
  await waitForText(page, 'Ravi Kumar stored a newer version');
  await waitForText(page, 'Yours is now the newest; the other one is in the list of versions.');
});

test('Ctrl+Z undoes all that one upload has replaced, except where a colleague has stored a newer version since, of which the toast tells', async (office) => {
  const { page, world, asha } = office;
  const put = (name: string, content: string, { actor } = asha) =>
    world.build.file(actor, { name, content, conflict: 'replace' });
  const { id } = await put('ITR.txt', 'first');
  const bill = await put('Bill.txt', 'first');
  await holdTimers(page, 8000);
  await enterDrive(office);
  await row(page, 'ITR.txt');
  await press(page, 'Control+u');
  await chooseFiles(page, [
    { name: 'ITR.txt', content: 'second' },
    { name: 'Bill.txt', content: 'second' },
    { name: 'New.txt', content: 'new' },
  ]);
  await press(page, 'Enter');
  await page.locator('input[value="replace"]').click();
  await press(page, 'Enter');
  await waitForText(page, '2 files replaced');
  await put('Bill.txt', 'of Ravi', await world.build.colleague(asha.actor));
  await press(page, 'Control+z');
  await waitForText(page, '“ITR.txt” has its earlier content again');
  await waitForText(page, 'The upload over “Bill.txt” was not undone');
  await waitForText(page, 'Ravi Kumar stored a newer version a moment ago.');
  assert.equal(await textsOf(world, asha.actor, id), ['first', 'second', 'first']);
  assert.equal(await textsOf(world, asha.actor, bill.id), ['of Ravi', 'second', 'first']);
  await row(page, 'New.txt');
});

test.run();
