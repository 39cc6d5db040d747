import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rejects } from '../../testing/rejects.ts';
import type { World } from '../../testing/world.ts';
import { freshWorld } from '../../testing/world.ts';
import { NO_CLIENT, NO_ITEM } from '#server/text/not-there.ts';
import { LINK_CONTENTS } from './link-jobs.ts';
import { MAX_INLINE, createLinking } from './link-contents.ts';

const test = suite<World>('filing under a client');
test.before.each(async (world) => void Object.assign(world, await freshWorld()));
test.after.each((world) => world.close());

test('many items can be linked to a client at once, and unlinked again', async (world) => {
  const { build, db } = world;
  const { documents } = world.services;
  const actor = await build.actor();
  const client = await build.client(actor);
  const { name } = await world.services.clients.client(actor, client);
  const folder = await build.folder(actor, 'GST');
  const files = [await build.file(actor, { name: 'a.pdf' }), await build.file(actor, { name: 'b.pdf' })];
  const ids = [folder.id, ...files.map(({ id }) => id)];

  assert.equal(await documents.setClientOfMany(actor, { ids, client_id: client }), {
    done: ids,
    failed: [],
    former: ids.map((id) => ({ id, client_id: null })),
    inside: 0,
    later: false,
  });
  for (const id of ids) assert.is((await documents.item(actor, id)).client_id, client);
  await documents.setClientOfMany(actor, { ids, client_id: client });
  const trail = await db('audit_events').where({ did: 'document.client' }).pluck('detail');
  assert.equal(
    trail.map((detail) => JSON.parse(detail)),
    [{ to: client, to_name: name, names: ['GST', 'a.pdf', 'b.pdf'], chosen: 3, ids }],
    'what changed nothing is not told of',
  );

  await documents.setClientOfMany(actor, { ids, client_id: null });
  assert.equal((await documents.files(actor, { client_id: client })).items, []);
});

test("what is gone or another firm's is told of and keeps nothing up; a client has to be the firm's", async (world) => {
  const { build } = world;
  const { documents } = world.services;
  const [actor, stranger] = [await build.actor(), await build.actor()];
  const [own, foreign] = [await build.file(actor), await build.file(stranger)];
  const client = await build.client(actor);
  const { done, failed } = await documents.setClientOfMany(actor, {
    ids: [foreign.id, own.id, 99_999],
    client_id: client,
  });
  assert.equal(done, [own.id]);
  assert.equal(failed, [
    { id: foreign.id, name: null, message: NO_ITEM },
    { id: 99_999, name: null, message: NO_ITEM },
  ]);
  assert.is((await documents.item(stranger, foreign.id)).client_id, null);
  const wish = { ids: [own.id], client_id: await build.client(stranger) };
  const error = await rejects(documents.setClientOfMany(actor, wish), 422);
  assert.equal(error.errors, { client_id: [NO_CLIENT] });
});

/** A folder with a file, a folder of another client's with a file of nobody's, and in the depth a file. */
async function cabinet({ build, services }: World) {
  const actor = await build.actor();
  const [client, other] = [await build.client(actor), await build.client(actor)];
  const top = await build.folder(actor, 'Sharma');
  const low = await build.folder(actor, 'GST', top.id);
  const deep = await build.file(actor, { name: 'deep.pdf', parent_id: low.id });
  const near = await build.file(actor, { name: 'near.pdf', parent_id: top.id });
  const theirs = await build.folder(actor, 'Verma', top.id);
  const lost = await build.file(actor, { name: 'lost.pdf', parent_id: theirs.id });
  await services.documents.setClient(actor, theirs.id, { client_id: other, contents: 'none' });
  const ids = { top, low, deep, near, theirs, lost };
  const clients = async () => {
    const found = await services.documents.views(
      actor,
      Object.values(ids).map(({ id }) => id),
    );
    return found.map(({ client_id }) => client_id);
  };
  return { actor, client, other, top: top.id, low: low.id, near: near.id, deep: deep.id, clients };
}

test("a folder's contents are linked with it, so that it does not look empty under the client; other clients' stay", async (world) => {
  const { documents } = world.services;
  const { actor, client, other, top, clients } = await cabinet(world);
  const wish = { ids: [top], client_id: client };
  assert.equal(await documents.previewFiling(actor, wish), { along: 3, others: 2, more: false });
  assert.equal(await clients(), [null, null, null, null, other, null], 'a preview changes nothing');

  const { former, inside, later } = await documents.setClientOfMany(actor, wish);
  assert.is(inside, 3);
  assert.is(later, false);
  assert.is(former.length, 4);
  assert.equal(await clients(), [client, client, client, client, other, null]);
  assert.equal(
    (await documents.files(actor, { client_id: client })).items.map(({ name }) => name).toSorted(),
    ['deep.pdf', 'near.pdf'],
  );
  assert.equal(await documents.previewFiling(actor, wish), { along: 0, others: 2, more: false });
});

test('items that have their client from the folder follow when the folder is linked to another client', async (world) => {
  const { documents } = world.services;
  const { actor, client, other, top, clients } = await cabinet(world);
  const third = await world.build.client(actor);
  await documents.setClient(actor, top, { client_id: client });
  await documents.setClient(actor, top, { client_id: third });
  assert.equal(await clients(), [third, third, third, third, other, null]);
  await documents.setClient(actor, top, { client_id: null });
  assert.equal(await clients(), [null, null, null, null, other, null]);
});

test("on demand other clients' items go along too, or nothing does, and an undo gives each its own back", async (world) => {
  const { documents } = world.services;
  const { actor, client, top, clients } = await cabinet(world);
  const before = await clients();
  const { former } = await documents.setClientOfMany(actor, {
    ids: [top],
    client_id: client,
    contents: 'all',
  });
  assert.equal(await clients(), [client, client, client, client, client, client]);
  for (const [client_id, group] of Map.groupBy(former, (one) => one.client_id))
    await documents.setClientOfMany(actor, { ids: group.map(({ id }) => id), client_id, contents: 'none' });
  assert.equal(await clients(), before);
});

test("what is moved into a client's folder gets the client unless it has one of its own", async (world) => {
  const { build, services } = world;
  const { documents } = services;
  const { actor, client, other, top, low, near, deep } = await cabinet(world);
  const target = await build.folder(actor, 'Target');
  await documents.setClient(actor, target.id, { client_id: client });
  const own = await build.file(actor, { name: 'own.pdf' });
  await documents.setClient(actor, own.id, { client_id: other });

  const { done, former } = await documents.move(actor, { ids: [low, near, own.id], parent_id: target.id });
  assert.equal(done, [low, near, own.id]);
  assert.equal(former, [
    { id: low, client_id: null, to: client },
    { id: near, client_id: null, to: client },
    { id: deep, client_id: null, to: client },
  ]);
  const views = await documents.views(actor, [low, near, deep, own.id]);
  assert.equal(
    views.map(({ client_id }) => client_id),
    [client, client, client, other],
  );

  const second = await build.folder(actor, 'Second');
  await documents.setClient(actor, second.id, { client_id: other });
  await documents.move(actor, { ids: [near], parent_id: second.id });
  assert.is((await documents.item(actor, near)).client_id, other, 'it had what its folder had');
  await documents.move(actor, { ids: [near], parent_id: top });
  assert.is((await documents.item(actor, near)).client_id, other, 'a folder of nobody takes no client away');
});

test('a large folder is linked in the background, and a stop in the middle loses nothing', async (world) => {
  const { build, services, db } = world;
  const { documents, jobs } = services;
  const actor = await build.actor();
  const client = await build.client(actor);
  const top = await build.folder(actor, 'Scans');
  const { owner_id, firm_id, created_at } = await db('item_rows').where({ id: top.id }).first();
  const row = { owner_id, firm_id, created_at, modified_at: created_at, parent_id: top.id, type: 'file' };
  const rows = Array.from({ length: MAX_INLINE + 500 }, (_, n) => {
    const name = `${n}.pdf`;
    return { ...row, name, name_key: name, sort_key: name, file_type: 'pdf', file_size: 1 };
  });
  await db.batchInsert('item_rows', rows, 50);
  const linked = async () =>
    Number((await db('items').where({ client_id: client, type: 'file' }).count({ n: '*' }))[0]!.n);

  assert.equal(
    await documents.previewFiling(actor, { ids: [top.id], client_id: client }),
    { along: 0, others: 0, more: true },
    'so many are not counted',
  );
  const result = await documents.setClientOfMany(actor, { ids: [top.id], client_id: client });
  assert.is(result.later, true);
  assert.is(result.inside, 0);
  assert.is(await linked(), 0, 'nobody has waited for it');

  const stop = new AbortController();
  const link = JSON.parse((await db('jobs').where({ kind: LINK_CONTENTS }).first()).input).link;
  let looks = 0;
  const stopped = await createLinking({ db })
    .linkInside(link, {
      throwIfAborted() {
        looks += 1;
        if (looks > 3) stop.abort();
        stop.signal.throwIfAborted();
      },
    } as AbortSignal)
    .catch((error: Error) => error.name);
  assert.is(stopped, 'AbortError');
  const some = await linked();
  assert.ok(some > 0 && some < rows.length);

  await jobs.runDue(LINK_CONTENTS);
  assert.is(await linked(), rows.length);
});

test('an item under a legal hold keeps its client, and those linked together with it are linked', async (world) => {
  const { db, services } = world;
  const { actor, client, other, top, clients } = await cabinet(world);
  await services.holds.place(actor, other, { reason: 'Notice under section 148' });
  const link = { tops: [[top, null]] as const, client_id: client, contents: 'all' as const };
  assert.is(await createLinking({ db }).linkInside(link, new AbortController().signal), 3);
  assert.equal(await clients(), [null, client, client, client, other, null]);
});

test('the contents of folders that an older version linked without them are linked once, to the nearest client above', async (world) => {
  const { services, db } = world;
  const { documents, jobs } = services;
  const { actor, client, other, top, clients } = await cabinet(world);
  await documents.setClient(actor, top, { client_id: client, contents: 'none' });
  assert.equal(await clients(), [client, null, null, null, other, null]);
  const { down, up } = await import('../../../migrations/20261122091800_link_contents_of_folders.ts');
  await up(db);
  await down(db);
  assert.is(await jobs.runDue('contents of linked folders'), 0);
  await up(db);
  world.advance(365 * 86_400_000);
  await jobs.runDue('contents of linked folders');
  assert.equal(await clients(), [client, client, client, client, other, other]);
});

test.run();
