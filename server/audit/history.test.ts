import { buffer, text } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { Visitor } from '../testing/visitor.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';

interface Office extends World {
  actor: Actor;
  abouts: () => Promise<string[]>;
}

const test = suite<Office>('the wording of the history');
test.before.each(async (world) => {
  Object.assign(world, await freshWorld({ trashDays: 0 }));
  world.actor = await world.build.actor();
  world.abouts = async () =>
    (await world.services.audit.list(world.actor, {})).data.map(({ what, about }) => `${what}: ${about}`);
});
test.after.each((world) => world.close());

const newest = async (world: Office) => (await world.abouts())[0] ?? '';

test('a move names the item and the paths of both folders, since folders of many clients have the same name', async (world) => {
  const { build, actor } = world;
  const { documents } = world.services;
  const top = await build.folder(actor, 'Sharma');
  const itr = await build.folder(actor, 'ITR', top.id);
  const file = await build.file(actor, { name: 'a.pdf', parent_id: itr.id });
  await documents.move(actor, { ids: [file.id], parent_id: null });
  assert.is(await newest(world), 'Moved: a.pdf: Sharma / ITR → My Drive');
  const others = ['b', 'c', 'd', 'e'].map((name) => build.file(actor, { name: `${name}.pdf` }));
  const ids = (await Promise.all(others)).map(({ id }) => id);
  await documents.move(actor, { ids, parent_id: itr.id });
  assert.match(
    await newest(world),
    /^Moved: [b-e]\.pdf, [b-e]\.pdf, [b-e]\.pdf and 1 more: My Drive → Sharma \/ ITR$/,
  );
});

test('an entry keeps the names of its time after items are renamed or deleted', async (world) => {
  const { build, actor } = world;
  const { documents } = world.services;
  const [from, to] = [await build.folder(actor, 'From'), await build.folder(actor, 'To')];
  const file = await build.file(actor, { name: 'a.pdf', parent_id: from.id });
  await documents.move(actor, { ids: [file.id], parent_id: to.id });
  await documents.remove(actor, [from.id, to.id]);
  assert.equal((await world.abouts()).slice(0, 2), ['Deleted: From, To', 'Moved: a.pdf: From → To']);
});

test('an entry of linking or unlinking names both clients and counts the items inside', async (world) => {
  const { build, actor, db } = world;
  const { documents } = world.services;
  const [sharma, verma] = [await build.client(actor), await build.client(actor)];
  await db('clients').where({ id: sharma }).update({ name: 'Sharma' });
  await db('clients').where({ id: verma }).update({ name: 'Verma' });
  const folder = await build.folder(actor, 'GST');
  await build.file(actor, { name: 'a.pdf', parent_id: folder.id });
  await documents.setClientOfMany(actor, { ids: [folder.id], client_id: sharma, contents: 'unlinked' });
  assert.is(await newest(world), 'Linked to a client: GST: no client → Sharma, with 1 item inside');
  await documents.setClientOfMany(actor, { ids: [folder.id], client_id: verma, contents: 'none' });
  await db('clients').where({ id: verma }).update({ name: 'Verma & Sons' });
  assert.is(await newest(world), 'Linked to a client: GST: Sharma → Verma');
  await documents.setClientOfMany(actor, { ids: [folder.id], client_id: null, contents: 'none' });
  assert.is(await newest(world), 'Unlinked from a client: GST: Verma & Sons → no client');
});

test('older entries without names show the present names, but none of another firm', async (world) => {
  const { build, actor, services } = world;
  const stranger = await build.actor();
  const foreign = await build.folder(stranger, 'Their secret');
  const folder = await build.folder(actor, 'ITR');
  const file = await build.file(actor, { name: 'a.pdf' });
  const client = await build.client(actor);
  const { name } = await services.clients.client(actor, client);
  const old = (
    did: 'document.move' | 'document.client',
    id: number,
    detail: Record<string, number | number[] | null>,
  ) => services.audit.recordAlone({ actor, did, subject: `item:${id}`, detail });
  await old('document.move', file.id, { to: folder.id, chosen: 1, ids: [file.id] });
  await old('document.move', foreign.id, { to: foreign.id, chosen: 1, ids: [foreign.id] });
  await old('document.move', file.id, { to: null, chosen: 2, ids: [file.id, 99_999] });
  await old('document.client', file.id, { from: null, to: client });
  await old('document.client', file.id, { from: 99_999, to: null });
  await services.audit.recordAlone({ actor, did: 'auth.sign_out_device', subject: 'session:354' });
  assert.equal((await world.abouts()).slice(0, 6), [
    'Signed out a device: ',
    'Unlinked from a client: a.pdf: a deleted client → no client',
    `Linked to a client: a.pdf: no client → ${name}`,
    'Moved: a.pdf and a deleted item → My Drive',
    'Moved: a deleted item → a deleted folder',
    'Moved: a.pdf → ITR',
  ]);
});

test('the CSV of the history has names instead of ids, and its size stays correct if an item is deleted meanwhile', async (world) => {
  const { build, actor, services } = world;
  const folder = await build.folder(actor, 'ITR');
  const file = await build.file(actor, { name: 'a.pdf' });
  const detail = { to: folder.id, chosen: 1, ids: [file.id] };
  await services.audit.recordAlone({ actor, did: 'document.move', subject: `item:${file.id}`, detail });
  const { size, open } = await services.audit.csv(actor);
  await services.documents.remove(actor, [file.id, folder.id]);
  const csv = await buffer(open());
  assert.is(csv.length, size);
  assert.match(csv.toString(), /,Moved,document\.move,[^,]*,a\.pdf → ITR,,/);
  const after = await text((await services.audit.csv(actor)).open());
  assert.match(after, /,Deleted,document\.delete,[^,]*,"a\.pdf, ITR","files: 1; bytes: 7",/);
  assert.not.match(after, /item:\d|"ids"|parent_id/);
});

test('the CSV says which clients a person was given and from when two-step sign-in is required, which no other column shows', async (world) => {
  const { build, actor, services } = world;
  const { actor: ravi } = await build.colleague(actor);
  await services.access.assign(actor, ravi.userId, { client_scope: 'all', client_ids: [], groups: ['Rao'] });
  await services.audit.recordAlone({ actor, did: 'team.two_step_required', detail: { from: '2026-12-01' } });
  await services.audit.recordAlone({ actor, did: 'client.import', detail: { created: 2, updated: 1 } });
  const csv = await text((await services.audit.csv(actor)).open());
  assert.match(csv, /,access\.assign,.*,"clients: all; groups: Rao",/);
  assert.match(csv, /,team\.two_step_required,.*,from: 2026-12-01,/);
  assert.match(csv, /,client\.import,[^,]*,"2 added, 1 changed",,/);
});

test('what somebody who is not signed in asks or tries for an account is not listed as done by its owner, whom it names', async (world) => {
  const visitor = await new Visitor(await world.serve()).arrive();
  const { email } = await world.db('users').where({ id: world.actor.userId }).first('email');
  await visitor.post('/api/auth/forgot-password', { email });
  await visitor.post('/api/auth/login', { email, password: 'not the password' });
  const { data } = await world.services.audit.list(world.actor, {});
  assert.equal(
    data.slice(0, 2).map(({ what, who, about, ip }) => [what, who, about, ip !== null]),
    [
      ['Sign-in refused', null, 'Asha Rao', true],
      ['Requested a password reset', null, 'Asha Rao', true],
    ],
  );
});

test.run();
