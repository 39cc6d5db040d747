import sharp from 'sharp';
import * as assert from 'uvu/assert';
import { enterDrive, row, visit } from './drive.ts';
import { officeSuite, waitForText } from './office.ts';

const test = officeSuite('pictures in the drive');

const blank = (width: number, height: number, background = '#2563eb') =>
  sharp({ create: { width, height, channels: 3, background } });

test('the grid shows thumbnails of files, and the icon of the type where there is none', async (office) => {
  const { page, world, asha } = office;
  const file = (name: string, content: Buffer | string) => world.build.file(asha.actor, { name, content });
  await file('photo.jpg', await blank(800, 600).jpeg().toBuffer());
  await file('scan.tiff', await blank(800, 600).tiff().toBuffer());
  await file('broken.pdf', 'no PDF');
  await file('note.txt', 'text');
  await enterDrive(office);
  await page.locator('[aria-label="Grid"]').click();
  await page.waitForFunction(() => {
    const shown = Array.from(document.querySelectorAll<HTMLImageElement>('[data-id] img'));
    return shown.length === 2 && shown.every((image) => image.complete && image.naturalWidth === 400);
  });
  await row(page, 'broken.pdf');
});

test('the text of a file is shown as it is written, and scripts in it do not run', async (office) => {
  const { page, world, asha } = office;
  const content = '<r>Date,Amount\n2026-04-01,₹ 5\n<script>document.title="taken"</script></r>';
  const { id } = await world.build.file(asha.actor, { name: 'return.xml', content });
  await enterDrive(office);
  await visit(office, `/dashboard?preview=${id}`);
  const shown = await page.waitForSelector('[role="dialog"] pre');
  assert.is(await shown!.evaluate((node) => node.textContent), content);
  assert.not.match(await page.title(), /taken/);
});

test('a TIFF of several pages is paged through with PageDown, and all its pages are rotated together', async (office) => {
  const { page, world, asha } = office;
  const pages = await Promise.all([300, 400].map((width) => blank(width, 500).png().toBuffer()));
  const content = await sharp(pages, { join: { animated: true } })
    .tiff()
    .toBuffer();
  const { id } = await world.build.file(asha.actor, { name: 'deed.tiff', content });
  await enterDrive(office);
  await visit(office, `/dashboard?preview=${id}`);
  await page.waitForSelector('.viewer-image[src$="/pages/1"]');
  await page.keyboard.press('r');
  await page.keyboard.press('PageDown');
  await page.waitForSelector('.viewer-image[src$="/pages/2"][style*="rotate(90deg)"][style*="visible"]');
  assert.is(await page.$eval('[aria-label="Page, of 2"]', (field) => (field as HTMLInputElement).value), '2');
});

test('a TIFF that cannot be read says so and suggests the download', async (office) => {
  const { world, asha } = office;
  const { id } = await world.build.file(asha.actor, { name: 'torn.tiff', content: 'II*' });
  await enterDrive(office);
  await visit(office, `/dashboard?preview=${id}`);
  await waitForText(office.page, 'This file cannot be shown. Download it instead.');
});

test.run();
