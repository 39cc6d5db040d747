import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { nameTokens } from '../../search/grams.ts';
import { assign, colleague } from '../../testing/colleague.ts';
import type { World } from '../../testing/world.ts';
import { freshWorld } from '../../testing/world.ts';
import type { FilesQuery, FolderQuery } from '../contract.ts';

/** Files of the firm: more than are looked through for a person's own before these are gathered. */
const FILES = 26_000;
/** Those whose numbers are below belong to the client "Last", and of the others one in four to "Spread". */
const LAST = 6000;
const LIMIT = 40;

interface Office {
  admin: Actor;
  /** Persons with one client each: of a large share that is spread, of one that stands at the end, and of a tiny one. */
  persons: Record<'spread' | 'last' | 'tiny', Actor>;
}

const test = suite<World & Office>('lists of persons with shares of any size');
test.before(async (world) => {
  Object.assign(world, await freshWorld());
  const { build, db } = world;
  world.admin = await build.actor();
  const { firmId, userId } = world.admin;
  const clients: number[] = [];
  for (const name of ['Spread', 'Last', 'Tiny']) clients.push(await build.client(world.admin, name));
  const [spread, last, tiny] = clients as [number, number, number];
  // Newest, largest and first by name are those with the highest numbers.
  await db.raw(
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${FILES})
     INSERT INTO item_rows (firm_id, type, name, name_key, sort_key, file_type, file_size, client_id, owner_id, created_at, modified_at)
     SELECT ?, 'file', name, name, name, type, i / 2, CASE WHEN i < ${LAST} THEN ? WHEN i % 500 = 7 THEN ? WHEN i % 4 = 0 THEN ? END, ?, at, at
     FROM (SELECT i, printf('%06d', ${FILES} - i) || ' ' || iif(i % 3, 'paper', 'bill') || iif(i % 50, '.pdf', '.txt') AS name,
       iif(i % 50, 'pdf', 'txt') AS type, strftime('%Y-%m-%dT%H:%M:%fZ', 1700000000 + i / 3 * 60, 'unixepoch') AS at FROM n) AS made`,
    [firmId, last, tiny, spread, userId],
  );
  for (const word of ['paper', 'bill'])
    await db.raw(
      `INSERT INTO item_search (rowid, grams) SELECT id, ? FROM items WHERE name LIKE '%' || ? || '%' ORDER BY id`,
      [nameTokens(firmId, word), word],
    );
  const person = async (client: number) => {
    const actor = await colleague(world, world.admin, {
      permissions: ['documents.read', 'documents.download'],
    });
    await assign(world, actor, [client]);
    return actor;
  };
  world.persons = { spread: await person(spread), last: await person(last), tiny: await person(tiny) };
});
test.after((world) => world.close());

/** The names of all that a person sees, in the order asked for, by the plainest query. */
async function expected({ db }: World, { userId }: Actor, order: string, where = 'true'): Promise<string[]> {
  return db('item_rows')
    .whereIn('client_id', db('user_clients').where({ user_id: userId }).select('client_id'))
    .whereRaw(where)
    .orderByRaw(order)
    .pluck('name');
}

const COLUMN = { name: 'sort_key', modified: 'modified_at', size: 'file_size' };
const FILTERS: [query: FilesQuery, where: string][] = [
  [{}, 'true'],
  [{ group: 'text' }, `file_type = 'txt'`],
  [{ client_id: 'none' }, 'false'],
];

test('files come in every order, page by page, none left out and none twice', async (world) => {
  const { services, persons } = world;
  for (const [share, actor] of Object.entries(persons))
    for (const [asked, where] of FILTERS)
      for (const sort of ['name', 'modified', 'size'] as const)
        for (const direction of ['asc', 'desc'] as const) {
          const order = `${COLUMN[sort]} ${direction}, id ${direction}`;
          const all = await expected(world, actor, order, where);
          const found: string[] = [];
          let cursor: string | undefined;
          for (let pages = 0; pages < 3; pages += 1) {
            const query = { ...asked, sort, direction, limit: LIMIT, ...(cursor && { cursor }) };
            const page = await services.documents.files(actor, query);
            if (pages === 0 && Object.keys(asked).length === 0) assert.is(page.total, all.length);
            found.push(...page.items.map(({ name }) => name));
            cursor = page.next_cursor ?? undefined;
            if (!cursor) break;
          }
          assert.equal(found, all.slice(0, found.length), `${share} ${JSON.stringify(asked)} ${order}`);
          if (!cursor) assert.is(found.length, all.length);
        }
});

test('among many files of others, a search finds the newest that the user sees', async (world) => {
  const { services, persons } = world;
  for (const actor of Object.values(persons)) {
    const all = await expected(world, actor, 'modified_at DESC, id DESC', `name LIKE '%bill%'`);
    const { items } = await services.documents.files(actor, { search: 'bill', limit: LIMIT });
    assert.equal(
      items.map(({ name }) => name),
      all.slice(0, LIMIT),
    );
    const top = await services.search.find(actor, 'bill', 20);
    assert.is(top.items.length, Math.min(20, all.length));
    for (const { name } of top.items) assert.ok(all.includes(name));
  }
});

test('My Drive comes in every order, page by page', async (world) => {
  const { services, persons } = world;
  for (const [share, actor] of Object.entries(persons))
    for (const sort of ['name', 'modified', 'size'] as const)
      for (const direction of ['asc', 'desc'] as const) {
        const then = sort === 'name' ? `id ${direction}` : 'sort_key, id';
        const all = await expected(world, actor, `${COLUMN[sort]} ${direction}, ${then}`);
        const found: string[] = [];
        let cursor: string | undefined;
        for (let pages = 0; pages < 3; pages += 1) {
          const query: FolderQuery = { sort, direction, limit: LIMIT, ...(cursor && { cursor }) };
          const page = await services.documents.folder(actor, null, query);
          found.push(...page.items.map(({ name }) => name));
          cursor = page.next_cursor ?? undefined;
          if (!cursor) break;
        }
        assert.equal(found, all.slice(0, 3 * LIMIT), `${share} ${sort} ${direction}`);
      }
});

test('totals count only what the user sees', async (world) => {
  const { services, db, persons } = world;
  for (const actor of Object.values(persons)) {
    const [own] = await db('item_rows')
      .whereIn('client_id', db('user_clients').where({ user_id: actor.userId }).select('client_id'))
      .select(db.raw('count(*) AS files, sum(file_size) AS bytes'));
    const { total_files, used_bytes } = await services.dashboard.stats(actor);
    assert.equal({ files: total_files, bytes: used_bytes }, { ...own });
    const types = await services.dashboard.storageBreakdown(actor);
    assert.is(
      types.reduce((sum, { size }) => sum + size, 0),
      own.bytes,
    );
  }
});

test.run();
