import * as assert from 'uvu/assert';
import { signIn } from '#server/testing/browser.ts';
import { readAll } from '#server/reading/testing/office.ts';
import { pdf } from '#server/tools/samples.ts';
import { violations } from './axe.ts';
import { ASHA, officeSuite, seen } from './office.ts';

const test = officeSuite('searching inside documents', { reading: true });

const PAGES = [
  ['Cover'],
  ['Notes to accounts'],
  ['Schedule of depreciation', 'Plant and machinery 1,20,000'],
];

test('a word of a document is found from the top bar, and leads to its page with the word marked', async (office) => {
  const { page, url, world, asha } = office;
  const folder = await world.build.folder(asha.actor, 'Audit 2025-26');
  const file = await world.build.file(asha.actor, {
    name: 'scan0043.pdf',
    content: pdf(PAGES),
    parent_id: folder.id,
  });
  await world.build.file(asha.actor, { name: 'scan0044.pdf', content: pdf([[]]) });
  await readAll(world);
  await signIn(page, url, ASHA, '/dashboard');

  await page.locator('.global-search').fill('depreciation 120000');
  await seen(page, 'Page 3');
  await page.keyboard.press('Enter');
  // All results, as a page, each with its line.
  await page.waitForFunction(() => location.search.includes('search=depreciation'));
  await seen(page, 'Schedule of depreciation');
  assert.equal(await violations(page), []);

  await page.locator('main ::-p-text(scan0043.pdf)').click();
  await page.waitForSelector('.pdf-find');
  await page.waitForFunction(
    () => Array.from(CSS.highlights.get('pdf-found-now') ?? [], String).join() === 'depreciation',
  );
  assert.is(await page.$eval('.pdf-find input', (input) => input.value), 'depreciation 1,20,000');
  assert.match(page.url(), `/dashboard?search=depreciation+120000&preview=${file.id}&page=3`);

  await page.goto(`${url}/storage`);
  await seen(page, '2 of 2 read');
  await seen(page, '1 has no text');
  assert.equal(await violations(page), []);
});

test.run();
