import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { searchIndex } from '../../search/index.ts';
import { rejects } from '../../testing/rejects.ts';
import type { World } from '../../testing/world.ts';
import { freshWorld } from '../../testing/world.ts';
import type { FilesQuery } from '../contract.ts';
import { sortKey } from '../../text/sort-key.ts';

interface Office {
  actor: Actor;
  client: number;
  all: (query: FilesQuery) => Promise<string[]>;
}

const test = suite<World & Office>('all files in one list');
test.before.each(async (world) => {
  Object.assign(world, await freshWorld());
  const { build, services, advance } = world;
  world.actor = await build.actor();
  world.client = await build.client(world.actor);
  const folder = await build.folder(world.actor, 'Deep');
  const names = [
    'GST 10.pdf',
    'GST 2.pdf',
    'photo.jpg',
    'ledger.xlsx',
    'bill.pdf',
    'note.txt',
    'gst old.csv',
  ];
  for (const [index, name] of names.entries()) {
    advance(86_400_000);
    const place = { parent_id: index % 2 ? folder.id : null, client_id: index < 3 ? world.client : null };
    await build.file(world.actor, { name, content: 'x'.repeat(10 + ((index * 7) % 5)), ...place });
  }
  world.all = async (query) => {
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof services.documents.files>> = await services.documents.files(
        world.actor,
        {
          limit: 2,
          ...query,
          ...(cursor && { cursor }),
        },
      );
      found.push(...page.items.map(({ name }) => name));
      cursor = page.next_cursor;
    } while (cursor);
    return found;
  };
});
test.after.each((world) => world.close());

test('files of all folders stand in one list, each with its place', async ({ services, actor }) => {
  const { items, total } = await services.documents.files(actor, {});
  assert.equal(items.map(({ name, path }) => `${path}/${name}`).slice(0, 2), [
    '/gst old.csv',
    'Deep/note.txt',
  ]);
  assert.is(total, 7);
});

test('every order goes through all files once, page by page, both ways', async ({ all }) => {
  const byName = [
    'bill.pdf',
    'GST 2.pdf',
    'GST 10.pdf',
    'gst old.csv',
    'ledger.xlsx',
    'note.txt',
    'photo.jpg',
  ];
  assert.equal(await all({ sort: 'name', direction: 'asc' }), byName);
  assert.equal(await all({ sort: 'name', direction: 'desc' }), byName.toReversed());
  for (const sort of ['modified', 'size'] as const) {
    const up = await all({ sort, direction: 'asc' });
    assert.is(new Set(up).size, 7);
    assert.equal(await all({ sort, direction: 'desc' }), up.toReversed());
  }
});

test('filters narrow the list down, alone and together', async ({ all, client, actor, build, services }) => {
  const sort = 'name' as const;
  const direction = 'asc' as const;
  const found = async (query: FilesQuery) => (await all({ sort, direction, ...query })).join(', ');
  assert.is(await found({ group: 'pdf' }), 'bill.pdf, GST 2.pdf, GST 10.pdf');
  assert.is(await found({ client_id: client }), 'GST 2.pdf, GST 10.pdf, photo.jpg');
  assert.is(await found({ client_id: 'none', group: 'pdf' }), 'bill.pdf');
  assert.is(await found({ owner_id: actor.userId, group: 'image' }), 'photo.jpg');
  assert.is(await found({ owner_id: actor.userId + 1 }), '');
  const stranger = await build.actor();
  for (const query of [{ client_id: client }, { owner_id: actor.userId }, { search: 'gst' }])
    assert.equal(
      await services.documents.files(stranger, query),
      { items: [], next_cursor: null, total: 0 },
      'what belongs to another firm is not there',
    );
  assert.is(await found({ search: 'gst' }), 'GST 2.pdf, GST 10.pdf, gst old.csv');
  assert.is(await found({ search: 'gst', group: 'sheet' }), 'gst old.csv');
  assert.is(await found({ from: '2026-11-23', to: '2026-11-24' }), 'ledger.xlsx, photo.jpg');
  assert.is(await found({ client_id: client, group: 'pdf', to: '2026-11-21' }), 'GST 10.pdf');
});

test('a day in a filter is a day in India', async ({ build, services, actor, advance }) => {
  // 27 Nov, 10:00 UTC and eleven hours more: the 28th has begun in India.
  advance(11 * 3_600_000);
  await build.file(actor, { name: 'late.txt' });
  const { items } = await services.documents.files(actor, { from: '2026-11-28' });
  assert.equal(
    items.map(({ name }) => name),
    ['late.txt'],
  );
});

test('by date, days and a place are met together, wherever the place lies', async ({
  services,
  actor,
  all,
}) => {
  const days = { from: '2026-11-23', to: '2026-11-26' };
  const within = ['photo.jpg', 'ledger.xlsx', 'bill.pdf', 'note.txt'];
  for (const direction of ['asc', 'desc'] as const) {
    const order = { sort: 'modified', direction } as const;
    const whole = await all(order);
    const inOrder = direction === 'asc' ? within : within.toReversed();
    assert.equal(await all({ ...order, ...days, limit: 1 }), inOrder);
    for (const [index, name] of whole.entries()) {
      const { next_cursor: cursor } = await services.documents.files(actor, { ...order, limit: index + 1 });
      const { items } = await services.documents.files(actor, {
        ...order,
        ...days,
        ...(cursor && { cursor }),
      });
      const behind = cursor ? whole.slice(index + 1).filter((one) => within.includes(one)) : inOrder;
      assert.equal(
        items.map((item) => item.name),
        behind,
        `behind ${name}`,
      );
    }
  }
});

test('more files than one page may look at are still all found, and none twice', async ({
  db,
  all,
  actor,
  build,
  services,
}) => {
  const { documents } = services;
  const rows = Array.from({ length: 5000 }, (_, index) => {
    const name = `${index % 7 ? 'scan' : 'Scán'} ${index}.${index % 1000 === 999 ? 'dwg' : 'png'}`;
    const now = new Date(Date.parse('2025-01-01') + index * 60_000).toISOString();
    return {
      firm_id: actor.firmId,
      parent_id: null,
      type: 'file',
      name,
      name_key: name,
      sort_key: sortKey(name),
      file_type: name.slice(-3),
      file_size: index,
      blob_id: `b${index}`,
      owner_id: actor.userId,
      created_at: now,
      modified_at: now,
    };
  });
  for (let start = 0; start < rows.length; start += 500)
    await db('item_rows').insert(rows.slice(start, start + 500));
  const made: { id: number; name: string }[] = await db('items')
    .whereLike('blob_id', 'b%')
    .whereRaw('length(blob_id) < 6')
    .select('id', 'name');
  const named = made.map(({ id, name }) => ({ id, grams: searchIndex.gramsOf(actor.firmId, name) }));
  await db.transaction(async (trx) => {
    for (let start = 0; start < named.length; start += 500)
      await searchIndex.addAll(trx, named.slice(start, start + 500));
  });
  const query = { sort: 'name', direction: 'asc', limit: 200 } as const;
  assert.is((await all(query)).length, 5007);
  assert.is(new Set(await all({ ...query, search: 'scan' })).size, 5000, 'whatever their accents');
  const drawings = [999, 1999, 2999, 3999, 4999].map((n) => `${n % 7 ? 'scan' : 'Scán'} ${n}.dwg`);
  assert.equal(await all({ ...query, group: 'drawing' }), drawings);
  assert.equal(await all({ ...query, group: 'drawing', search: 'scan' }), drawings);
  assert.equal(await all({ ...query, client_id: 'none', search: 'scan 4999' }), drawings.slice(-1));
  // Each of the two fits too many files to read them all; together they fit few.
  const together = { ...query, group: 'image', from: '2025-01-01', to: '2025-01-02' } as const;
  // Until the evening of the second in UTC, less two drawings.
  assert.is((await all(together)).length, 2548);
  assert.is((await all({ ...together, search: 'scan' })).length, 2548);
  // More names than can be read at once, and beside them files whose folder alone has the word.
  const folder = await build.folder(actor, 'Scans of the year');
  const invoice = await build.file(actor, { name: 'invoice.pdf', parent_id: folder.id });
  const scans = await all({ ...query, search: 'scan' });
  assert.equal([scans.length, new Set(scans).size, scans[0]], [5001, 5001, 'invoice.pdf']);
  assert.equal(await all({ ...query, search: 'scan', group: 'pdf' }), ['invoice.pdf']);
  const inside = await documents.folder(actor, folder.id, { search: 'scan' });
  assert.equal(
    inside.items.map(({ name }) => name),
    ['invoice.pdf'],
    'all below a small folder is found',
  );
  await documents.remove(actor, [invoice.id]);
  assert.is((await all({ ...query, search: 'year scan' })).length, 0);
  const page = await services.documents.files(actor, {
    ...query,
    client_id: 'none',
    group: 'image',
    to: '2020-01-01',
  });
  assert.equal([page.items, page.next_cursor], [[], null]);
});

test('a first page has something on it where anything is to be found, however far behind in the order', async ({
  services: { documents },
  actor,
  db,
}) => {
  const rows = (from: number, count: number, word: string) =>
    Array.from({ length: count }, (_, n) => ({
      id: from + n,
      firm_id: actor.firmId,
      type: 'file',
      name: `${word} ${n}.pdf`,
      name_key: `${word} ${n}.pdf`,
      sort_key: `${word} ${n}.pdf`,
      file_type: 'pdf',
      file_size: 1,
      owner_id: actor.userId,
      created_at: '2020-01-01T00:00:00.000Z',
      modified_at: `${word === 'challan' ? '2020-01-01' : '2021-01-01'}T00:00:00.000Z`,
    }));
  await db.transaction(async (trx) => {
    // More than are looked through for one page; and more of what is looked for than are gathered by their names.
    for (const row of [...rows(100_000, 700, 'challan'), ...rows(200_000, 4200, 'ledger')]) {
      await trx('item_rows').insert(row);
      await searchIndex.add(trx, row);
    }
  });
  const first = await documents.files(actor, { search: 'challan', limit: 20 });
  assert.is(first.items.length, 20);
  const filtered = await documents.files(actor, { to: '2020-12-31', group: 'pdf', limit: 20, sort: 'size' });
  assert.is(filtered.items.length, 20);
  const none = await documents.files(actor, { search: 'challan', client_id: 'none', group: 'image' });
  assert.equal([none.items, none.next_cursor], [[], null]);
});

test('a cursor made by hand, or of another order, is refused; one of another firm shows nothing of it', async ({
  services,
  actor,
  build,
}) => {
  const { next_cursor } = await services.documents.files(actor, { limit: 1 });
  for (const cursor of [
    '',
    '!',
    next_cursor!.slice(3),
    Buffer.from('["modified","desc",{},1]').toString('base64url'),
  ])
    await rejects(services.documents.files(actor, { cursor }), 422);
  await rejects(services.documents.files(actor, { cursor: next_cursor!, sort: 'name' }), 422);
  assert.equal((await services.documents.files(await build.actor(), { cursor: next_cursor! })).items, []);
});

test('a search finds by the names of folders and of the client too, among the filters, on every page', async ({
  services: { documents },
  build,
  actor,
  all,
}) => {
  const textiles = await build.client(actor, 'Iyer Textiles');
  const years = await build.folder(actor, 'Years');
  const year = await build.folder(actor, '2024-25', years.id);
  for (const name of ['GSTR 1.pdf', 'GSTR 3.pdf', 'GSTR 2.xlsx', 'TDS.pdf'])
    await build.file(actor, { name, parent_id: year.id, client_id: textiles });
  await build.file(actor, { name: 'GSTR of nobody.pdf', parent_id: year.id });
  await build.file(actor, { name: 'Iyer GSTR.pdf' });
  const order = { sort: 'name', direction: 'asc', limit: 1 } as const;
  const gstr = ['GSTR 1.pdf', 'GSTR 2.xlsx', 'GSTR 3.pdf'];
  assert.equal(await all({ ...order, search: 'gstr textiles' }), gstr);
  assert.equal(await all({ ...order, search: 'iyer 2024-25 gst' }), gstr);
  assert.equal(await all({ ...order, search: 'IYER gstr', direction: 'desc' }), [
    'Iyer GSTR.pdf',
    ...gstr.toReversed(),
  ]);
  assert.equal(await all({ ...order, search: 'years gstr', client_id: 'none' }), ['GSTR of nobody.pdf']);
  assert.equal(await all({ ...order, search: 'years gstr', client_id: textiles }), gstr);
  assert.equal(await all({ ...order, search: 'textiles', group: 'pdf' }), [
    'GSTR 1.pdf',
    'GSTR 3.pdf',
    'TDS.pdf',
  ]);
  assert.equal(await all({ ...order, search: 'iyer old' }), []);
  assert.is((await documents.files(actor, { search: 'iyer gstr', limit: 2 })).total, 4);
  const stranger = await build.actor();
  const own = await build.client(stranger, 'Iyer Textiles');
  await build.file(stranger, { name: 'GSTR of a stranger.pdf', client_id: own });
  assert.equal(await all({ ...order, search: 'gstr textiles' }), gstr);
  assert.equal(
    (await documents.files(stranger, { search: 'gstr textiles' })).items.map(({ name }) => name),
    ['GSTR of a stranger.pdf'],
  );
  await documents.remove(actor, [year.id]);
  assert.equal(await all({ ...order, search: 'gstr textiles' }), [], 'what is deleted is gone at once');
});

test.run();
