import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '../actor.ts';
import type { Clients } from '../clients/service.ts';
import type { FilesQuery } from '../documents/contract.ts';
import { assign, colleague } from '../testing/colleague.ts';
import { seededRandom } from '../testing/seeded-random.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';

const test = suite<World>('what a user sees');
test.before.each(async (world) => void Object.assign(world, await freshWorld()));
test.after.each((world) => world.close());

interface Row {
  id: number;
  parent_id: number | null;
  client_id: number | null;
  type: 'folder' | 'file';
  name: string;
  file_size: number | null;
}

/** The rule for what a user sees, in its simplest form. */
class Model {
  readonly rows: Map<number, Row>;
  readonly clients: ReadonlySet<number>;
  readonly nobodys: boolean;

  constructor(rows: Row[], clients: Iterable<number>, nobodys: boolean) {
    this.rows = new Map(rows.map((row) => [row.id, row]));
    this.clients = new Set(clients);
    this.nobodys = nobodys;
  }

  clientOf({ client_id, parent_id }: Row): number | null {
    if (client_id !== null) return client_id;
    return parent_id === null ? null : this.clientOf(this.rows.get(parent_id)!);
  }
  sees(row: Row): boolean {
    const client = this.clientOf(row);
    return client === null ? this.nobodys : this.clients.has(client);
  }
  get seen(): Row[] {
    return [...this.rows.values()].filter((row) => this.sees(row));
  }
  parentOf({ parent_id }: Row): Row | null {
    const parent = parent_id === null ? undefined : this.rows.get(parent_id)!;
    return parent && this.sees(parent) ? parent : null;
  }
  inside(id: number | null): Row[] {
    return this.seen.filter((row) => (this.parentOf(row)?.id ?? null) === id);
  }
  below(row: Row): Row[] {
    return this.inside(row.id).flatMap((one) => [one, ...this.below(one)]);
  }
  path(row: Row): string {
    const parent = this.parentOf(row);
    return parent ? [this.path(parent), parent.name].filter(Boolean).join(' / ') : '';
  }
}

const ids = (rows: readonly { id: number }[]) => rows.map(({ id }) => id).toSorted((a, b) => a - b);
const refusedWith = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 200,
    (error: { status?: number }) => error.status ?? error,
  );

async function allFiles({ services }: World, actor: Actor, query: FilesQuery, limit = 7) {
  const found: number[] = [];
  let cursor: string | undefined;
  let total: number | null | undefined;
  do {
    const page = await services.documents.files(actor, { ...query, limit, ...(cursor && { cursor }) });
    if (cursor === undefined) total = page.total;
    if (page.next_cursor) assert.is(page.items.length, limit, 'a page that is not the last is full');
    found.push(...page.items.map(({ id }) => id));
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  // For users who see all clients the total is left out where counting would mean reading all rows.
  if (actor.clientScope === 'all') total ??= found.length;
  return { total, found: found.toSorted((a, b) => a - b) };
}

async function names(steps: AsyncIterable<{ path: string[] }>): Promise<string[]> {
  const found: string[] = [];
  for await (const { path } of steps) found.push(path.join('/'));
  return found.toSorted();
}

/** Every list and every figure against the model. */
async function compareAll(world: World, actor: Actor, model: Model): Promise<void> {
  const { documents, search, dashboard, clients } = world.services;
  const files = model.seen.filter(({ type }) => type === 'file');
  const weight = files.reduce((sum, { file_size }) => sum + (file_size ?? 0), 0);

  const root = (await documents.folder(actor, null)).items;
  assert.equal(ids(root), ids(model.inside(null)), 'My Drive');
  assert.ok(root.every(({ parent_id }) => parent_id === null));
  for (const row of model.rows.values()) {
    const seen = model.sees(row);
    if (row.type === 'folder') {
      assert.is(await refusedWith(documents.folder(actor, row.id)), seen ? 200 : 404);
      if (!seen) continue;
      const { items, breadcrumbs } = await documents.folder(actor, row.id);
      assert.equal(ids(items), ids(model.inside(row.id)));
      for (const one of items)
        if (one.type === 'folder') assert.is(one.children_count, model.inside(one.id).length);
      const way = [model.path(row), row.name].filter(Boolean).join(' / ');
      assert.is(breadcrumbs.map(({ name }) => name).join(' / '), way);
      assert.equal(
        await names(documents.walk(actor, [row.id])),
        [row, ...model.below(row)]
          .map((one) => {
            const whole = [model.path(one), one.name].filter(Boolean).join(' / ');
            return whole.slice(way.length - row.name.length).replaceAll(' / ', '/');
          })
          .toSorted(),
      );
    } else assert.is(await refusedWith(documents.openFile(actor, row.id)), seen ? 200 : 404);
    if (!seen) continue;
    const item = await documents.item(actor, row.id);
    assert.equal([item.path, item.parent_id], [model.path(row), model.parentOf(row)?.id ?? null]);
  }
  const everything = [...model.rows.keys()];
  assert.equal(ids(await documents.views(actor, everything)), ids(model.seen));

  for (const sort of ['name', 'modified', 'size'] as const)
    assert.equal(await allFiles(world, actor, { sort }), { total: files.length, found: ids(files) });
  const own = new Set(model.seen.map(({ client_id }) => client_id));
  for (const id of new Set([...model.rows.values()].map(({ client_id }) => client_id))) {
    const of = files.filter(({ client_id }) => client_id === id);
    const query = { client_id: id ?? ('none' as const) };
    assert.equal(await allFiles(world, actor, query), { total: of.length, found: ids(of) });
    if (id !== null && !model.clients.has(id)) {
      assert.not(own.has(id));
      assert.equal((await documents.folder(actor, null, { client_id: id })).items, []);
    }
  }
  assert.equal((await allFiles(world, actor, { search: 'paper' })).found, ids(files));
  assert.equal((await allFiles(world, actor, { search: 'paper', group: 'text' })).found, ids(files));
  // Folders are named `Drawer`: items in a folder that the user does not see are not found by its name.
  const inDrawers = model.seen.filter((row) => row.type === 'folder' || model.path(row) !== '');
  const found = await search.find(actor, 'drawer', 200);
  assert.equal([ids(found.items), found.total], [ids(inDrawers), inDrawers.length]);
  const byName = await search.find(actor, 'paper', 200);
  assert.equal([ids(byName.items), byName.total, byName.more], [ids(files), files.length, false]);

  const stats = await dashboard.stats(actor);
  assert.equal([stats.total_files, stats.used_bytes], [files.length, weight]);
  assert.is(
    (await dashboard.storageBreakdown(actor)).reduce((sum, { count }) => sum + count, 0),
    files.length,
  );
  assert.equal(ids(await dashboard.largestFiles(actor, 200)), ids(files));
  assert.equal(ids(await dashboard.newestFiles(actor, 200)), ids(files));
  assert.equal(ids(await documents.recent(actor, 500)), ids(model.seen), 'touched all, and sees some again');
  await compareClients(world, clients, actor, model.clients);
}

async function compareClients(
  { db, services }: World,
  clients: Clients,
  actor: Actor,
  seen: ReadonlySet<number>,
): Promise<void> {
  const all: number[] = await db('clients').where('firm_id', actor.firmId).orderBy('id').pluck('id');
  const expected = [...seen].toSorted((a, b) => a - b);
  const { data, totals } = await clients.list(actor, { limit: 200 });
  assert.equal([ids(data), totals.total], [expected, expected.length]);
  assert.is((await services.dashboard.stats(actor)).total_clients, expected.length);
  assert.equal(
    (await clients.options(actor)).map(({ value }) => value).toSorted((a, b) => a - b),
    expected,
  );
  assert.equal(ids(await clients.lookUp(actor, 'firm', 200)), expected);
  assert.equal(ids((await services.search.find(actor, 'firm', 200)).clients), expected.slice(0, 3));
  assert.equal(ids(await clients.named(actor, all)), expected);
  assert.is((await clients.export(actor, {})).csv.trimEnd().split('\n').length, expected.length + 1);
  for (const id of all) {
    const status = seen.has(id) ? 200 : 404;
    assert.is(await refusedWith(clients.client(actor, id)), status);
    assert.is(await refusedWith(clients.overview(actor, id)), status);
    assert.is(await refusedWith(clients.tied(actor, id)), status);
  }
}

test('every list, path, count and search agrees with a simple model of the rule, for random folders and assignments', async (world) => {
  const { build, services, db } = world;
  for (const seed of [11, 12, 13]) {
    const by = seededRandom(seed);
    const admin = await build.actor();
    const clients: number[] = [];
    for (let index = 0; index < 6; index += 1)
      clients.push(await build.client(admin, `Firm ${index}`, index < 2 ? { group_name: 'Mehta' } : {}));
    const folders: (number | null)[] = [null];
    const client = () => (by.chance(0.3) ? by.pick(clients) : null);
    for (let index = 0; index < 24; index += 1) {
      const wish = { name: `Drawer ${index}`, parent_id: by.pick(folders), client_id: null };
      const { id } = await services.documents.createFolder(admin, wish);
      if (by.chance(0.4)) await services.documents.setClient(admin, id, { client_id: by.pick(clients) });
      folders.push(id);
    }
    for (let index = 0; index < 30; index += 1)
      await build.file(admin, {
        name: `paper ${index}.txt`,
        content: 'x'.repeat(by.below(90) + 1),
        parent_id: by.pick(folders),
        client_id: client(),
      });
    // Some items have no client of their own, and belong to that of their folder.
    const some: number[] = await db('items').where('firm_id', admin.firmId).pluck('id');
    for (const id of some.filter(() => by.chance(0.3)))
      await db('item_rows').where({ id }).update({ client_id: null });
    const rows: Row[] = await db('items')
      .where('firm_id', admin.firmId)
      .select('id', 'parent_id', 'client_id', 'type', 'name', 'file_size');

    const permissions = ['documents.read', 'documents.write', 'documents.download', 'clients.write'] as const;
    for (const nobodys of [false, true]) {
      const ravi = await colleague(world, admin, {
        permissions: nobodys ? [...permissions, 'documents.unassigned'] : permissions,
      });
      for (const { id } of rows)
        await db('touches').insert({
          user_id: ravi.userId,
          item_id: id,
          touched_at: world.now().toISOString(),
        });
      const chosen = clients.filter(() => by.chance(0.4));
      const groups = by.chance(0.5) ? ['Mehta'] : [];
      await assign(world, ravi, chosen, groups);
      const seen = [...chosen, ...(groups.length > 0 ? clients.slice(0, 2) : [])];
      await compareAll(world, ravi, new Model(rows, seen, nobodys));
      await assign(world, ravi, []);
      await compareAll(world, ravi, new Model(rows, [], nobodys));
    }
    await db('touches').where('user_id', admin.userId).delete();
    for (const { id } of rows)
      await db('touches').insert({
        user_id: admin.userId,
        item_id: id,
        touched_at: world.now().toISOString(),
      });
    await compareAll(world, admin, new Model(rows, clients, true));
  }
});

test.run();
