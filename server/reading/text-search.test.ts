import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { createColumnSealer, SEALED } from '#server/db/column-encryption.ts';
import { putText } from '#server/db/document-text.ts';
import { assign, colleague } from '#server/testing/colleague.ts';
import { pdf } from '#server/tools/samples.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import type { TextHit } from './contract.ts';
import { createTextKeys } from './keys.ts';
import { readAll } from './testing/office.ts';

interface Office extends World {
  actor: Actor;
  /** Names of the files that are found, the newest first. */
  found: (query: string, actor?: Actor) => Promise<string[]>;
  put: (name: string, content: string | Buffer, client_id?: number | null) => Promise<number>;
}

const test = suite<Office>('searching inside documents');
// One office for all, since each test looks for words of its own.
test.before(async (office) => {
  Object.assign(office, await freshWorld());
  const { build, services } = office;
  office.actor = await build.actor();
  office.found = async (query, actor = office.actor) =>
    (await services.search.findInside(actor, query)).hits.map(({ item }) => item.name);
  office.put = async (name, content, client_id = null) =>
    (await build.file(office.actor, { name, content, client_id })).id;
});
test.after((office) => office.close());

const shown = ({ line }: TextHit): string =>
  line.map(({ text, marked }) => (marked ? `[${text}]` : text)).join('');

test('a search matches words in any order and by their prefixes, and quoted phrases only as written', async (office) => {
  const { put, found } = office;
  await put('one.txt', 'Gratuity paid to the retiring manager');
  await put('two.txt', 'The manager was paid; gratuity is due');
  await readAll(office);
  assert.equal(await found('manager gratuity'), ['two.txt', 'one.txt']);
  assert.equal(await found('gratu manag'), ['two.txt', 'one.txt']);
  assert.equal(await found('"gratuity paid"'), ['one.txt']);
  assert.equal(await found('“paid to” gratuity'), ['one.txt']);
  assert.equal(await found('"manager gratuity"'), []);
  assert.equal(await found('gratuities'), []);
  assert.equal(await found('ratuity'), [], 'a word is found from its beginning');
  for (const odd of ['', ' ', '""', '-', '" "', 'AND OR NOT', 'words : *', '('])
    assert.equal(await found(odd), []);
});

test('a prefix needs three letters, since shorter ones would fill the index; words of two letters are found whole', async (office) => {
  const { put, found } = office;
  await put('short.txt', 'Go by the ledger, or ledge');
  await readAll(office);
  assert.equal(await found('go'), ['short.txt']);
  assert.equal(await found('le'), []);
  for (const query of ['led', 'ledg', 'ledge', 'ledger', 'by led'])
    assert.equal(await found(query), ['short.txt'], query);
  assert.equal(await found('ledgers'), []);
});

test('documents indexed by an earlier version, with word prefixes in another column of the index, are still found by prefix', async (office) => {
  const { put, found, db, secret, actor } = office;
  await put('earlier.txt', 'Superannuation');
  await readAll(office);
  const seal = createColumnSealer(secret, SEALED.textIndex.purpose);
  const hash = await createTextKeys({ db, seal }).hasherOf(actor.firmId);
  const { id } = await db('document_texts').orderBy('id', 'desc').first('id');
  const prefixes = ['su', 'sup', 'supe'].map((head) => hash('head', head)).join(' ');
  await db.transaction((trx) => putText(trx, { id, words: hash('word', 'superannuation'), named: prefixes }));
  for (const query of ['sup', 'superan', 'superannuation'])
    assert.equal(await found(query), ['earlier.txt'], query);
});

test('documents that contain the whole words are listed before newer ones with longer words that begin with them', async (office) => {
  const { put, found } = office;
  await put('whole.txt', 'The audit of stock');
  await put('longer.txt', 'The auditor took stock');
  await readAll(office);
  assert.equal(await found('audit stock'), ['whole.txt', 'longer.txt']);
});

test('numbers, dates and years are found in every usual notation', async (office) => {
  const { put, found } = office;
  await put('amount.txt', 'Rent Rs. 1,20,000.00 for premises');
  await put('glued.txt', 'Hire Rs.3,40,000.00 w.e.f.01.09.2024, balance 17,49,000.50Cr');
  await put('column.txt', 'Gross salary in rupees: 4,56,000.00');
  await put('day.txt', 'Deed executed on 7th April, 2026');
  await put('year.txt', 'Computation for the Assessment Year 2026-27');
  await readAll(office);
  for (const query of ['120000', '1,20,000', '120,000 premises', '1,20,000.00'])
    assert.equal(await found(query), ['amount.txt'], query);
  for (const query of ['3,40,000', '340000.00', 'Rs.3,40,000', '1749000.50', '01-09-2024', '"1 Sep 2024"'])
    assert.equal(await found(query), ['glued.txt'], query);
  for (const query of ['Rs.4,56,000.00', 'Rs 456000', 'INR 4,56,000', 'salary Rs. ₹4,56,000/-'])
    assert.equal(await found(query), ['column.txt'], 'the sign of rupees may be in a heading');
  for (const query of ['07-04-2026', '7 Apr 2026', '2026-04-07', 'deed 7/4/2026'])
    assert.equal(await found(query), ['day.txt'], query);
  for (const query of ['FY 2025-26', '2025-26', 'AY 2026-27 computation'])
    assert.equal(await found(query), ['year.txt'], query);
  assert.equal(await found('FY 2026-27'), []);
});

test('identifiers and Hindi words are found as whole words', async (office) => {
  const { put, found } = office;
  await put('ids.txt', 'PAN AAAPZ0000Q, invoice INV-17/2026');
  await put('hindi.txt', 'आयकर विवरणी वर्ष');
  await readAll(office);
  assert.equal(await found('aaapz0000q'), ['ids.txt']);
  assert.equal(await found('INV-17/2026'), ['ids.txt']);
  assert.equal(await found('विवरणी आयकर'), ['hindi.txt']);
});

test('a form renumbered by the Income-tax Rules 2026 is found by its old and its new number, since a vault contains forms of both kinds', async (office) => {
  const { put, found, services, actor } = office;
  await put('old.txt', 'FORM NO. 16A certificate under section 203');
  await put('new.txt', 'Form 131 certificate under section 395');
  await put('salary.txt', 'Form No. 16 of an employee');
  await put('statement.txt', 'Annual statement 26AS');
  await readAll(office);
  for (const query of ['form 16a', 'Form 131', 'FORM NO.16A', 'certificate 16A', 'form16a'])
    assert.equal(await found(query), ['new.txt', 'old.txt'], query);
  assert.equal(await found('form 130'), ['salary.txt']);
  assert.equal(await found('form 16'), ['salary.txt']);
  assert.equal(await found('form 168'), ['statement.txt']);
  assert.equal(await found('"form no 16a"'), ['old.txt'], 'in quotation marks it is meant as it stands');
  const [hit] = (await services.search.findInside(actor, 'form 16a')).hits;
  assert.is(shown(hit!), '[Form 131] certificate under section 395');
});

test('a PAN is found when typed with spaces or in lower case, and when printed with spaces or in boxes', async (office) => {
  const { put, found } = office;
  await put('plain.txt', 'PAN ZZZPZ0000A of the assessee');
  await put('blanks.txt', 'PAN ZZZPZ 0000 A of the assessee');
  await put('boxes.txt', 'PAN Z Z Z P Z 0 0 0 0 A of the assessee');
  await readAll(office);
  for (const query of ['zzzpz0000a', 'ZZZPZ 0000 A', 'assessee zzzpz 0000a'])
    assert.equal(await found(query), ['boxes.txt', 'blanks.txt', 'plain.txt'], query);
});

test('an Aadhaar number is found by its twelve digits, and the snippet shows only the last four', async (office) => {
  const { put, services, actor } = office;
  await put('uid.txt', 'UID of Leela: 9999 4105 7058');
  await readAll(office);
  const { hits } = await services.search.findInside(actor, '999941057058');
  assert.equal(hits.map(shown), ['UID of Leela: [XXXX XXXX 7058]']);
});

test('a search result has the page number and the line with the matched words marked, shortened if it is long', async (office) => {
  const { put, services, actor } = office;
  const long = `${'filler '.repeat(60)}perquisites ${'more '.repeat(60)}`;
  await put('pages.pdf', pdf([['Cover'], ['Depreciation'], ['Schedule of depreciation', 'at WDV rates']]));
  await put('long.txt', long);
  await readAll(office);
  const [hit] = (await services.search.findInside(actor, 'depreciation schedule')).hits;
  assert.equal([hit!.page, hit!.kind, shown(hit!)], [3, 'page', '[Schedule] of [depreciation]']);
  const [cut] = (await services.search.findInside(actor, 'perquisites')).hits;
  assert.match(shown(cut!), /^… .*filler \[perquisites\] more .* …$/);
  assert.ok(shown(cut!).length < 200);
});

test('a search returns matches by name and by content separately, and none by content when only folders are requested', async (office) => {
  const { put, services, actor } = office;
  await put('Debentures.txt', 'nothing of the kind');
  await put('other.txt', 'Interest on debentures');
  await readAll(office);
  const results = await services.search.find(actor, 'debentures');
  assert.equal(
    results.items.map(({ name }) => name),
    ['Debentures.txt'],
  );
  assert.equal(
    results.inside.map(({ item }) => item.name),
    ['other.txt'],
  );
  assert.is(results.more_inside, false);
  assert.equal((await services.search.find(actor, 'debentures', 10, { type: 'folder' })).inside, []);
});

test('documents of clients that a user may not see are not found, not counted, and not included in `more`', async (office) => {
  const { put, services, actor, build, found } = office;
  const [seen, unseen] = [await build.client(actor, 'Seen & Co'), await build.client(actor, 'Unseen & Co')];
  const mine = await put('mine.txt', 'royalty agreement', seen);
  for (let n = 0; n < 6; n += 1) await put(`theirs ${n}.txt`, `royalty agreement ${n}`, unseen);
  // The same content twice: the user may see only one of the copies.
  await put('copy.txt', 'royalty of both', seen);
  await put('their copy.txt', 'royalty of both', unseen);
  await readAll(office);
  const person = await colleague(office, actor, {
    permissions: actor.permissions.filter((one) => one !== 'documents.unassigned'),
  });
  await assign(office, person, [seen]);
  assert.equal(await found('royalty', person), ['copy.txt', 'mine.txt']);
  assert.equal((await services.search.findInside(person, 'royalty', 2)).more, false);
  assert.is((await services.search.findInside(actor, 'royalty', 2)).more, true);
  assert.equal(await found('royalty', await build.actor()), []);
  assert.is((await services.reading.progress(person)).files, 2);
  // View-only users may read documents, so they get the line too.
  assert.is((await services.search.findInside(build.limited(actor), 'royalty', 1)).hits.length, 1);
  await services.documents.remove(actor, [mine]);
  assert.equal(await found('royalty', person), ['copy.txt'], 'what lies in Trash is not found');
});

test.run();
