import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bearer, Visitor } from '../testing/visitor.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';

const test = suite<World>('routes of the team');
test.before.each(async (world) => void Object.assign(world, await freshWorld()));
test.after.each((world) => world.close());

test('deactivating a user cuts off that user’s running download, and its link is refused with 403', async (world) => {
  const { build, services } = world;
  const { actor, token } = await build.account();
  const { actor: ravi } = await build.colleague(actor);
  const file = await build.file(actor, { name: 'large.pdf', content: Buffer.alloc(60_000_000, 7) });
  const url = await world.serve();
  const link = url + (await services.documents.downloadUrl(ravi, file.id));
  const reader = (await fetch(link)).body!.getReader();
  await reader.read();
  const admin = await new Visitor(url).arrive();
  const path = `/api/team/${ravi.userId}/deactivate`;
  const { status } = await admin.post(path, {}, { headers: bearer(token) });
  assert.is(status, 200, 'who deactivates is answered');
  let whole = false;
  try {
    for (;;) if ((await reader.read()).done) break;
    whole = true;
  } catch {
    // Cut, as it must be.
  }
  assert.is(whole, false);
  assert.is((await fetch(link)).status, 403);
});

test('a user without a seat can read, and a change is refused with 403 and the reason', async (world) => {
  const { build } = world;
  const { actor } = await build.account();
  const ravi = await build.colleague(actor, { seats: false });
  const visitor = await new Visitor(await world.serve()).arrive();
  const headers = bearer(ravi.token);
  const { status, json } = await visitor.post('/api/documents/folder', { name: 'A' }, { headers });
  assert.is(status, 403);
  assert.is(json.code, 'no_seat');
  assert.match(json.message, 'you can read but not change anything');
  assert.is((await visitor.get('/api/documents', { headers })).status, 200);
});

test.run();
