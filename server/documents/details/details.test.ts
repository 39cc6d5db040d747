import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { rejects } from '../../testing/rejects.ts';
import { CLIENTS_NAMED } from './contract.ts';
import type { World } from '../../testing/world.ts';
import { freshWorld } from '../../testing/world.ts';

interface Office extends World {
  actor: Actor;
}

const test = suite<Office>('details of items');
test.before.each(async (office) => {
  const world = await freshWorld();
  Object.assign(office, world, { actor: await world.build.actor() });
});
test.after.each((office) => office.close());

test('the details of an item have the folders above it and the hash of its content, so that it can be compared', async ({
  services,
  build,
  actor,
}) => {
  const top = await build.folder(actor, 'Sharma');
  const low = await build.folder(actor, 'ITR', top.id);
  const file = await build.file(actor, { name: 'a.txt', content: 'abc', parent_id: low.id });
  const { item, above, sha256 } = await services.details.of(actor, file.id);
  assert.is(item.name, 'a.txt');
  assert.is(item.path, 'Sharma / ITR');
  assert.equal(above, [
    { id: top.id, name: 'Sharma' },
    { id: low.id, name: 'ITR' },
  ]);
  assert.is(sha256, 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  const folder = await services.details.of(actor, top.id);
  assert.equal([folder.item.path, folder.above, folder.sha256], ['', [], null]);
});

test('a user with assigned clients sees neither parent folders nor items that belong to other clients', async ({
  services,
  build,
  db,
  actor,
}) => {
  const [own, other] = [await build.client(actor, 'Own'), await build.client(actor, 'Other')];
  const top = await build.folder(actor, 'Secret');
  await services.documents.setClient(actor, top.id, { client_id: other });
  const { id: low } = await build.folder(actor, 'Theirs', top.id);
  await services.documents.setClient(actor, low, { client_id: own });
  const file = await build.file(actor, { name: 'a.txt', content: 'abc', parent_id: low });
  const hidden = await build.file(actor, { name: 'b.txt', content: 'abcd', parent_id: top.id });
  const { actor: ravi } = await build.colleague(actor, { client_scope: 'assigned' });
  await db('user_clients').insert({ user_id: ravi.userId, client_id: own });

  const { above, item } = await services.details.of(ravi, file.id);
  assert.equal([above, item.path], [[{ id: low, name: 'Theirs' }], 'Theirs']);
  await rejects(services.details.of(ravi, hidden.id), 404);
  const sums = await services.details.sums(ravi, [top.id, low, hidden.id, file.id]);
  assert.equal([sums.folders, sums.files, sums.bytes], [1, 1, 3]);
  assert.equal(sums.clients, [{ id: own, name: 'Own', items: 2, files: 1 }]);
});

test('a selection is summed with all that its folders hold, each item once, by type and by client', async ({
  services,
  build,
  actor,
}) => {
  const client = await build.client(actor, 'Sharma Traders');
  const top = await build.folder(actor, 'Sharma');
  await services.documents.setClient(actor, top.id, { client_id: client });
  const low = await build.folder(actor, 'ITR', top.id);
  const inside = await build.file(actor, { name: 'a.pdf', content: 'aaaa', parent_id: low.id });
  await build.file(actor, { name: 'b.pdf', content: 'b', parent_id: low.id });
  const beside = await build.file(actor, { name: 'c.txt', content: 'cc' });
  await build.file(actor, { name: 'not chosen.txt', content: 'dd' });
  const gone = await build.file(actor, { name: 'gone.pdf', content: 'gone', parent_id: low.id });
  await services.documents.remove(actor, [gone.id]);

  const sums = await services.details.sums(actor, [top.id, inside.id, beside.id]);
  assert.equal([sums.folders, sums.files, sums.bytes, sums.formatted_bytes], [2, 3, 7, '7 B']);
  assert.equal(sums.types, [
    { file_type: 'pdf', files: 2, bytes: 5 },
    { file_type: 'txt', files: 1, bytes: 2 },
  ]);
  assert.equal(sums.clients, [
    { id: client, name: 'Sharma Traders', items: 4, files: 2 },
    { id: null, name: null, items: 1, files: 1 },
  ]);
  assert.equal([sums.client_count, sums.more], [2, false]);
  const all = await services.details.sums(actor, []);
  assert.equal([all.files, all.bytes, all.folders], [4, 9, null]);
});

test('what belongs to no client is counted beside however many clients, since a warning before sharing says so', async ({
  services,
  build,
  actor,
}) => {
  const top = await build.folder(actor, 'All');
  await build.file(actor, { name: 'of nobody.txt', parent_id: top.id });
  for (let n = 0; n <= CLIENTS_NAMED; n += 1) {
    const client_id = await build.client(actor, `Client ${n}`);
    for (const name of [`a ${n}.txt`, `b ${n}.txt`, `c ${n}.txt`])
      await build.file(actor, { name, parent_id: top.id, client_id });
  }
  const { clients, client_count } = await services.details.sums(actor, [top.id]);
  assert.is(client_count, CLIENTS_NAMED + 2);
  assert.equal(clients!.at(-1), { id: null, name: null, items: 2, files: 1 });
});

test('another firm gets no details of an item', async ({ services, build, actor }) => {
  const file = await build.file(actor);
  const stranger = await build.actor();
  await rejects(services.details.of(stranger, file.id), 404);
  assert.equal((await services.details.sums(stranger, [file.id])).files, 0);
});

test('notes, labels, seals and versions of all are those of what one sees, and nothing of another firm', async ({
  services,
  build,
  db,
  actor,
}) => {
  const [own, other] = [await build.client(actor, 'Own'), await build.client(actor, 'Other')];
  const { actor: limited } = await build.colleague(actor, { client_scope: 'assigned' });
  await db('user_clients').insert({ user_id: limited.userId, client_id: own });
  const label = await services.labels.create(actor, { name: 'Urgent', colour: 'red' });
  const files: number[] = [];
  for (const client_id of [own, other]) {
    const place = { name: `of ${client_id}.txt`, client_id, conflict: 'replace' as const };
    const { id } = await build.file(actor, { ...place, content: 'draft' });
    await build.file(actor, { ...place, content: 'final' });
    await services.notes.add(actor, id, { text: 'Asked' });
    await services.labels.put(actor, { ids: [id], add: [label.id], remove: [] });
    await services.seals.seal(actor, id, { reason: 'Filed' });
    files.push(id);
  }
  const told = async (who: Actor) => {
    const { notes, labels, seals, versions } = await services.details.recordsOfAll(who);
    return [notes, labels, seals, versions].map((rows) => rows.map(({ item_id }) => item_id));
  };
  assert.equal(await told(actor), [files, files, files, files]);
  const [seen] = files;
  assert.equal(await told(limited), [[seen], [seen], [seen], [seen]]);
  assert.equal(await told(await build.actor()), [[], [], [], []]);
  await rejects(services.details.recordsOfAll(build.limited(actor, [])), 403);
});

test.run();
