import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import type { World } from '../../testing/world.ts';
import { freshWorld } from '../../testing/world.ts';

const test = suite<World>('documents: walking');
test.before.each(async (world) => void Object.assign(world, await freshWorld()));
test.after.each((world) => world.close());

async function walked({ services: { documents } }: World, actor: Actor, ids: number[]): Promise<string[]> {
  const found: string[] = [];
  for await (const { path, type } of documents.walk(actor, ids))
    found.push(path.join('/') + (type === 'folder' ? '/' : ''));
  return found;
}

test('a folder comes before what it holds, empty ones too, in listing order', async (world) => {
  const actor = await world.build.actor();
  const top = await world.build.folder(actor, 'Top');
  const b = await world.build.folder(actor, 'b', top.id);
  await world.build.folder(actor, 'a', top.id);
  for (const name of ['10.txt', '2.txt']) await world.build.file(actor, { name, parent_id: b.id });
  await world.build.file(actor, { name: 'z.txt', parent_id: top.id });
  assert.equal(await walked(world, actor, [top.id]), [
    'Top/',
    'Top/a/',
    'Top/b/',
    'Top/b/2.txt',
    'Top/b/10.txt',
    'Top/z.txt',
  ]);
});

test('everything of one who sees one client begins at what that client has, also inside a folder of another', async (world) => {
  const admin = await world.build.actor();
  const own = await world.build.client(admin, 'Rao & Co');
  const folder = await world.build.folder(admin, 'Office');
  await world.build.file(admin, { name: 'ours.txt', parent_id: folder.id });
  await world.build.file(admin, { name: 'theirs.txt', parent_id: folder.id, client_id: own });
  await world.db('user_clients').insert({ user_id: admin.userId, client_id: own });
  const clerk: Actor = { ...admin, role: 'staff', permissions: ['documents.read'], clientScope: 'assigned' };
  const all = async (actor: Actor) => {
    const found: string[] = [];
    for await (const { path } of world.services.documents.walkAll(actor)) found.push(path.join('/'));
    return found;
  };
  assert.equal(await all(admin), ['Office', 'Office/ours.txt', 'Office/theirs.txt']);
  assert.equal(await all(clerk), ['theirs.txt']);
});

test('everything of one with very many items at the top goes on when one is deleted meanwhile, and gives two of one name different paths', async (world) => {
  const admin = await world.build.actor();
  const own = await world.build.client(admin, 'Rao & Co');
  const [a, b] = [await world.build.folder(admin, 'A'), await world.build.folder(admin, 'B')];
  const add = (name: string, parent_id: number) =>
    world.services.documents.addFile(admin, {
      name,
      parent_id,
      client_id: own,
      blob: { id: `blob ${name} ${parent_id}`, size: 1, sha256: '', crc32: 0 },
    });
  await Promise.all(Array.from({ length: 999 }, (_, n) => add(`${n}.txt`, a.id)));
  for (const { id } of [a, b]) await add('Same.txt', id);
  const last = await add('Z.txt', b.id);
  await world.db('user_clients').insert({ user_id: admin.userId, client_id: own });
  const clerk: Actor = { ...admin, role: 'staff', permissions: ['documents.read'], clientScope: 'assigned' };
  const paths: string[] = [];
  for await (const { path } of world.services.documents.walkAll(clerk)) {
    if (paths.length === 0) await world.services.documents.remove(admin, [last.id]);
    paths.push(path.join('/'));
  }
  assert.equal(paths.slice(999), ['Same.txt', 'Same (2).txt']);
});

test('two items of one name, chosen from two folders, get different paths', async (world) => {
  const actor = await world.build.actor();
  const ids: number[] = [];
  for (const name of ['x', 'y']) {
    const { id } = await world.build.folder(actor, name);
    ids.push((await world.build.file(actor, { name: 'Same.txt', parent_id: id })).id);
  }
  assert.equal(await walked(world, actor, ids), ['Same.txt', 'Same (2).txt']);
});

test('a folder with more items than a page is listed completely, each item once', async (world) => {
  const actor = await world.build.actor();
  const { id } = await world.build.folder(actor, 'many');
  const add = (n: number) =>
    world.services.documents.addFile(actor, {
      name: `${n}.txt`,
      parent_id: id,
      client_id: null,
      blob: { id: `blob ${n}`, size: 1, sha256: '', crc32: 0 },
    });
  await Promise.all(Array.from({ length: 1203 }, (_, n) => add(n)));
  const paths = await walked(world, actor, [id]);
  assert.equal(
    paths.slice(1),
    Array.from({ length: 1203 }, (_, n) => `many/${n}.txt`),
  );
});

test.run();
