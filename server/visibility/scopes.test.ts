import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import type { Random } from '../testing/seeded-random.ts';
import { seededRandom } from '../testing/seeded-random.ts';
import type { World } from '../testing/world.ts';
import { bytes, freshWorld } from '../testing/world.ts';
import { mendScopeUsage, recountScopeUsage } from '../records/scope-usage.ts';
import { mendScopes, recountScopes } from './scopes.ts';

const test = suite<World>('the client that an item belongs to');
test.before.each(async (world) => void Object.assign(world, await freshWorld()));
test.after.each((world) => world.close());

/** Makes one random change to the drive, of the kinds that users make. */
async function change({ services, build, db, blobs }: World, actor: Actor, by: Random): Promise<string> {
  const { documents, clients } = services;
  const items: { id: number; type: string }[] = await db('items').select('id', 'type').orderBy('id');
  const owned: number[] = await db('clients').where('firm_id', actor.firmId).orderBy('id').pluck('id');
  const folders = items.filter(({ type }) => type === 'folder').map(({ id }) => id);
  const place = () => (folders.length > 0 && by.chance(0.8) ? by.pick(folders) : null);
  const client = () => (owned.length > 0 && by.chance(0.4) ? by.pick(owned) : null);
  const some = () => (items.length === 0 ? [] : [by.pick(items).id, by.pick(items).id]);
  const what = by.below(22);
  if (what < 6) {
    const wish = { name: `f${by.below(1e9)}`, parent_id: place(), client_id: client() };
    await documents.createFolder(actor, wish);
    return `folder ${JSON.stringify(wish)}`;
  }
  if (what < 10) {
    const wish = { name: `${by.below(1e9)}.txt`, parent_id: place(), client_id: client() };
    await build.file(actor, wish);
    return `file ${JSON.stringify(wish)}`;
  }
  if (what < 14) {
    const wish = { ids: some(), parent_id: place(), conflicts: 'keep' as const };
    await documents.move(actor, wish);
    return `move ${JSON.stringify(wish)}`;
  }
  if (what < 17) {
    const wish = {
      ids: some(),
      client_id: client(),
      contents: by.pick(['none', 'unlinked', 'all'] as const),
    };
    await documents.setClientOfMany(actor, wish);
    return `client ${JSON.stringify(wish)}`;
  }
  if (what < 18 && items.length > 0) {
    const zip = await build.file(actor, {
      name: `${by.below(1e9)}.zip`,
      parent_id: place(),
      client_id: client(),
    });
    const files = await Promise.all(
      [-1, 0].map(async (folder) => ({
        name: 'a.txt',
        type: 'txt',
        folder,
        blob: await blobs.put(bytes('a')),
      })),
    );
    const tree = { name: `z${by.below(1e9)}`, folders: [{ name: 'low', parent: -1 }], files };
    const at = {
      beside: zip.id,
      replace: by.chance(0.5) ? (await documents.openFile(actor, zip.id)).blob_id : null,
      reservation: await db.transaction((trx) => documents.reserve(trx, actor, 10)),
    };
    await documents.addTree(actor, at, tree, new AbortController().signal, async () => {});
    return `plant beside ${zip.id}`;
  }
  if (what < 19 && owned.length > 2) {
    const id = by.pick(owned);
    await clients.remove(actor, id);
    await clients.forgetDeleted();
    return `client ${id} deleted`;
  }
  const deleted: number[] = await db('trash').orderBy('item_id').pluck('item_id');
  if (what < 21 && deleted.length > 0) {
    const wish = {
      ids: [by.pick(deleted)],
      conflicts: 'keep' as const,
      ...(by.chance(0.3) && { parent_id: place() }),
    };
    await services.trash.restore(actor, wish);
    return `restore ${JSON.stringify(wish)}`;
  }
  if (items.length > 20) {
    const { id } = by.pick(items);
    await documents.remove(actor, [id]);
    return `delete ${id}`;
  }
  return `client ${await build.client(actor, `c${by.below(1e9)}`)}`;
}

test('after every change each item belongs to its own client or that of the nearest folder above, and is counted for it', async (world) => {
  const actor = await world.build.actor();
  for (const name of ['Rao', 'Iyer', 'Sharma', 'Menon', 'Das']) await world.build.client(actor, name);
  const seen = new Set<string>();
  for (const seed of [1, 2, 3, 4]) {
    const by = seededRandom(seed);
    const done: string[] = [];
    for (let step = 0; step < 90; step += 1) {
      done.push(await change(world, actor, by));
      const off = [...(await recountScopes(world.db)), ...(await recountScopeUsage(world.db))];
      assert.equal(off, [], `seed ${seed}: ${done.slice(-3).join('; ')}`);
      for (const { own, top } of await world
        .db('items')
        .distinct('scope_client_id as own', 'scope_top as top'))
        seen.add(`${own > 0} ${top}`);
    }
  }
  assert.is(seen.size, 4, 'items of clients and of nobody, at the top of what is theirs and below');
});

test('when a folder is given a client, everything in it belongs to that client at once, except items with a client of their own', async ({
  services: { documents },
  build,
  db,
}) => {
  const actor = await build.actor();
  const [sharma, rao] = [await build.client(actor, 'Sharma'), await build.client(actor, 'Rao')];
  const top = await build.folder(actor, 'Top');
  const low = await build.folder(actor, 'Low', top.id);
  const theirs = await documents.createFolder(actor, { name: 'Rao', parent_id: low.id, client_id: rao });
  const deep = await build.file(actor, { parent_id: theirs.id });
  await db('item_rows').where({ id: deep.id }).update({ client_id: null });
  await documents.setClient(actor, top.id, { client_id: sharma, contents: 'none' });
  const scope = async (id: number) =>
    Object.values(await db('items').where({ id }).first('client_id', 'scope_client_id', 'scope_top'));
  assert.equal(await scope(low.id), [null, sharma, 0]);
  assert.equal(await scope(theirs.id), [rao, rao, 1]);
  assert.equal(await scope(deep.id), [null, rao, 0]);
  await documents.setClient(actor, theirs.id, { client_id: null, contents: 'none' });
  assert.equal(await scope(deep.id), [null, sharma, 0], 'it follows the folder that it lies in');
  await documents.move(actor, { ids: [low.id], parent_id: null });
  assert.equal(await scope(deep.id), [null, 0, 0]);
});

test('wrong stored clients and totals are found by a recount and corrected', async ({ build, db }) => {
  const actor = await build.actor();
  const [one, other] = [await build.file(actor, { name: 'one.txt' }), await build.folder(actor, 'Other')];
  await db('item_rows').where({ id: one.id }).update({ scope_client_id: 77 });
  await db('item_rows').where({ id: other.id }).update({ scope_top: 0 });
  assert.equal(
    (await recountScopes(db)).map(({ id }) => id),
    [one.id, other.id],
  );
  assert.equal(
    (await recountScopeUsage(db)).map(({ scope_client_id }) => scope_client_id),
    [0, 77],
  );
  await db.transaction(async (trx) => {
    await mendScopes(trx);
    await mendScopeUsage(trx);
  });
  assert.equal([...(await recountScopes(db)), ...(await recountScopeUsage(db))], []);
});

test.run();
