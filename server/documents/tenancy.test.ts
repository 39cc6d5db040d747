import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { rejects } from '../testing/rejects.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';
import type { Documents } from './service.ts';

const test = suite<World>('documents: whose they are');
test.before.each(async (world) => void Object.assign(world, await freshWorld()));
test.after.each((world) => world.close());

async function collect(steps: AsyncIterable<unknown>): Promise<void> {
  for await (const step of steps) assert.unreachable(JSON.stringify(step));
}

/** Every call that names one item, and the permission it asks for. */
const calls: Record<
  string,
  [(documents: Documents, actor: Actor, id: number) => Promise<unknown>, Actor['permissions'][number]]
> = {
  folder: [(d, actor, id) => d.folder(actor, id), 'documents.read'],
  item: [(d, actor, id) => d.item(actor, id), 'documents.read'],
  openFile: [(d, actor, id) => d.openFile(actor, id), 'documents.read'],
  downloadUrl: [(d, actor, id) => d.downloadUrl(actor, id), 'documents.read'],
  walk: [(d, actor, id) => collect(d.walk(actor, [id])), 'documents.read'],
  rename: [(d, actor, id) => d.rename(actor, id, { name: 'x.txt' }), 'documents.write'],
  setClient: [(d, actor, id) => d.setClient(actor, id, { client_id: null }), 'documents.write'],
};

test('an item of another firm is a 404 for every call, like one that never existed', async ({
  services: { documents },
  build,
}) => {
  const [owner, stranger] = [await build.actor(), await build.actor()];
  const [file, folder] = [await build.file(owner), await build.folder(owner)];
  for (const [name, [call]] of Object.entries(calls)) {
    for (const id of [file.id, folder.id, 123_456]) {
      const error = await rejects(call(documents, stranger, id), 404);
      assert.is(error.code, 'not_found', name);
    }
  }
});

test('an action that is not allowed on a visible item is a 403', async ({
  services: { documents },
  build,
}) => {
  const admin = await build.actor();
  const file = await build.file(admin);
  const [reader, nobody] = [build.limited(admin, ['documents.read']), build.limited(admin, [])];
  for (const [name, [call, permission]] of Object.entries(calls)) {
    if (name !== 'folder') await rejects(call(documents, nobody, file.id), 403);
    if (permission !== 'documents.read') await rejects(call(documents, reader, file.id), 403);
  }
  await rejects(documents.folder(nobody, null), 403);
  await rejects(documents.remove(reader, [file.id]), 403);
  await rejects(documents.move(reader, { ids: [file.id], parent_id: null }), 403);
  await rejects(documents.setClientOfMany(reader, { ids: [file.id], client_id: null }), 403);
  await rejects(documents.createFolder(reader, { name: 'x', parent_id: null, client_id: null }), 403);
  await rejects(documents.checkUpload(reader, { parent_id: null, client_id: null }), 403);
  await rejects(documents.untouched(nobody, '2026-01-01', 5), 403);
  await rejects(documents.activityOf(nobody, 1, 5), 403);
  await rejects(collect(documents.walkAll(nobody)), 403);
  await rejects(build.file(reader), 403);
});

test('calls on many items answer the same for an item of another firm as for one that does not exist', async ({
  services: { documents },
  build,
}) => {
  const [owner, stranger] = [await build.actor(), await build.actor()];
  const file = await build.file(owner);
  const nothing = [
    { id: file.id, name: null, message: 'This item does not exist, or you have no access to it.' },
  ];
  assert.equal(await documents.remove(stranger, [file.id]), { done: [], failed: nothing });
  assert.equal(await documents.move(stranger, { ids: [file.id], parent_id: null }), {
    done: [],
    failed: nothing,
    former: [],
    clients: [],
    moved: [],
    merged: [],
    later: false,
  });
  assert.equal(await documents.views(stranger, [file.id]), []);
  assert.is((await documents.openFile(owner, file.id)).name, file.name, 'and nothing happened to it');
});

test('nothing can be added to a folder or client of another firm', async ({
  services: { documents },
  build,
}) => {
  const [owner, stranger] = [await build.actor(), await build.actor()];
  const [folder, client, own] = [
    await build.folder(owner),
    await build.client(owner),
    await build.file(stranger),
  ];
  const into = { parent_id: folder.id, client_id: null };
  const tied = { parent_id: null, client_id: client };
  for (const place of [into, tied]) {
    const field = place.parent_id === null ? 'client_id' : 'parent_id';
    for (const call of [
      () => documents.checkUpload(stranger, place),
      () => documents.createFolder(stranger, { name: 'x', ...place }),
      () =>
        documents.addFile(stranger, {
          name: 'x.txt',
          ...place,
          blob: { id: 'b', size: 1, sha256: 's', crc32: 0 },
        }),
    ]) {
      assert.equal(Object.keys((await rejects(call(), 422)).errors ?? {}), [field]);
    }
  }
  assert.ok(
    (await rejects(documents.move(stranger, { ids: [own.id], parent_id: folder.id }), 422)).errors?.parent_id,
  );
  assert.equal((await documents.folder(stranger, null, { client_id: client })).items, []);
});

test('the lists of one firm hold nothing of another, with every filter', async ({
  services: { documents, search },
  build,
}) => {
  const [owner, stranger] = [await build.actor(), await build.actor()];
  await build.file(owner, { name: 'secret report.pdf' });
  await build.file(stranger, { name: 'open report.pdf' });
  for (const query of [{}, { search: 'report' }, { sort: 'size' as const, limit: 5 }]) {
    const { items } = await documents.folder(stranger, null, query);
    assert.equal(
      items.map(({ name }) => name),
      ['open report.pdf'],
    );
  }
  assert.equal(
    (await search.find(stranger, 'report')).items.map(({ name }) => name),
    ['open report.pdf'],
  );
  assert.is((await search.find(stranger, 'secret')).total, 0);
});

test.run();
