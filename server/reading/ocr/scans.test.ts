import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import { readAll } from '../testing/office.ts';
import { drawn, mixedPdf } from '../testing/scans.ts';

interface Office extends World {
  actor: Actor;
}

// OCR of a page takes seconds of processor time, so the tests use as few pages as possible.
const test = suite<Office>('reading scans');
test.before(async (office) => {
  Object.assign(office, await freshWorld({ scans: 'on' }));
  office.actor = await office.build.actor();
});
test.after((office) => office.close());

const never = new AbortController().signal;

test('a photo that lies on its side and leans a little is read, and found by its words', async (office) => {
  const { services, build, actor } = office;
  const lines = [
    'TAX INVOICE No. MT/2026/0417',
    'GSTIN: 27AAAPZ0000Q1ZL',
    'Total Rs. 1,18,590.00 due on 07-04-2026',
    'भारत सरकार आयकर विभाग',
  ];
  const content = await drawn(lines, { lean: 0.03, quarters: 1 });
  const { id } = await build.file(actor, { name: 'IMG_2041.jpg', content });
  assert.is((await services.reading.state(actor, id)).state, 'waiting');
  await readAll(office);
  const before = await services.reading.state(actor, id);
  assert.equal([before.state, before.scan], ['waiting', { pages: 1, read: 0, failed: 0, sure: null }]);
  assert.equal((await services.reading.progress(actor)).waiting, 1, 'it counts as not read until then');
  assert.is(await services.reading.scan(never), 1);
  await readAll(office);
  const { state, scan, texts } = await services.reading.text(actor, id);
  assert.is(state, 'read');
  assert.is(scan!.read, 1);
  assert.ok(scan!.sure! > 80, String(scan!.sure));
  assert.equal(texts[0]!.text.split('\n'), lines);
  for (const query of ['27AAAPZ0000Q1ZL', '118590', 'विभाग', '"tax invoice"', '7 Apr 2026']) {
    const { hits } = await services.reading.find(actor, query, 5);
    assert.equal(
      hits.map(({ item }) => item.id),
      [id],
      query,
    );
  }
});

test('a PDF of text pages and scanned pages is found by the words of both, and only its scanned pages are read by OCR, each once', async (office) => {
  const { services, build, actor, db } = office;
  const jpeg = await drawn(['Rent agreement of Kaveri Stores', 'Deposit 2,40,000.00'], { height: 400 });
  const content = mixedPdf([['Covering note to the bank'], { jpeg, width: 1240, height: 400 }]);
  const { id } = await build.file(actor, { name: 'agreement.pdf', content });
  await readAll(office);
  const found = async (query: string) =>
    (await services.reading.find(actor, query, 5)).hits.map(({ page }) => page);
  assert.equal(await found('covering note'), [1], 'the text is found before the picture is read');
  assert.is(await services.reading.scan(never), 1, 'the page with text is not read as a picture');
  await readAll(office);
  assert.equal(await found('"rent agreement" 240000'), [2]);
  assert.equal(await found('covering note'), [1]);
  const view = await services.reading.state(actor, id);
  assert.equal([view.state, view.pages_without_text, view.scan!.read], ['read', 0, 1]);
  const rows = await db('scanned_pages').select('sealed');
  assert.not.ok(
    rows.some(({ sealed }) => Buffer.from(sealed).includes('Kaveri')),
    'it lies sealed',
  );
  // The text is rebuilt from the stored pages; OCR is repeated only when a user asks for it.
  await db('document_texts').update({ state: 'waiting' });
  await readAll(office);
  assert.is(await services.reading.scan(never), 0);
  assert.equal(await found('kaveri'), [2]);
});

test('the boxes of words are at their positions on the scanned page, in tenths of a point', async (office) => {
  const { services, actor } = office;
  const [hit] = (await services.reading.find(actor, 'kaveri', 5)).hits;
  const { pages } = await services.reading.words(actor, hit!.item.id);
  assert.equal(
    pages.map(({ page }) => page),
    [2],
  );
  const [{ text, boxes }] = pages as [(typeof pages)[number]];
  const index = text.split(/\s+/).indexOf('Kaveri');
  const [left = 0, top = 0, width = 0, height = 0] = boxes.slice(index * 4, index * 4 + 4);
  // Drawn at 30 pixels of 1240, on a page 595 points wide.
  const unit = 5950 / 1240;
  assert.ok(Math.abs(top + height / 2 - 100 * unit) < 12 * unit, `${top} ${height}`);
  assert.ok(left > 300 * unit && left + width < 560 * unit, `${left} ${width}`);
});

test.run();
