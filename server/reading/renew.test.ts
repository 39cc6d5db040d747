import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { putText } from '#server/db/document-text.ts';
import { FORM_16, recognise } from '#server/fields/testing/recognised.ts';
import type { BlobStore } from '#storage/blobs.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld, memoryBlobs } from '#server/testing/world.ts';
import { READER } from './queue.ts';
import { packText, unpackText } from './stored-text.ts';
import { readAll } from './testing/office.ts';

interface Office extends World {
  actor: Actor;
  put: (name: string, content: string) => Promise<{ id: number; text: number }>;
  /** The ids of the blobs that were read, in order. */
  opened: string[];
  found: (query: string) => Promise<string[]>;
}

const test = suite<Office>('reading again what an older version has read');
test.before.each(async (office) => {
  const blobs = memoryBlobs();
  office.opened = [];
  const get: BlobStore['get'] = (id, range) => {
    office.opened.push(id);
    return blobs.get(id, range);
  };
  Object.assign(office, await freshWorld({ blobs: { ...blobs, get } }));
  const { build, services, db } = office;
  office.actor = await build.actor();
  office.put = async (name, content) => {
    const { id } = await build.file(office.actor, { name, content });
    const { sha256 } = await db('items').where({ id }).first('sha256');
    return { id, text: (await db('document_texts').where({ sha256 }).first('id')).id };
  };
  office.found = async (query) =>
    (await services.search.findInside(office.actor, query)).hits.map(({ item }) => item.name);
});
test.after.each((office) => office.close());

/** Leaves a text as an older version would have left it: with other words in the index. */
async function makeOld({ db }: Office, id: number, words = 'none'): Promise<void> {
  await db('document_texts').where({ id }).update({ reader: 0 });
  await db.transaction((trx) => putText(trx, { id, words, named: '' }));
}
const bytesOf = async ({ services, actor }: Office, id: number): Promise<string> =>
  (await services.documents.openFile(actor, id)).blob_id;
const textOf = async ({ services, actor }: Office, id: number): Promise<string> =>
  (await services.reading.text(actor, id)).texts[0]!.text;

test('words that an older version has not indexed are found again from the stored text, without the bytes of the file, which may be far away', async (office) => {
  const { services, actor, db, blobs } = office;
  const { id, text } = await office.put('bill.txt', 'Total Rs.1,23,456.00 only');
  await readAll(office);
  assert.equal(await office.found('123456'), ['bill.txt']);
  const before = await services.reading.state(actor, id);
  await makeOld(office, text);
  assert.equal(await office.found('123456'), []);
  assert.is((await services.reading.state(actor, id)).state, 'read', 'nobody has to wait for it');
  await blobs.delete(await bytesOf(office, id));
  assert.is(await services.reading.due(), true);
  assert.is(await readAll(office), 1);
  assert.equal(await office.found('123456'), ['bill.txt']);
  assert.equal(await services.reading.state(actor, id), before);
  assert.is(await services.reading.due(), false, 'once');
  assert.equal(await db('document_texts').pluck('attempts'), [0]);
});

test('where another value would be recognised the file is read again, unless a user has answered: the answers belong to the values that were seen', async (office) => {
  const { services, actor, db } = office;
  const { id, text } = await office.put(
    'return.txt',
    'INDIAN INCOME TAX RETURN ACKNOWLEDGEMENT\nAssessment Year 2024-25\nPAN ABCPE1234F\nName MEERA IYER\nITR-1\nAcknowledgement Number 123456789012345',
  );
  await readAll(office);
  const right = await services.fields.view(actor, id);
  assert.is(right.year, 2023);
  const wrong = { ...FORM_16, year: 2024, period: 'FY 2024-25' };
  await recognise(office, id, wrong);
  await makeOld(office, text);
  assert.is((await services.fields.view(actor, id)).year, 2024);
  await readAll(office);
  const renewed = await services.fields.view(actor, id);
  assert.equal([renewed.year, renewed.type.value], [2023, right.type.value]);
  await recognise(office, id, wrong);
  await services.fields.answer(actor, id, [
    { id: 'gross_salary', answer: 'corrected', value: 'Rs. 12,50,000' },
    { id: 'employee_pan', answer: 'confirmed' },
  ]);
  await makeOld(office, text);
  await readAll(office);
  assert.equal(await db('document_texts').pluck('reader'), [READER]);
  assert.equal(await office.found('ACKNOWLEDGEMENT'), ['return.txt']);
  const view = await services.fields.view(actor, id);
  assert.is(view.year, 2024);
  const answers = view.fields.flatMap(({ id: key, value, answer }) =>
    answer ? [[key, value, answer.what]] : [],
  );
  assert.equal(answers, [
    ['employee_pan', 'AAAPZ0000A', 'confirmed'],
    ['gross_salary', '125000000', 'corrected'],
  ]);
});

test('a stored text that shows a whole Aadhaar number loses it, and the file is found by the number as before', async (office) => {
  const { db, blobs } = office;
  const number = '9999\u20114105\u20117058';
  const kyc = await office.put('kyc.txt', `Aadhaar ${number} of Ravi`);
  await readAll(office);
  const { blob_id } = await db('document_texts').first('blob_id');
  const { kind, pages } = unpackText(await buffer(await blobs.get(blob_id)));
  const shown = pages.map((page) => ({ ...page, text: `Aadhaar ${number} of Ravi` }));
  const old = await blobs.put(Readable.from([packText({ kind, pages: shown })]));
  await db('document_texts').update({ blob_id: old.id });
  await makeOld(office, kyc.text);
  assert.match(await textOf(office, kyc.id), number);
  await readAll(office);
  assert.is(await textOf(office, kyc.id), 'Aadhaar XXXX\u2011XXXX\u20117058 of Ravi');
  assert.equal(await office.found('999941057058'), ['kyc.txt']);
  await makeOld(office, kyc.text);
  await readAll(office);
  assert.equal(await office.found('999941057058'), ['kyc.txt'], 'also where only the file has the number');
});

test('new files are read first, then the newest of the old; a paused firm waits', async (office) => {
  const { services, actor, db } = office;
  const [older, newer] = [
    await office.put('older.txt', 'first of two'),
    await office.put('newer.txt', 'second'),
  ];
  await readAll(office);
  for (const { text } of [older, newer]) await makeOld(office, text);
  const texts = await db('document_texts').orderBy('id', 'desc').pluck('blob_id');
  await office.put('new.txt', 'has just come');
  await services.reading.pause(actor, true);
  assert.is(await services.reading.due(), false);
  await services.reading.pause(actor, false);
  const read = office.opened.length;
  assert.is(await readAll(office), 3);
  const { blob_id } = await db('items').where({ name: 'new.txt' }).first('blob_id');
  assert.equal(office.opened.slice(read), [blob_id, ...texts]);
});

test('a text stays when its file cannot be read any more, and it is not tried again for ever', async (office) => {
  const { services, actor, db, blobs } = office;
  const lost = await office.put('lost.txt', 'Aadhaar 9999 4105 7058 of Ravi');
  const deadly = await office.put('deadly.txt', 'what has killed the server twice');
  await readAll(office);
  for (const { text } of [lost, deadly]) await makeOld(office, text);
  await db('document_texts').where({ id: deadly.text }).update({ attempts: 2 });
  await blobs.delete(await bytesOf(office, lost.id));
  assert.is(await readAll(office), 2);
  assert.is(await textOf(office, lost.id), 'Aadhaar XXXX XXXX 7058 of Ravi');
  for (const { id } of [lost, deadly]) assert.is((await services.reading.state(actor, id)).state, 'read');
  assert.is(await services.reading.due(), false);
});

test('of what lies in Trash nothing is read, and it keeps nothing else from being read', async (office) => {
  const { services, actor } = office;
  const [kept, trashed] = [
    await office.put('kept.txt', 'stays here'),
    await office.put('gone.txt', 'thrown away'),
  ];
  await readAll(office);
  for (const { text } of [kept, trashed]) await makeOld(office, text);
  await services.documents.remove(actor, [trashed.id]);
  assert.is(await readAll(office), 1);
  assert.equal(await office.found('stays'), ['kept.txt']);
  assert.is(await services.reading.due(), false);
});

test.run();
