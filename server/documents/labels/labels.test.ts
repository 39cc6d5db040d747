import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as v from 'valibot';
import type { Actor } from '#server/actor.ts';
import { rejects } from '../../testing/rejects.ts';
import type { World } from '../../testing/world.ts';
import { freshWorld } from '../../testing/world.ts';
import type { LabelView } from './contract.ts';
import { labelInput } from './contract.ts';

interface Office extends World {
  actor: Actor;
  urgent: LabelView;
}

const test = suite<Office>('labels');
test.before.each(async (office) => {
  const world = await freshWorld();
  const actor = await world.build.actor();
  const urgent = await world.services.labels.create(actor, { name: 'Urgent', colour: 'red' });
  Object.assign(office, world, { actor, urgent });
});
test.after.each((office) => office.close());

test('an item bears its labels in every list, by name, and no longer once they are taken off', async ({
  services: { labels, documents, details },
  build,
  actor,
  urgent,
}) => {
  const checked = await labels.create(actor, { name: 'Checked', colour: 'green' });
  const folder = await build.folder(actor, 'ITR');
  const file = await build.file(actor, { name: 'a.txt', parent_id: folder.id });
  const ids = [folder.id, file.id];
  assert.equal(await labels.put(actor, { ids, add: [urgent.id, checked.id], remove: [] }), {
    changed: 2,
    missing: 0,
  });
  const both = [checked, urgent];
  const listed = async () => {
    const [root] = (await documents.folder(actor, null)).items;
    const [inside] = (await documents.folder(actor, folder.id)).items;
    const [flat] = (await documents.files(actor, {})).items;
    const one = (await details.of(actor, file.id)).item;
    return [root, inside, flat, one].map((item) => item!.labels);
  };
  assert.equal(await listed(), [both, both, both, both]);
  const again = await labels.put(actor, { ids, add: [urgent.id], remove: [] });
  assert.is(again.changed, 0, 'what is so already is no change');
  await labels.put(actor, { ids, add: [], remove: [checked.id] });
  await labels.update(actor, urgent.id, { name: 'Very urgent', colour: 'orange' });
  const renamed = [{ id: urgent.id, name: 'Very urgent', colour: 'orange' }];
  assert.equal(await listed(), [renamed, renamed, renamed, renamed]);
  await labels.remove(actor, urgent.id);
  assert.equal(await listed(), [undefined, undefined, undefined, undefined]);
});

test('files are filtered by a label, and items are found by its name, with what else is named so', async ({
  services: { labels, documents, search },
  build,
  actor,
  urgent,
}) => {
  const folder = await build.folder(actor, 'ITR');
  const file = await build.file(actor, { name: 'a.txt', parent_id: folder.id });
  await build.file(actor, { name: 'b.txt' });
  const named = await build.file(actor, { name: 'urgent letter.txt' });
  await labels.put(actor, { ids: [folder.id, file.id], add: [urgent.id], remove: [] });
  const { items, total } = await documents.files(actor, { label_id: urgent.id });
  assert.equal([items.map(({ name }) => name), total], [['a.txt'], 1]);
  const group = await documents.files(actor, { label_id: urgent.id, group: 'pdf', sort: 'name' });
  assert.equal(group.items, []);
  const found = await search.find(actor, 'URGENT');
  assert.equal(found.items.map(({ id }) => id).toSorted(), [folder.id, file.id, named.id].toSorted());
  assert.is(found.total, 3);
  const listed = await documents.folder(actor, null, { search: 'urgent' });
  assert.equal(listed.items.map(({ name }) => name).toSorted(), ['ITR', 'a.txt', 'urgent letter.txt']);
});

test('nobody labels, finds or hears of what they do not see, and another firm’s labels are not there', async ({
  services: { labels, documents, search, audit },
  build,
  db,
  actor,
  urgent,
}) => {
  const [own, other] = [await build.client(actor, 'Own'), await build.client(actor, 'Other')];
  const theirs = await build.file(actor, { name: 'theirs.txt', client_id: own });
  const hidden = await build.file(actor, { name: 'hidden.txt', client_id: other });
  const { actor: ravi } = await build.colleague(actor, { client_scope: 'assigned' });
  await db('user_clients').insert({ user_id: ravi.userId, client_id: own });
  const ids = [theirs.id, hidden.id];
  assert.equal(await labels.put(ravi, { ids, add: [urgent.id], remove: [] }), { changed: 1, missing: 1 });
  await rejects(labels.put(ravi, { ids: [hidden.id], add: [urgent.id], remove: [] }), 404);
  await labels.put(actor, { ids, add: [urgent.id], remove: [] });
  assert.equal(
    (await search.find(ravi, 'urgent')).items.map(({ name }) => name),
    ['theirs.txt'],
  );
  assert.is((await documents.files(ravi, { label_id: urgent.id })).total, 1);
  await rejects(labels.remove(ravi, urgent.id), 403);
  const manager = { ...ravi, permissions: [...ravi.permissions, 'history.read' as const] };
  assert.not.ok(JSON.stringify(await audit.list(manager, {})).includes('hidden.txt'));

  const stranger = await build.actor();
  const file = await build.file(stranger);
  assert.equal(await labels.list(stranger), []);
  await rejects(labels.update(stranger, urgent.id, { name: 'Mine' }), 404);
  await rejects(labels.put(stranger, { ids: [file.id], add: [urgent.id], remove: [] }), 422);
  await rejects(labels.put(stranger, { ids: [theirs.id], add: [], remove: [urgent.id] }), 404);
});

test('two labels of one name are refused whatever their case, and so is one who only reads', async ({
  services: { labels },
  build,
  actor,
  urgent,
}) => {
  await rejects(labels.create(actor, { name: 'URGENT', colour: 'blue' }), 422);
  const other = await labels.create(actor, { name: 'Checked', colour: 'green' });
  await rejects(labels.update(actor, other.id, { name: 'urgent' }), 422);
  const same = await labels.update(actor, urgent.id, { name: 'URGENT' });
  assert.is(same.name, 'URGENT', 'its own name in other letters');
  const { actor: viewer } = await build.colleague(actor, { role: 'viewer' });
  assert.is((await labels.list(viewer)).length, 2);
  await rejects(labels.create(viewer, { name: 'Mine', colour: 'red' }), 403);
  await rejects(labels.remove(viewer, urgent.id), 403);
});

test('a label is named in any script of India and by emoji, which need joiners, but not by what nobody sees', () => {
  const accepts = (name: string) => v.safeParse(labelInput, { name, colour: 'red' }).success;
  for (const name of ['र्‍याचे हिशेब', 'ന്‍', 'క్‌ష', '👨‍👩‍👧 Family']) assert.ok(accepts(name), name);
  for (const name of ['\u200d', 'a\u200bb', 'a\u202eb', 'a\u0000b']) assert.not.ok(accepts(name), name);
});

test('the history says which label was put on what, by whom', async ({
  services: { labels, audit },
  build,
  actor,
  urgent,
}) => {
  const a = await build.file(actor, { name: 'a.txt' });
  const b = await build.file(actor, { name: 'b.txt' });
  await labels.put(actor, { ids: [a.id, b.id], add: [urgent.id], remove: [] });
  await labels.put(actor, { ids: [a.id], add: [], remove: [urgent.id] });
  const told = async (item: number) =>
    (await audit.list(actor, { item })).data.map(({ what, about }) => `${what}: ${about}`);
  assert.equal(await told(a.id), [
    'Took a label off: a.txt: Urgent',
    'Labelled: a.txt, b.txt: Urgent',
    'Uploaded: a.txt',
  ]);
  assert.equal((await told(b.id)).length, 2);
});

test.run();
