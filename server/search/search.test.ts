import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { rejects } from '../testing/rejects.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';
import { MAX_READ_AGAIN, searchIndex } from './index.ts';

const test = suite<World>('search');
test.before.each(async (world) => void Object.assign(world, await freshWorld({ trashDays: 0 })));
test.after.each((world) => world.close());

async function actorWithFiles(world: World, ...names: string[]): Promise<Actor> {
  const actor = await world.build.actor();
  for (const name of names) await world.build.file(actor, { name });
  return actor;
}

const find = async ({ services }: World, actor: Actor, query: string): Promise<string[]> =>
  (await services.search.find(actor, query)).items.map(({ name }) => name);

test('the words of a query match in any order, in any case and anywhere in a name', async (world) => {
  const actor = await actorWithFiles(world, 'Sharma ITR 2024.pdf', 'Iyer ITR 2023.pdf');
  for (const query of ['2024 sharma', 'SHARMA', 'harm', 'itr 24', 'sh 2024', ' rma  pdf ']) {
    assert.equal(await find(world, actor, query), ['Sharma ITR 2024.pdf'], query);
  }
  assert.equal(await find(world, actor, 'sharma 2023'), []);
});

test('a query of one character finds nothing, one of two characters does', async (world) => {
  const actor = await actorWithFiles(world, 'ab.pdf', 'cab.pdf', 'b.pdf');
  assert.equal(await find(world, actor, 'ab'), ['ab.pdf', 'cab.pdf']);
  for (const query of ['', ' ', 'a', ' b ']) assert.equal(await find(world, actor, query), []);
});

test('accents of Latin, Greek and Cyrillic letters are ignored, vowel signs of Indic scripts are not', async (world) => {
  const actor = await actorWithFiles(
    world,
    'Résumé.pdf',
    'Ёлка.pdf',
    'कर विवरणी.pdf',
    'किराया.pdf',
    'வரி.pdf',
    'Straße.pdf',
  );
  assert.equal(await find(world, actor, 'resume'), ['Résumé.pdf']);
  assert.equal(await find(world, actor, 'RE\u0301SUME'), ['Résumé.pdf']);
  assert.equal(await find(world, actor, 'елка'), ['Ёлка.pdf']);
  assert.equal(await find(world, actor, 'strasse'), ['Straße.pdf']);
  assert.equal(await find(world, actor, 'कर'), ['कर विवरणी.pdf']);
  assert.equal(await find(world, actor, 'कि'), ['किराया.pdf']);
  assert.equal(await find(world, actor, 'की'), []);
  assert.equal(await find(world, actor, 'வரி'), ['வரி.pdf']);
});

test('punctuation matches literally, and the operators of FTS5 and wildcards of LIKE have no effect', async (world) => {
  const actor = await actorWithFiles(
    world,
    '100% done.pdf',
    'a_b.pdf',
    'axb.pdf',
    "it's (new).pdf",
    '100 done.pdf',
    "o' -- x.pdf",
  );
  assert.equal(await find(world, actor, '0%'), ['100% done.pdf']);
  assert.equal(await find(world, actor, 'a_b'), ['a_b.pdf']);
  assert.equal(await find(world, actor, '(new)'), ["it's (new).pdf"]);
  assert.equal(await find(world, actor, '100 %'), ['100% done.pdf']);
  for (const query of [
    '"',
    '""',
    '"a" OR "b"',
    'a*',
    '*',
    'NEAR(a b)',
    'grams:a',
    "';--",
    '\0\0',
    '\ud800x',
    '\ue100\ue101',
    '%_',
    'a AND',
  ]) {
    assert.equal(await find(world, actor, query), [], query);
  }
});

test('form16, form-16 and Form 16 match each other', async (world) => {
  const actor = await actorWithFiles(world, 'Form 16.pdf', 'form-16 b.pdf', 'FORM16c.pdf', 'Form 26.pdf');
  for (const query of ['form16', 'Form 16', '16 form', 'form 1']) {
    assert.is((await find(world, actor, query)).length, 3, query);
  }
});

test('equal names rank first, then names that start with the query, then names with a word that starts with it, then the rest', async (world) => {
  const actor = await actorWithFiles(world, 'minirent.pdf', 'old rent.pdf', 'Rental.pdf', 'rent.pdf');
  await world.build.folder(actor, 'Rent');
  assert.equal(await find(world, actor, 'rent'), [
    'Rent',
    'rent.pdf',
    'Rental.pdf',
    'old rent.pdf',
    'minirent.pdf',
  ]);
});

test('a result includes the path and the id of its folder', async (world) => {
  const actor = await world.build.actor();
  const a = await world.build.folder(actor, 'Clients');
  const b = await world.build.folder(actor, 'Sharma', a.id);
  await world.build.file(actor, { name: 'deed.pdf', parent_id: b.id });
  const { items } = await world.services.search.find(actor, 'deed');
  assert.is(items[0]?.path, 'Clients / Sharma');
  assert.is(items[0]?.parent_id, b.id);
  assert.is((await world.services.search.find(actor, 'clients')).items[0]?.path, '');
});

test('each word may be in the name of the item, of a folder above it or of its client, in any order', async (world) => {
  const { build } = world;
  const actor = await build.actor();
  const client_id = await build.client(actor, 'Sharma Traders');
  const top = await build.folder(actor, 'Clients');
  const year = await build.folder(actor, '2024-25', top.id);
  await build.file(actor, { name: 'GSTR-1 July.pdf', parent_id: year.id, client_id });
  await build.file(actor, { name: 'GSTR-3B July.pdf', parent_id: year.id });
  await build.file(actor, { name: 'Sharma GSTR.pdf' });
  assert.equal(
    await find(world, actor, 'sharma gstr'),
    ['Sharma GSTR.pdf', 'GSTR-1 July.pdf'],
    'own names first',
  );
  assert.equal(await find(world, actor, 'july 2024-25 clients gstr'), [
    'GSTR-3B July.pdf',
    'GSTR-1 July.pdf',
  ]);
  assert.equal(await find(world, actor, 'gstr traders 2024'), ['GSTR-1 July.pdf']);
  assert.equal(await find(world, actor, '2024-25'), ['2024-25', 'GSTR-3B July.pdf', 'GSTR-1 July.pdf']);
  assert.equal(await find(world, actor, 'sharma gstr iyer'), []);
  const { items } = await world.services.search.find(actor, 'traders gstr');
  assert.equal([items[0]?.client_name, items[0]?.path], ['Sharma Traders', 'Clients / 2024-25']);
});

test('the name of the client of a file is found as it is typed in haste, as clients are', async (world) => {
  const { build } = world;
  const actor = await build.actor();
  for (const [name, client] of [
    ['ITR D.pdf', "D'Souza & Co"],
    ['ITR G.pdf', 'Gupta & Gupta'],
    ['ITR S.pdf', 'Gupta and Sons'],
  ] as const)
    await build.file(actor, { name, client_id: await build.client(actor, client) });
  for (const typed of ['dsouza itr', 'd’souza itr', 'dsouza and co'])
    assert.equal(await find(world, actor, typed), ['ITR D.pdf'], typed);
  assert.equal(await find(world, actor, 'gupta and gupta itr'), ['ITR S.pdf', 'ITR G.pdf']);
  assert.equal(await find(world, actor, 'gupta & sons itr'), ['ITR S.pdf']);
});

test('after renames, moves and deletions, only the current names of folders and clients match', async (world) => {
  const { build, services } = world;
  const { documents, clients } = services;
  const actor = await build.actor();
  const client_id = await build.client(actor, 'Sharma Traders');
  const [a, b] = [await build.folder(actor, 'Audit'), await build.folder(actor, 'Tax')];
  const sub = await build.folder(actor, 'Drafts', a.id);
  const file = await build.file(actor, { name: 'note.pdf', parent_id: sub.id, client_id });
  assert.equal(await find(world, actor, 'audit note'), ['note.pdf']);
  await documents.rename(actor, a.id, { name: 'Review' });
  assert.equal(await find(world, actor, 'audit note'), []);
  assert.equal(await find(world, actor, 'review note'), ['note.pdf']);
  await documents.move(actor, { ids: [sub.id], parent_id: b.id });
  assert.equal(await find(world, actor, 'review note'), []);
  assert.equal(await find(world, actor, 'tax note'), ['note.pdf']);
  await clients.update(actor, client_id, { name: 'Verma Traders' });
  assert.equal(await find(world, actor, 'sharma note'), []);
  assert.equal(await find(world, actor, 'verma note'), ['note.pdf']);
  await clients.remove(actor, client_id);
  assert.equal(await find(world, actor, 'verma note'), []);
  await documents.remove(actor, [file.id]);
  assert.equal(await find(world, actor, 'tax note'), []);
});

test('names of folders and clients of another firm match nothing', async (world) => {
  const { build } = world;
  const actor = await actorWithFiles(world, 'note.pdf');
  const stranger = await build.actor();
  const folder = await build.folder(stranger, 'Sharma');
  const client_id = await build.client(stranger, 'Sharma');
  await build.file(stranger, { name: 'note.pdf', parent_id: folder.id, client_id });
  assert.equal(await find(world, actor, 'sharma note'), []);
  assert.equal(await find(world, stranger, 'sharma note'), ['note.pdf']);
});

test('a search by client and file name finds the one file among a thousand files of the same name without that client', async (world) => {
  const { build, services, db } = world;
  const actor = await build.actor();
  const client_id = await build.client(actor, 'Sharma Traders');
  await build.file(actor, { name: 'GSTR of long ago.pdf', client_id });
  const blob = { id: 'b', size: 1, sha256: '', crc32: 0 };
  const add = (n: number) =>
    services.documents.addFile(actor, {
      name: `GSTR ${n}.pdf`,
      parent_id: null,
      client_id: null,
      blob: { ...blob, id: `b${n}` },
    });
  for (let start = 0; start < 1200; start += 100)
    await Promise.all(Array.from({ length: 100 }, (_, n) => add(start + n)));
  const { items, more } = await services.search.find(actor, 'sharma gstr');
  assert.equal([items.map(({ name }) => name), more], [['GSTR of long ago.pdf'], false]);
  const many = await build.client(actor, 'Iyer');
  await db('item_rows').where('name', 'like', 'GSTR 1%').update({ client_id: many });
  const wide = await services.search.find(actor, 'gstr iyer');
  assert.equal([wide.total, wide.more], [311, false]);
});

test('a file of a client whose name has two of the words is found, though clients with one of the words have thousands of files', async (world) => {
  const { build, services, db } = world;
  const actor = await build.actor();
  const clients = [await build.client(actor, 'Gupta Traders'), await build.client(actor, 'Iyer Traders')];
  const now = new Date(0).toISOString();
  const rows = Array.from({ length: 2600 }, (_, index) => {
    const name = `${index % 2 ? 'Sharma' : 'Invoice'} ${index}.pdf`;
    const same = { firm_id: actor.firmId, type: 'file', file_type: 'pdf', owner_id: actor.userId };
    const keys = { name, name_key: name, sort_key: name, created_at: now, modified_at: now };
    return { id: 10_000 + index, ...same, ...keys, client_id: clients[index % 2]! };
  });
  for (let start = 0; start < rows.length; start += 200) {
    const part = rows.slice(start, start + 200);
    const named = part.map(({ id, name }) => ({ id, grams: searchIndex.gramsOf(actor.firmId, name) }));
    await db.transaction(async (trx) => {
      await trx('item_rows').insert(part);
      await searchIndex.addAll(trx, named);
    });
  }
  const client_id = await build.client(actor, 'Sharma Traders');
  await build.file(actor, { name: 'Invoice of Pune.pdf', client_id });
  for (const search of ['sharma traders invoice', 'invoice traders sharma']) {
    assert.equal(await find(world, actor, search), ['Invoice of Pune.pdf'], search);
    const { items } = await services.documents.files(actor, { search });
    assert.equal(
      items.map(({ name }) => name),
      ['Invoice of Pune.pdf'],
    );
  }
  const many = await services.search.find(actor, 'traders');
  assert.ok(many.more && many.total >= 20, 'very many matches: only the newest are examined');
});

test('a form is found by its old and its new number, and a PAN when typed with blanks', async (world) => {
  const actor = await actorWithFiles(
    world,
    'Form 16A Q1.pdf',
    '131 Infosys.pdf',
    'Form-131.pdf',
    '16A HDFC.pdf',
    'AAAPZ0000Q.pdf',
  );
  const forms = ['16A HDFC.pdf', 'Form 16A Q1.pdf', 'Form-131.pdf'];
  for (const query of ['form 131', 'Form 16A', 'form no. 16a', 'form16a'])
    assert.equal((await find(world, actor, query)).toSorted(), forms, query);
  assert.equal(await find(world, actor, 'form 131 q1'), ['Form 16A Q1.pdf']);
  assert.equal(await find(world, actor, 'AAAPZ 0000 Q'), ['AAAPZ0000Q.pdf']);
  const { items } = await world.services.documents.files(actor, { search: 'form 131' });
  assert.equal(items.map(({ name }) => name).toSorted(), forms);
});

test('the parts of a year match with any separator, in names and in the query, since offices write all of them', async (world) => {
  const names = [
    'Form-16_Sharma_2023_24.pdf',
    'Form 16 Sharma 2023-2024.pdf',
    'Form 16 Sharma FY 2023 24.pdf',
    'Form16 Sharma AY_2024_25.pdf',
  ];
  const actor = await actorWithFiles(
    world,
    ...names,
    'Form 16 Sharma 2024_25.pdf',
    'Form 16 Sharma 24.3.2023.pdf',
  );
  for (const year of ['2023-24', '2023_24', '2023/24', '2023-2024', 'FY 2023_24', 'AY 2024/25'])
    assert.equal((await find(world, actor, `form 16 sharma ${year}`)).toSorted(), names.toSorted(), year);
  assert.equal(
    (await find(world, actor, 'fy:2023-24')).toSorted(),
    names.filter((name) => !/2023 24/.test(name)).toSorted(),
  );
  const dates = await actorWithFiles(world, 'scan 2011_12_05.pdf');
  assert.is((await find(world, dates, '2011_12_05')).length, 1, 'a date is no year');
});

test('FY 2025-26 and AY 2026-27 match each other, and AY 2025-26 does not match FY 2025-26', async (world) => {
  const actor = await actorWithFiles(
    world,
    'ITR AY 2026-27.pdf',
    'GST FY2025-26.pdf',
    'Audit 2025-2026.pdf',
    'ITR AY 2025-26.pdf',
  );
  const all = ['Audit 2025-2026.pdf', 'GST FY2025-26.pdf', 'ITR AY 2026-27.pdf'];
  for (const query of ['FY 2025-26', 'ay 2026-27', 'A.Y. 2026-27'])
    assert.equal((await find(world, actor, query)).toSorted(), all, query);
  assert.equal(await find(world, actor, 'itr fy 2025-26'), ['ITR AY 2026-27.pdf']);
  assert.equal(await find(world, actor, 'gst 2025_26'), ['GST FY2025-26.pdf']);
  // Without `FY` or `AY`, both kinds of year match.
  assert.is((await find(world, actor, '2025-26')).length, 4);
});

test('renaming and deleting a file updates the index', async (world) => {
  const { documents, records } = world.services;
  const actor = await actorWithFiles(world, 'before.pdf');
  const [item] = (await documents.folder(actor, null)).items;
  await documents.rename(actor, item!.id, { name: 'after.pdf' });
  assert.equal(await find(world, actor, 'before'), []);
  assert.equal(await find(world, actor, 'after'), ['after.pdf']);
  await documents.remove(actor, [item!.id]);
  assert.equal(await find(world, actor, 'after'), []);
  await records.purge();
  const [left] = await world.db('item_search').count({ n: '*' });
  assert.is(left?.n, 0);
});

test('with very many matches the best are still first, and `more` marks the total as a lower bound', async (world) => {
  const actor = await actorWithFiles(world, 'ledger.pdf');
  const { documents, search } = world.services;
  const add = (n: number) =>
    documents.addFile(actor, {
      name: `old ledger ${n}.pdf`,
      parent_id: null,
      client_id: null,
      blob: { id: `b${n}`, size: 1, sha256: '', crc32: 0 },
    });
  await Promise.all(Array.from({ length: 400 }, (_, n) => add(n)));
  const { items, total, more } = await search.find(actor, 'ledger', 5);
  assert.is(items[0]?.name, 'ledger.pdf');
  assert.is(items.length, 5);
  assert.ok(more && total >= 200 && total < MAX_READ_AGAIN);
  const exact = await search.find(actor, 'ledger 39');
  assert.ok(!exact.more && exact.total === 14, '39, 139, 239, 339 and 390 to 399');
});

test('the best few clients of the firm are found by name, number or e-mail address, with the value that matched', async (world) => {
  const { build, services } = world;
  const actor = await build.actor();
  await build.client(actor, 'Sharma Traders', {
    client_type: 'Company',
    phone: '+91 98200-12345',
    email: 'accounts@sharma.in',
    pan: 'AAACS1234A',
  });
  await build.client(actor, 'Old Sharma', { status: 'Inactive' });
  await build.client(actor, 'New Sharma');
  await build.client(await build.actor(), 'Sharma of another firm');
  const hits = async (query: string) =>
    (await services.search.find(actor, query)).clients.map(({ name, found_in }) => [name, found_in]);
  assert.equal(await hits('sharma'), [
    ['Sharma Traders', null],
    ['New Sharma', null],
    ['Old Sharma', null],
  ]);
  assert.equal(await hits('acs1234'), [['Sharma Traders', 'PAN AAACS1234A']]);
  assert.equal(await hits('9820012'), [['Sharma Traders', 'Phone 9820012345']]);
  assert.equal(await hits('traders accounts@'), [['Sharma Traders', 'Email accounts@sharma.in']]);
  for (const query of ['sh', '%%%', '___', 'sharma 77', '   ']) assert.equal(await hits(query), [], query);
  await build.client(actor, 'Sharmila');
  const { clients, more_clients } = await services.search.find(actor, 'sharm');
  assert.equal([clients.length, clients[1]!.name, more_clients], [3, 'Sharmila', true]);
});

test('clients that match by name rank before those that match by e-mail address', async ({
  build,
  services,
}) => {
  const actor = await build.actor();
  await build.client(actor, 'Agarwal Steel Works', { email: 'meera@agarwal.example.in' });
  await build.client(actor, 'Iyer Meera');
  await build.client(actor, 'Aameera Stores');
  await build.client(actor, 'Meera Iyer');
  const hits = await services.clients.lookUp(actor, 'meera', 10);
  assert.equal(
    hits.map(({ name, found_in }) => [name, found_in]),
    [
      ['Meera Iyer', null],
      ['Iyer Meera', null],
      ['Aameera Stores', null],
      ['Agarwal Steel Works', 'Email meera@agarwal.example.in'],
    ],
  );
});

test('a search without the permission to read documents is refused', async (world) => {
  const actor = await world.build.actor();
  await rejects(world.services.search.find(world.build.limited(actor, ['clients.write']), 'form'), 403);
});

test.run();
