import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { rejects } from '../testing/rejects.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';
import { refuseWrites } from '#server/testing/refuse-writes.ts';

interface Firm {
  actor: Actor;
  id: number;
  folder: number;
}
const test = suite<World & Firm>('deleting clients');
test.before.each(async (world) => {
  Object.assign(world, await freshWorld());
  const { services, build } = world;
  world.actor = await build.actor();
  world.id = await build.client(world.actor, 'Sharma Traders', { email: 'sharma@example.in' });
  const place = { name: 'Sharma', parent_id: null, client_id: world.id };
  world.folder = (await services.documents.createFolder(world.actor, place)).id;
  for (const name of ['a.txt', 'b.txt', 'c.txt'])
    await build.file(world.actor, { name, parent_id: world.folder });
});
test.after.each((world) => world.close());

const rowsTied = ({ db, id }: World & Firm): Promise<number[]> =>
  db('item_rows').where({ client_id: id }).pluck('id');

test('a deletion is stored and recorded before files are detached from the client, so that it continues after a crash', async (world) => {
  const { services, db, actor, id } = world;
  const allow = await refuseWrites(db, 'item_rows', 'UPDATE OF client_id');
  assert.equal(await services.clients.remove(actor, id), { untied: 4 });
  const [entry] = await db('audit_events').where({ did: 'client.delete' });
  assert.equal(JSON.parse(entry.detail), { name: 'Sharma Traders', untied: 4 });
  await services.clients.forgetDeleted().then(
    () => assert.unreachable(),
    () => {},
  );
  await allow();

  await services.clients.forgetDeleted(AbortSignal.abort());
  assert.ok(await services.clients.anyDeleted());
  assert.is(await services.clients.forgetDeleted(), 1);
  assert.not(await services.clients.anyDeleted());
  assert.equal(await rowsTied(world), []);
  assert.not(await db('clients').where({ id }).first());
});

test('a deleted client is shown nowhere, even before its files are detached', async (world) => {
  const { services, actor, id, folder, build, db } = world;
  const { clients, documents, search } = services;
  await clients.remove(actor, id);
  assert.is((await rowsTied(world)).length, 4, 'they are tied yet');

  assert.equal((await clients.list(actor)).data, []);
  assert.equal(await clients.options(actor), []);
  assert.equal(await clients.lookUp(actor, 'sharma', 5), []);
  assert.is((await clients.totals(actor)).total, 0);
  assert.equal(await clients.recount(), []);
  for (const ask of [clients.client, clients.tied, clients.remove, services.downloads.selectClient])
    await rejects(ask(actor, id), 404);

  const { items } = await documents.folder(actor, folder);
  const recent = await documents.recent(actor, 10);
  const found = (await search.find(actor, 'sharma')).items;
  const shown = [...items, ...recent, ...found, ...(await documents.files(actor, {})).items];
  assert.ok(shown.length > 10);
  assert.ok(shown.every((item) => item.client_id === null && !item.client && !item.client_name));

  assert.equal((await documents.folder(actor, null, { client_id: id })).items, []);
  assert.equal((await documents.files(actor, { client_id: id })).items, []);
  assert.is((await documents.files(actor, { client_id: 'none' })).items.length, 3);
  const steps = [];
  for await (const step of documents.traverseClient(actor, id)) steps.push(step);
  assert.equal(steps, []);

  await rejects(build.file(actor, { client_id: id }), 422);
  await rejects(documents.createFolder(actor, { name: 'x', parent_id: null, client_id: id }), 422);
  const [file] = items;
  await rejects(documents.setClient(actor, file!.id, { client_id: id }), 422);
  const inherited = await build.file(actor, { name: 'd.txt', parent_id: folder });
  assert.equal([inherited.client_id, inherited.client], [null, null]);
  assert.is((await db('item_rows').where({ id: inherited.id }).first()).client_id, null);
});

test('the recurring job detaches the files of a deleted client', async (world) => {
  const { services, actor, id } = world;
  await services.clients.remove(actor, id);
  await services.jobs.start();
  world.advance(1000);
  await services.jobs.runDue('unlink-deleted-clients');
  assert.equal(await rowsTied(world), []);
});

test.run();
