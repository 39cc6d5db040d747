import * as assert from 'uvu/assert';
import { readAll, scanAll } from '#server/reading/testing/office.ts';
import { lockedPdf } from '#server/reading/testing/locked.ts';
import { drawn, mixedPdf } from '#server/reading/testing/scans.ts';
import { signIn } from '#server/testing/browser.ts';
import { until } from '#server/testing/until.ts';
import { ASHA, officeSuite, waitForText } from './office.ts';

const test = officeSuite('scans in the preview', { reading: true, scans: 'on' });

test('the words that a scan was found by are marked at their place, in a picture and in a PDF', async (office) => {
  const { page, url, world, asha } = office;
  const lines = ['Rent agreement of Kaveri Stores', 'Deposit 2,40,000.00 for the shop'];
  const photo = await world.build.file(asha.actor, {
    name: 'IMG_2041.jpg',
    content: await drawn(lines, { height: 300, quarters: 1 }),
  });
  const jpeg = await drawn(['Lease deed of Narmada Traders'], { height: 300 });
  const paper = await world.build.file(asha.actor, {
    name: 'deed.pdf',
    content: mixedPdf([['Covering note'], { jpeg, width: 1240, height: 300 }]),
  });
  await readAll(world);
  await scanAll(world);
  await readAll(world);
  const query = 'page=1&find=Deposit&find=2%2C40%2C000.00';
  await signIn(page, url, ASHA, `/dashboard?preview=${photo.id}&${query}`);
  await page.waitForSelector('.page-found');
  // The picture is rotated by a quarter turn, so the words and their marks are upright.
  const places = await page.$$eval('.page-found', (marks) =>
    marks.map((mark) => mark.getBoundingClientRect()).map(({ width, height }) => height > width),
  );
  assert.equal(places, [true, true]);

  await page.goto(`${url}/dashboard?preview=${paper.id}&page=2&find=Narmada`);
  await page.waitForFunction(
    () => Array.from(CSS.highlights.get('pdf-found-now') ?? [], String).join() === 'Narmada',
  );
  const marked = await page.evaluate(() => {
    const [range] = CSS.highlights.get('pdf-found-now')!;
    const word = (range as Range).getBoundingClientRect();
    const sheet = document.querySelector('[data-page="2"]')!.getBoundingClientRect();
    return (word.left + word.width / 2 - sheet.left) / sheet.width;
  });
  assert.ok(marked > 0.25 && marked < 0.45, `the mark is on the word: ${marked}`);
});

test('text is marked where it is seen on pages that the file itself rotates, as scanners do', async (office) => {
  const { page, url, world, asha } = office;
  const jpeg = await drawn(['Lease deed of Narmada Traders'], { height: 1240, quarters: 1 });
  const { id } = await world.build.file(asha.actor, {
    name: 'deed.pdf',
    content: mixedPdf([['Covering note'], { jpeg, width: 1240, height: 1240 }], 270),
  });
  await readAll(world);
  await scanAll(world);
  await readAll(world);
  const placeOf = async (number: number, word: string) => {
    await page.goto(`${url}/dashboard?preview=${id}&page=${number}&find=${word}`);
    await page.waitForFunction(
      (wanted) => Array.from(CSS.highlights.get('pdf-found-now') ?? [], String).join() === wanted,
      {},
      word,
    );
    return page.evaluate((sheetNumber) => {
      const [range] = CSS.highlights.get('pdf-found-now')!;
      const found = (range as Range).getBoundingClientRect();
      const sheet = document.querySelector(`[data-page="${sheetNumber}"]`)!.getBoundingClientRect();
      const x = (found.left + found.width / 2 - sheet.left) / sheet.width;
      const y = (found.top + found.height / 2 - sheet.top) / sheet.height;
      return [x.toFixed(1), y.toFixed(1), found.width > found.height ? 'lying' : 'standing'];
    }, number);
  };
  await signIn(page, url, ASHA, '/dashboard');
  assert.equal(await placeOf(1, 'Covering'), ['0.1', '0.8', 'standing']);
  assert.equal(await placeOf(2, 'Narmada'), ['0.3', '0.1', 'lying']);
});

test('a locked PDF asks for its password once, and the password is stored for the next time', async (office) => {
  const { page, url, world, asha } = office;
  const client_id = await world.build.client(asha.actor, 'Meera Sharma');
  const content = lockedPdf('HDFC@4410', ['Statement of April']);
  const file = await world.build.file(asha.actor, { name: 'april.pdf', content, client_id });
  await signIn(page, url, ASHA, `/dashboard?preview=${file.id}`);
  await waitForText(page, 'This PDF is password protected');
  await waitForText(page, 'Remember it for other documents of Meera Sharma');
  await page.locator('.viewer-room input[type=password]').fill('HDFC@4410');
  await page.keyboard.press('Enter');
  await page.waitForSelector('a[aria-label="Download without password"]');
  await page.waitForFunction(() => document.querySelector('.pdf-text')?.textContent?.includes('of April'));
  assert.ok(
    await page.evaluate(() => document.activeElement?.matches('[data-pages]')),
    'arrows scroll at once',
  );
  // The server tries the password in a sandboxed process before it stores it.
  await until(async () => (await world.db('pdf_passwords')).length > 0);
  await page.goto(`${url}/dashboard?preview=${file.id}`);
  await page.waitForSelector('a[aria-label="Download without password"]');
});

test.run();
