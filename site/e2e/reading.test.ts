import * as assert from 'uvu/assert';
import { signIn } from '#server/testing/browser.ts';
import { readAll } from '#server/reading/testing/office.ts';
import { eml } from '#server/previews/testing/mails.ts';
import { docx, paragraph, run, workbook } from '#server/previews/testing/office.ts';
import { pdf } from '#server/tools/samples.ts';
import { violations } from './axe.ts';
import { ASHA, officeSuite, waitForText } from './office.ts';

const test = officeSuite('searching inside documents', { reading: true });

const PAGES = [
  ['Cover'],
  ['Notes to accounts'],
  ['Schedule of all assets of the firm and their depreciation', 'Plant and machinery 1,20,000'],
];

test('Review says that documents are still being read, not that there is nothing to do, and updates by itself', async (office) => {
  const { page, url, world, asha } = office;
  await world.build.file(asha.actor, { name: 'scan0043.pdf', content: pdf(PAGES) });
  await signIn(page, url, ASHA, '/review');
  await waitForText(page, 'Reading 1 document...');
  assert.equal(await violations(page), []);
  await readAll(world);
  await waitForText(page, 'Nothing to review');
});

test('a file that is found by its name opens with the keys of the preview, although its text has the name too, and Ctrl+F leads to the words', async (office) => {
  const { page, url, world, asha } = office;
  await world.build.file(asha.actor, { name: 'Depreciation.pdf', content: pdf(PAGES) });
  await readAll(world);
  await signIn(page, url, ASHA, '/dashboard');
  await page.locator('.global-search').fill('depreciation');
  await waitForText(page, 'Schedule of all assets');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.pdf-find input');
  await page.waitForSelector('[data-page="3"] canvas');
  assert.ok(await page.$('.preview-layer [tabindex="-1"]:focus'));
  await page.keyboard.down('Control');
  await page.keyboard.press('f');
  await page.keyboard.up('Control');
  await page.waitForSelector('.pdf-find input:focus');
});

test('a word inside a document is found from the top bar, and the result opens its page with the word marked', async (office) => {
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
  await waitForText(page, 'Page 3');
  await page.waitForSelector('[role=option] ::-p-text(Audit 2025-26)');
  await page.keyboard.press('Enter');
  // The page of all results, each with the line that was found.
  await page.waitForFunction(() => location.search.includes('search=depreciation'));
  await waitForText(page, 'Schedule of all assets');
  await page.setViewport({ width: 1100, height: 768 });
  const isSeen = await page.$eval('main .found-line mark', (mark) => {
    const [inner, outer] = [mark, mark.parentElement!].map((element) => element.getBoundingClientRect());
    return inner!.left >= outer!.left && inner!.right <= outer!.right + 1 && inner!.width > 60;
  });
  assert.ok(isSeen, 'a narrow row cuts what stands before and behind the match, not the match');
  await page.setViewport({ width: 1366, height: 768 });
  assert.equal(await violations(page), []);

  await page.locator('main ::-p-text(scan0043.pdf)').click();
  await page.waitForSelector('.pdf-find');
  await page.waitForFunction(
    () => Array.from(CSS.highlights.get('pdf-found-now') ?? [], String).join() === 'depreciation',
  );
  assert.is(await page.$eval('.pdf-find input', (input) => input.value), 'depreciation 1,20,000');
  assert.match(page.url(), `/dashboard?search=depreciation+120000&preview=${file.id}&page=3`);

  await page.goto(`${url}/storage`);
  await waitForText(page, '2 of 2 read');
  await waitForText(page, '1 has no text');
  assert.equal(await violations(page), []);
});

test('a search result in a text file, a table, a document or an e-mail opens at its place, with the words marked', async (office) => {
  const { page, url, world, asha } = office;
  const add = async (name: string, content: string | Buffer) =>
    (await world.build.file(asha.actor, { name, content })).id;
  const lines = (mark: string) => Array.from({ length: 400 }, (_, n) => (n === 300 ? mark : `Line ${n}`));
  const text = await add('notes.txt', lines('Depreciation of plant 77,001').join('\n'));
  const row = (n: number) => `<row r="${n}"><c r="B${n}" t="inlineStr"><is><t>Row ${n}</t></is></c></row>`;
  const row300 = row(300).replace('Row 300', 'Depreciation 77,002');
  const book = await add(
    'book.xlsx',
    workbook({ First: { rows: row(1) }, Second: { rows: row(2) + row300 } }),
  );
  const words = lines('Depreciation of vehicles 77,003').map((line) => paragraph(run(line)));
  const letter = await add('letter.docx', docx(words.join('')));
  const mail = await add(
    'mail.eml',
    eml(
      ['Subject: Depreciation', 'From: a@b.in'],
      [{ head: ['Content-Type: text/plain'], body: lines('Depreciation of cars 77,004').join('\n') }],
    ),
  );
  const open = (id: number, amount: string, sheet = 1) =>
    page.goto(`${url}/dashboard?preview=${id}&page=${sheet}&find=depreciation&find=${amount}`);
  /** The text node with the current match, once it is visible; in the frame `within`, or else in the page. */
  const markedText = async (within: string | null): Promise<string> => {
    const handle = await page.waitForFunction(
      (frame) => {
        const target = frame ? document.querySelector<HTMLIFrameElement>(frame)?.contentWindow : window;
        const view = target as (Window & typeof globalThis) | null;
        const [range] = (view?.CSS.highlights.get('words-found-now') ?? []) as Iterable<Range>;
        const { top, bottom } = range?.getBoundingClientRect() ?? { top: -1, bottom: -1 };
        return top > 0 && bottom < view!.innerHeight && String(range!.startContainer.textContent);
      },
      {},
      within,
    );
    return String(await handle.jsonValue());
  };

  await signIn(page, url, ASHA, '/dashboard');
  await open(text, '77,001');
  assert.match(await markedText(null), 'Depreciation of plant');
  await open(letter, '77,003');
  assert.match(await markedText('.office-frame'), 'Depreciation of vehicles');
  await open(mail, '77,004');
  assert.match(await markedText('.office-frame'), 'Depreciation of cars');
  assert.is(await markedText(null), 'Depreciation', 'the subject is marked too');

  await open(book, '77,002', 2);
  const cell = await page.waitForSelector('[data-found]');
  assert.equal(
    await cell!.evaluate((element) => [element.textContent, (element as HTMLElement).dataset.cell]),
    ['Depreciation 77,002', '299 1'],
  );
  assert.ok(await cell!.isIntersectingViewport());
  assert.is(await page.$eval('[role=tab][aria-selected=true]', (tab) => tab.textContent), 'Second');
});

test.run();
