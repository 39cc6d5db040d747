import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';

const test = suite<World>('looking up clients');
test.before.each(async (world) => void Object.assign(world, await freshWorld()));
test.after.each((world) => world.close());

test('a client whose name was typed comes first, whatever the phone numbers of others contain, since Enter chooses it', async ({
  services,
  build,
}) => {
  const actor = await build.actor();
  for (let index = 1; index <= 12; index += 1)
    await build.client(actor, `Client ${String(index).padStart(2, '0')} Enterprises`, {
      phone: `98200000${10 + index}`,
    });
  const hits = async (search: string) =>
    (await services.clients.lookUp(actor, search, 3)).map(({ name }) => name);
  assert.equal(await hits('Client 11'), ['Client 11 Enterprises'], 'no other by "11" of its phone number');
  assert.equal(await hits('enterprises 12'), ['Client 12 Enterprises']);
  assert.equal(await hits('client 9820000015'), ['Client 05 Enterprises']);
  assert.equal(await hits('98200 00 016'), ['Client 06 Enterprises'], 'a phone number with other spaces');
  assert.equal(
    (await services.clients.list(actor, { search: 'client 11' })).data.length,
    1,
    'in the list too',
  );
});

test('whole names come first, then beginnings, then beginnings of words in the order typed, then other places in the name', async ({
  services,
  build,
}) => {
  const actor = await build.actor();
  await build.client(actor, 'A of an address', { email: 'rao.k@example.in' });
  await build.client(actor, 'Brao Kothari');
  await build.client(actor, 'Krishna Rao');
  await build.client(actor, 'M V Rao & Kumar');
  await build.client(actor, 'Rao K Stores');
  await build.client(actor, 'Rao K');
  await build.client(actor, 'Rao K_%', { status: 'Inactive' });
  const names = async (search: string) =>
    (await services.clients.lookUp(actor, search, 20)).map(({ name }) => name);
  assert.equal(await names('RAO  k'), [
    'Rao K',
    'Rao K Stores',
    'Rao K_%',
    'M V Rao & Kumar',
    'Brao Kothari',
    'Krishna Rao',
  ]);
  assert.equal(await names('k_%'), ['Rao K_%'], 'the signs of a pattern stand for themselves');
  assert.equal(await names('rao.k'), ['A of an address']);
});

test('a name is found as it is typed in haste: without its apostrophe, with a curly one, and with "and" for "&"', async ({
  services,
  build,
}) => {
  const actor = await build.actor();
  for (const name of [
    "D'Souza & Co",
    'D’Souza Exports',
    'Gupta & Gupta',
    'Gupta and Sons',
    'Anand Gupta Gupta',
  ])
    await build.client(actor, name);
  const hits = async (search: string) =>
    (await services.clients.lookUp(actor, search, 5)).map(({ name, found_in }) => [name, found_in]);
  const [exports, co] = [
    ['D’Souza Exports', null],
    ["D'Souza & Co", null],
  ];
  for (const typed of ['dsouza', "d'souza", 'D’Souza'])
    assert.equal((await hits(typed)).toSorted(), [co, exports], typed);
  for (const typed of ['gupta and gupta', 'Gupta & Gupta'])
    assert.equal((await hits(typed))[0], ['Gupta & Gupta', null], typed);
  assert.equal(await hits('gupta & sons'), [['Gupta and Sons', null]]);
  assert.is((await services.clients.list(actor, { search: 'dsouza' })).data.length, 2, 'in the list too');
});

test('a short word may be in the name of a group, which has accents', async ({ services, build }) => {
  const actor = await build.actor();
  await build.client(actor, 'Mehta Textiles', { group_name: 'JP Élan' });
  await build.client(actor, 'Mehta Ores', { email: 'ela@ores.in' });
  for (const typed of ['mehta jp', 'mehta él', 'ELA mehta']) {
    const hits = await services.clients.lookUp(actor, typed, 5);
    assert.equal(
      hits.map(({ name, found_in }) => [name, found_in]),
      [['Mehta Textiles', 'Group JP Élan']],
      typed,
    );
  }
});

test('clients of one name are told apart by a number or their group, or a document would go to the wrong one', async ({
  services,
  build,
}) => {
  const actor = await build.actor();
  await build.client(actor, 'Ramesh Kumar', { city: 'Pune', pan: 'AAAPZ0000A' });
  await build.client(actor, 'RAMESH  KUMAR', { city: 'Pune', group_name: 'Kumar family' });
  await build.client(actor, 'Ramesh Kumar Shah', { pan: 'AAAPZ0000B' });
  for (const state of ['27', '29'])
    await build.client(actor, 'Ramesh Mills', {
      pan: 'AAACZ0000A',
      gstin: `${state}AAACZ0000A1Z${state === '27' ? 9 : 5}`,
    });
  const hits = await services.clients.lookUp(actor, 'ramesh', 5);
  assert.equal(
    hits.map(({ name, found_in }) => [name, found_in]),
    [
      ['RAMESH  KUMAR', 'Group Kumar family'],
      ['Ramesh Kumar', 'PAN AAAPZ0000A'],
      ['Ramesh Kumar Shah', null],
      ['Ramesh Mills', 'GSTIN 27AAACZ0000A1Z9'],
      ['Ramesh Mills', 'GSTIN 29AAACZ0000A1Z5'],
    ],
    'branches share a PAN',
  );
});

test.run();
