import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import { createRenditions } from './renditions.ts';

const KB = 1024;
const DAY = 24 * 60 * 60_000;

interface Office extends World {
  actor: Actor;
  /** Stores a picture of a page, with this number of bytes. */
  keep(page: number, bytes?: number): Promise<boolean>;
  pages(): Promise<number[]>;
  renditions: ReturnType<typeof createRenditions>;
  key(page: number): { firm_id: number; sha256: string; file_type: string; kind: 'page'; page: number };
}

const test = suite<Office>('storage for renditions');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld());
  const { db, build } = office;
  const { actor } = await build.account();
  const { id } = await build.file(actor, { name: 'scan.tiff', content: 'x'.repeat(1000) });
  const { sha256 } = await office.services.documents.openFile(actor, id);
  const renditions = createRenditions({ db, clock: office.now, room: { bytes: 100 * KB, share: 0.1 } });
  const key: Office['key'] = (page) => ({
    firm_id: actor.firmId,
    sha256,
    file_type: 'tiff',
    kind: 'page',
    page,
  });
  Object.assign(office, {
    actor,
    renditions,
    key,
    keep: (page: number, bytes = 9 * KB) =>
      renditions.keepRendition(key(page), { blob_id: String(page).padStart(32, '0'), bytes, pages: 1000 }),
    pages: async () => (await db('renditions').orderBy('page')).map(({ page }: { page: number }) => page),
  });
});
test.after.each((office) => office.close());

test('renditions of a file with many pages stay within their space, and the deleted ones are listed for the sweep', async (office) => {
  for (let page = 1; page <= 60; page += 1) {
    office.advance(1000);
    assert.is(await office.keep(page), true);
  }
  const left = await office.pages();
  assert.ok(left.length <= 10, `${left.length} of 10 KB each are kept`);
  assert.ok(left.includes(60), 'the last one made is there');
  const gone = await office.services.records.takeDiscarded(100);
  assert.is(gone.length, 60 - left.length, 'the others are listed for the sweep');
  assert.is(await office.keep(1), true, 'and can be made again');
});

test('the least recently used renditions are deleted first', async (office) => {
  for (let page = 1; page <= 9; page += 1) await office.keep(page);
  office.advance(2 * DAY);
  for (const page of [1, 2]) await office.renditions.rendition(office.key(page));
  office.advance(1000);
  for (let page = 10; page <= 14; page += 1) await office.keep(page);
  const left = await office.pages();
  assert.ok(left.includes(1) && left.includes(2));
  assert.not(left.includes(3));
});

test('records that no picture can be made count towards the space, so that their rows are bounded', async (office) => {
  for (let page = 1; page <= 300; page += 1) {
    await office.renditions.keepRendition(office.key(page), { blob_id: null, bytes: null, pages: null });
  }
  assert.ok((await office.pages()).length <= 101);
});

test('the renditions of one firm do not displace those of another', async (office) => {
  const other = await office.build.account();
  const { id } = await office.build.file(other.actor, { name: 'b.tiff', content: 'theirs' });
  const { sha256 } = await office.services.documents.openFile(other.actor, id);
  const theirs = { ...office.key(1), firm_id: other.actor.firmId, sha256 };
  await office.renditions.keepRendition(theirs, { blob_id: 'f'.repeat(32), bytes: 50 * KB, pages: 1 });
  for (let page = 1; page <= 40; page += 1) await office.keep(page);
  assert.ok(await office.renditions.rendition(theirs));
});

test('a picture of what a masking link served before is not stored once the file was read again, since a number may show on it', async (office) => {
  const { renditions, key, db } = office;
  const [copy, picture] = ['a'.repeat(32), 'b'.repeat(32)];
  const stored = { blob_id: copy, bytes: KB, pages: 0 };
  await renditions.keepRendition({ ...key(1), kind: 'masked' }, stored);
  const keepPage = () =>
    renditions.keepRendition(
      { ...key(1), kind: 'masked_page' },
      { blob_id: picture, bytes: KB, pages: 1 },
      (trx) => renditions.isServedMasked(trx, key(1), copy),
    );
  const forget = () =>
    db.transaction((trx) =>
      renditions.dropRenditions(trx, key(1).firm_id, key(1).sha256, ['masked', 'masked_page']),
    );
  assert.is(await keepPage(), true);
  await forget();
  const swept = await office.services.records.takeDiscarded(10);
  assert.ok(swept.includes(copy) && swept.includes(picture), 'both are swept');
  assert.is(await keepPage(), false, 'nothing is served now');
  await renditions.keepRendition({ ...key(1), kind: 'masked' }, { ...stored, blob_id: 'c'.repeat(32) });
  assert.is(await keepPage(), false, 'another copy is served now');
  assert.is(await renditions.rendition({ ...key(1), kind: 'masked_page' }), null);
});

test.run();
