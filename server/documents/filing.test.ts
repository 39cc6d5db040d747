import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { refused } from '../testing/refused.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';
import { NO_CLIENT } from './adding.ts';
import { NO_ITEM } from './removing.ts';

const test = suite<World>('filing under a client');
test.before.each(async (world) => void Object.assign(world, await freshWorld()));
test.after.each((world) => world.close());

test('many items get a client at once, and lose it again; a folder keeps to itself', async (world) => {
  const { build, db } = world;
  const { documents } = world.services;
  const actor = await build.actor();
  const client = await build.client(actor);
  const folder = await build.folder(actor, 'GST');
  const inside = await build.file(actor, { name: 'in.pdf', parent_id: folder.id });
  const files = [await build.file(actor, { name: 'a.pdf' }), await build.file(actor, { name: 'b.pdf' })];
  const ids = [folder.id, ...files.map(({ id }) => id)];

  assert.equal(await documents.file(actor, { ids, client_id: client }), { done: ids, failed: [] });
  for (const id of ids) assert.is((await documents.item(actor, id)).client_id, client);
  assert.is((await documents.item(actor, inside.id)).client_id, null);
  await documents.file(actor, { ids, client_id: client });
  const trail = await db('audit_events').where({ did: 'document.client' }).pluck('detail');
  assert.equal(
    trail.map((detail) => JSON.parse(detail)),
    [{ to: client, chosen: 3, ids }],
    'what changed nothing is not told of',
  );

  await documents.file(actor, { ids, client_id: null });
  assert.equal((await documents.files(actor, { client_id: client })).items, []);
});

test("what is gone or another firm's is told of and keeps nothing up; a client has to be the firm's", async (world) => {
  const { build } = world;
  const { documents } = world.services;
  const [actor, stranger] = [await build.actor(), await build.actor()];
  const [own, foreign] = [await build.file(actor), await build.file(stranger)];
  const client = await build.client(actor);
  const { done, failed } = await documents.file(actor, {
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
  const error = await refused(documents.file(actor, wish), 422);
  assert.equal(error.errors, { client_id: [NO_CLIENT] });
});

test.run();
