import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { readAll } from '#server/reading/testing/office.ts';
import { FORM_16, recognise } from '#server/fields/testing/recognised.ts';
import { assign, colleague } from '#server/testing/colleague.ts';
import { rejects } from '#server/testing/rejects.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';

interface Office extends World {
  actor: Actor;
  sharma: number;
  iyer: number;
  folder: number;
  /** Names of the results in the top bar, in the listing of the drive, and in the list of all files. */
  found: (query: string, actor?: Actor) => Promise<{ top: string[]; drive: string[]; files: string[] }>;
}

const names = (items: readonly { name: string }[]): string[] => items.map(({ name }) => name).toSorted();

const test = suite<Office>('searching with filters');
// All tests share one office, as most only read.
test.before(async (office) => {
  Object.assign(office, await freshWorld());
  const { build, services } = office;
  const actor = (office.actor = await build.actor());
  office.sharma = await build.client(actor, 'Sharma Traders');
  office.iyer = await build.client(actor, 'Iyer & Sharma LLP');
  const year = await services.documents.createFolder(actor, {
    name: 'FY 2025-26',
    parent_id: null,
    client_id: office.sharma,
  });
  office.folder = year.id;
  const put = (name: string, content: string, place: { parent_id?: number; client_id?: number } = {}) =>
    build.file(actor, { name, content, ...place });
  await put('Ledger of Sharma.txt', 'Gratuity paid', { parent_id: year.id, client_id: office.sharma });
  await put('Ledger of Iyer.txt', 'Gratuity paid', { client_id: office.iyer });
  await put('Ledger of nobody.txt', 'Gratuity paid for Assessment Year 2026-27');
  await put('Ledger.csv', 'a,b');
  await readAll(office);
  office.found = async (query, who = actor) => {
    const [{ items, inside }, folder, files] = await Promise.all([
      services.search.find(who, query, 50),
      services.documents.folder(who, null, { search: query }),
      services.documents.files(who, { search: query }),
    ]);
    const both = new Map([...items, ...inside.map(({ item }) => item)].map((item) => [item.id, item]));
    return { top: names([...both.values()]), drive: names(folder.items), files: names(files.items) };
  };
});
test.after((office) => office.close());

test('`client:` accepts a full name, or words of it, and includes the folders of the client and all items below them', async ({
  found,
}) => {
  const own = {
    top: ['Ledger of Sharma.txt'],
    drive: ['Ledger of Sharma.txt'],
    files: ['Ledger of Sharma.txt'],
  };
  assert.equal(await found('client:"sharma traders" ledger'), own);
  const both = ['Ledger of Iyer.txt', 'Ledger of Sharma.txt'];
  assert.equal(await found('ledger client:sharma'), { top: both, drive: both, files: both });
  assert.equal((await found('client:none ledger')).top, ['Ledger of nobody.txt', 'Ledger.csv']);
  assert.equal((await found('client:"sharma traders"')).drive, ['FY 2025-26', 'Ledger of Sharma.txt']);
  assert.equal((await found('client:"Sharma Traders"')).top, ['Ledger of Sharma.txt']);
});

test('filters restrict matches by name and by content', async ({ found }) => {
  assert.equal((await found('gratuity client:"sharma traders"')).top, ['Ledger of Sharma.txt']);
  assert.equal((await found('gratuity client:"sharma traders"')).drive, ['Ledger of Sharma.txt']);
  assert.equal((await found('gratuity')).drive.length, 3);
});

test('`type:tif` and `type:tiff` find both spellings, because they are one type', async ({
  found,
  build,
  actor,
}) => {
  await build.file(actor, { name: 'Stamp 1.tif', content: 'x' });
  await build.file(actor, { name: 'Stamp 2.tiff', content: 'x' });
  const both = ['Stamp 1.tif', 'Stamp 2.tiff'];
  for (const query of ['stamp type:tif', 'stamp type:tiff', 'stamp type:TIFF'])
    assert.equal(await found(query), { top: both, drive: both, files: both }, query);
});

test('types and days restrict the results, and a year can be written in every usual form', async ({
  found,
  actor,
}) => {
  assert.equal((await found('ledger type:csv')).files, ['Ledger.csv']);
  assert.equal((await found('ledger type:sheet')).top, ['Ledger.csv']);
  assert.equal((await found('type:folder 2025')).top, ['FY 2025-26']);
  assert.equal((await found('ledger before:2001-01-01')).drive, []);
  assert.equal((await found('ledger after:2001-01-01')).drive.length, 4);
  assert.equal((await found('ledger from:1-1-2001')).drive.length, 4, 'from a day on');
  assert.ok(actor.userId > 0);
  const of2025 = ['Ledger of Sharma.txt', 'Ledger of nobody.txt'];
  for (const query of ['fy:2025-26', 'FY:"FY 2025-26"', 'ay:2026-27', 'fy:2025']) {
    const { top, drive, files } = await found(`ledger ${query}`);
    assert.equal([top, drive, files], [of2025, of2025, of2025], query);
  }
  assert.equal((await found('ledger fy:2026-27')).drive, []);
});

test('filters alone find folders where folders are asked for, as in the dialog that moves into one, and never files in their place', async ({
  services,
  actor,
  sharma,
  folder,
}) => {
  const find = async (query: string, within: Parameters<typeof services.search.find>[3] = {}) =>
    names((await services.search.find(actor, query, 50, within)).items);
  assert.equal(await find('client:"sharma traders"', { type: 'folder' }), ['FY 2025-26']);
  assert.equal(await find('type:folder client:"sharma traders"'), ['FY 2025-26']);
  assert.equal(await find('type:folder'), ['FY 2025-26']);
  assert.equal(await find('type:csv', { type: 'folder' }), []);
  const inside = await services.documents.createFolder(actor, {
    name: 'Notices',
    parent_id: folder,
    client_id: sharma,
  });
  assert.equal(await find('type:folder', { folder }), ['Notices']);
  assert.equal(await find('client:"sharma traders"', { folder }), ['Ledger of Sharma.txt']);
  assert.equal(await find('client:"sharma traders"', { folder: inside.id }), []);
  await services.documents.remove(actor, [inside.id]);
});

test('filters use the recognised type and year, or instead of them the correction by a user', async (office) => {
  const { build, actor, found, services } = office;
  const { id } = await build.file(actor, { name: 'scan0043.txt', content: 'AY 2019-20 is named in it' });
  await readAll(office);
  await recognise(office, id, FORM_16);
  const scan = { top: ['scan0043.txt'], drive: ['scan0043.txt'], files: ['scan0043.txt'] };
  for (const query of ['type:form_16', 'type:"Form 130"', 'type:"form 16" scan', 'fy:2025-26 scan'])
    assert.equal(await found(query), scan, query);
  // A recognised year takes precedence over years that the text mentions.
  assert.equal((await found('ay:2019-20 scan')).top, []);
  await services.fields.answer(actor, id, [
    { id: 'type', answer: 'corrected', value: 'form_16a' },
    { id: 'period', answer: 'corrected', value: 'FY 2024-25' },
  ]);
  assert.equal((await found('type:form_16')).drive, []);
  assert.equal(await found('type:"Form 131"'), scan);
  assert.equal(await found('fy:2024-25 scan'), scan);
  assert.equal((await found('fy:2025-26 scan')).files, []);
});

test('`from:` selects the owner of a file by name, and only people of the own firm', async (office) => {
  const { services, actor, found } = office;
  const [owner] = await services.documents.owners(actor);
  assert.equal((await found(`from:"${owner!.label}" csv`)).top, ['Ledger.csv']);
  const [first] = owner!.label.split(' ');
  const people = await services.search.people(actor, first!.slice(0, 3).toUpperCase());
  assert.ok(people.some(({ id, name }) => id === owner!.value && name === owner!.label));
  assert.equal(await services.search.people(actor, 'nobody-here'), []);
  assert.equal(
    (await services.search.people(await office.build.actor(), owner!.label))
      .map(({ id }) => id)
      .includes(owner!.value),
    false,
    'people of another firm are not suggested',
  );
  const { notes, items } = await services.search.find(actor, 'ledger from:nobody-here');
  assert.equal([notes, items], [[{ key: 'from', value: 'nobody-here' }], []]);
});

test('an invalid filter has no results and is named in the notes', async ({ services, actor, found }) => {
  for (const [query, key, value] of [
    ['ledger before:soon', 'before', 'soon'],
    ['ledger fy:2025-27', 'fy', '2025-27'],
    ['ledger client:zzz', 'client', 'zzz'],
    ['ledger type:zzz', 'type', 'zzz'],
  ] as const) {
    assert.equal((await services.search.find(actor, query)).notes, [{ key, value }], query);
    assert.equal(await found(query), { top: [], drive: [], files: [] }, query);
  }
  // A filter without a value, as while it is being typed, is ignored.
  assert.is((await found('ledger client:')).top.length, 4);
});

test('a client that the user may not see gives the same answer as an unknown one', async (office) => {
  const { actor, sharma, found, services } = office;
  const person = await colleague(office, actor, {
    permissions: actor.permissions.filter((one) => one !== 'documents.unassigned'),
  });
  await assign(office, person, [sharma]);
  const own = {
    top: ['Ledger of Sharma.txt'],
    drive: ['Ledger of Sharma.txt'],
    files: ['Ledger of Sharma.txt'],
  };
  assert.equal(await found('client:sharma ledger', person), own);
  const { notes } = await services.search.find(person, 'client:iyer ledger');
  assert.equal(notes, [{ key: 'client', value: 'iyer' }]);
  assert.equal(await found('fy:2025-26 ledger', person), own);
});

test('a search within a folder finds only items below it, by name and by content', async ({
  services,
  actor,
  folder,
  build,
}) => {
  const { items, inside } = await services.search.find(actor, 'ledger', 20, { folder });
  assert.equal([names(items), inside], [['Ledger of Sharma.txt'], []]);
  const { hits } = await services.search.findInside(actor, 'gratuity', 20, folder);
  assert.equal(
    hits.map(({ item }) => item.name),
    ['Ledger of Sharma.txt'],
  );
  const listed = await services.documents.folder(actor, folder, { search: 'gratuity' });
  assert.equal(names(listed.items), ['Ledger of Sharma.txt']);
  const stranger = await build.actor();
  await rejects(services.search.find(stranger, 'ledger', 20, { folder }), 404);
  await rejects(services.search.findInside(stranger, 'ledger', 20, folder), 404);
});

test('a file that matches by both name and text is counted once', async (office) => {
  const { services, actor, build } = office;
  await build.file(actor, { name: 'Debenture deed.txt', content: 'Debenture trustees' });
  await build.file(actor, { name: 'other.txt', content: 'Of a debenture' });
  await readAll(office);
  const { total, more } = await services.search.find(actor, 'debenture');
  assert.equal([total, more], [2, false]);
});

test.run();
