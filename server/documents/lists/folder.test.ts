import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rejects } from '../../testing/rejects.ts';
import type { World } from '../../testing/world.ts';
import { freshWorld } from '../../testing/world.ts';
import type { FolderQuery } from '../contract.ts';
import { DIRECTIONS, SORTS } from '../contract.ts';

const test = suite<World>('documents: listing');
test.before.each(async (world) => void Object.assign(world, await freshWorld()));
test.after.each((world) => world.close());

test('folders come first, then files, each in natural order', async ({ services: { documents }, build }) => {
  const actor = await build.actor();
  for (const name of ['b 10.txt', 'B 2.txt', 'a.txt']) await build.file(actor, { name });
  for (const name of ['Year 2', 'year 10', 'Année']) await build.folder(actor, name);
  const names = async (query: FolderQuery) =>
    (await documents.folder(actor, null, query)).items.map(({ name }) => name);
  assert.equal(await names({}), ['Année', 'Year 2', 'year 10', 'a.txt', 'B 2.txt', 'b 10.txt']);
  assert.equal(await names({ direction: 'desc' }), [
    'year 10',
    'Year 2',
    'Année',
    'b 10.txt',
    'B 2.txt',
    'a.txt',
  ]);
});

test('each page goes on where the last one ended, in every order, with none lost or twice', async ({
  services: { documents },
  build,
  advance,
}) => {
  const actor = await build.actor();
  for (let n = 0; n < 5; n += 1) await build.folder(actor, `folder ${n}`);
  for (let n = 0; n < 12; n += 1) {
    if (n % 3 === 0) advance(1000);
    await build.file(actor, { name: `file ${n}.txt`, content: 'x'.repeat(n % 4) });
  }
  for (const sort of SORTS) {
    for (const direction of DIRECTIONS) {
      const whole = (await documents.folder(actor, null, { sort, direction })).items;
      const paged = [];
      let cursor: string | undefined;
      do {
        const page = await documents.folder(actor, null, { sort, direction, limit: 4, cursor });
        paged.push(...page.items);
        cursor = page.next_cursor ?? undefined;
      } while (cursor);
      assert.equal(paged, whole, `${sort} ${direction}`);
      assert.is(
        whole.findIndex(({ type }) => type === 'file'),
        5,
        'folders first',
      );
    }
  }
});

test('a cursor made by hand or taken from another list is refused, not run', async ({
  services: { documents },
  build,
}) => {
  const actor = await build.actor();
  for (let n = 0; n < 3; n += 1) await build.file(actor, { name: `${n}.txt` });
  const { next_cursor } = await documents.folder(actor, null, { limit: 1 });
  const made = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const bad = [
    '',
    'x',
    '%',
    made(null),
    made({}),
    made([]),
    made(['name', 'asc', 'file', 'a', 'a']),
    made(['name', 'asc', 'file', 'a', 'a', {}]),
    made(['name', 'asc', 'link', 'a', 'a', 1]),
    made(['name', 'asc', 'file', ['a'], 'a', 1]),
    made(['name', 'asc', 'file', 'a', 'a', 1e300]),
  ];
  for (const cursor of bad) {
    assert.ok(
      (await rejects(documents.folder(actor, null, { cursor, limit: 1 }), 422)).errors?.cursor,
      cursor,
    );
  }
  await rejects(documents.folder(actor, null, { cursor: next_cursor!, sort: 'size', limit: 1 }), 422);
  const injected = made(['name', 'asc', 'file', "' OR 1=1 --", "' OR 1=1 --", 1]);
  assert.is(
    (await documents.folder(actor, null, { cursor: injected, limit: 9 })).items.length,
    3,
    'values are only values',
  );
});

test('search looks below the folder, and says where each is', async ({ services: { documents }, build }) => {
  const actor = await build.actor();
  const clients = await build.folder(actor, 'Clients');
  const sharma = await build.folder(actor, 'Sharma', clients.id);
  await build.file(actor, { name: 'Form 16.pdf', parent_id: sharma.id });
  await build.file(actor, { name: 'Form 26AS.pdf' });
  const names = async (id: number | null, search: string) =>
    (await documents.folder(actor, id, { search })).items.map(({ name, path }) => [name, path]);
  assert.equal(await names(null, 'form'), [
    ['Form 16.pdf', 'Clients / Sharma'],
    ['Form 26AS.pdf', ''],
  ]);
  assert.equal(await names(clients.id, ' FORM '), [['Form 16.pdf', 'Clients / Sharma']]);
  assert.equal(await names(null, 'f'), [], 'one character finds nothing');
  assert.is((await names(null, '')).length, 2, 'an empty search is none');
});

test("a client's listing shows the topmost of what is the client's, wherever it lies", async ({
  services: { documents },
  build,
}) => {
  const actor = await build.actor();
  const client = await build.client(actor);
  const folder = await documents.createFolder(actor, { name: 'Sharma', parent_id: null, client_id: client });
  const inner = await build.file(actor, { name: 'inside.txt', parent_id: folder.id });
  const plain = await build.folder(actor, 'Plain');
  const stray = await build.file(actor, { name: 'stray.txt', parent_id: plain.id, client_id: client });
  await build.file(actor, { name: 'nobody.txt' });
  const ids = async (id: number | null) =>
    (await documents.folder(actor, id, { client_id: client })).items.map((item) => item.id);
  assert.equal(await ids(null), [folder.id, stray.id]);
  assert.equal(await ids(folder.id), [inner.id]);
  assert.equal(await ids(plain.id), [stray.id]);
});

test('a file is not a folder, and a folder counts its direct children', async ({
  services: { documents },
  build,
}) => {
  const actor = await build.actor();
  const folder = await build.folder(actor);
  const file = await build.file(actor, { parent_id: folder.id });
  await build.folder(actor, 'inner', folder.id);
  assert.is((await documents.folder(actor, null)).items[0]?.children_count, 2);
  await rejects(documents.folder(actor, file.id), 404);
});

test('search below a folder finds by the names of folders and of the client too, in order and page by page', async ({
  services: { documents },
  build,
}) => {
  const actor = await build.actor();
  const client_id = await build.client(actor, 'Iyer Traders');
  const returns = await build.folder(actor, 'Returns');
  const year = await build.folder(actor, '2024-25', returns.id);
  for (const name of ['GSTR 3.pdf', 'GSTR 1.pdf', 'TDS.pdf'])
    await build.file(actor, { name, parent_id: year.id, client_id });
  await build.file(actor, { name: 'GSTR elsewhere.pdf', client_id });
  const stranger = await build.actor();
  const theirs = await build.client(stranger, 'Iyer Traders');
  await build.file(stranger, { name: 'GSTR of a stranger.pdf', client_id: theirs });
  const names = async (id: number | null, query: FolderQuery) => {
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await documents.folder(actor, id, { ...query, limit: 1, cursor });
      found.push(...page.items.map(({ name }) => name));
      cursor = page.next_cursor ?? undefined;
    } while (cursor);
    return found;
  };
  const inside = ['GSTR 1.pdf', 'GSTR 3.pdf'];
  assert.equal(await names(returns.id, { search: 'gstr traders' }), inside);
  assert.equal(await names(returns.id, { search: 'iyer gst', direction: 'desc' }), inside.toReversed());
  assert.equal(await names(null, { search: 'gstr iyer' }), [...inside, 'GSTR elsewhere.pdf']);
  assert.equal(await names(null, { search: '2024-25 gstr' }), inside);
  assert.equal(await names(null, { search: '2024-25' }), ['2024-25', ...inside, 'TDS.pdf'], 'folders first');
  assert.equal(await names(year.id, { search: 'iyer tds', client_id }), ['TDS.pdf']);
  assert.equal(await names(year.id, { search: 'iyer elsewhere' }), []);
  const { items } = await documents.folder(actor, returns.id, { search: 'tds traders' });
  assert.equal([items[0]?.path, items[0]?.client_name], ['Returns / 2024-25', 'Iyer Traders']);
  await documents.remove(actor, [year.id]);
  assert.equal(await names(null, { search: 'gstr iyer' }), ['GSTR elsewhere.pdf']);
});

test.run();
