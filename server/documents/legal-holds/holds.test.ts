import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { PASSWORD } from '#server/testing/build.ts';
import { assign, colleague } from '#server/testing/colleague.ts';
import { rejects } from '#server/testing/rejects.ts';
import { Visitor, bearer } from '#server/testing/visitor.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import { findTotalsFaults } from '#server/tools/totals.ts';

interface Office extends World {
  admin: Actor;
  token: string;
}

const DAY = 24 * 60 * 60_000;
const EXPIRY = 'delete-expired-trash';
const WHY = { reason: 'Notice under s. 148.' };

const test = suite<Office>('legal holds');
test.before.each(async (world) => {
  Object.assign(world, await freshWorld({ trashDays: 30 }));
  const { actor, token } = await world.build.account();
  Object.assign(world, { admin: actor, token });
});
test.after.each((world) => world.close());

/** A held client with a folder in which a file lies, and a file of its own in a folder of nobody's; and a free file. */
async function heldClient({ build, services, admin }: Office) {
  const client = await build.client(admin, 'Mehta Traders');
  const folder = await build.folder(admin, 'Mehta');
  await services.documents.setClient(admin, folder.id, { client_id: client });
  const inside = await build.file(admin, { name: 'inside.pdf', parent_id: folder.id });
  const mixed = await build.folder(admin, 'Mixed');
  await build.file(admin, { name: 'nobodys.pdf', parent_id: mixed.id });
  const theirs = await build.file(admin, { name: 'theirs.pdf', parent_id: mixed.id, client_id: client });
  const free = await build.file(admin, { name: 'free.pdf' });
  await services.holds.place(admin, client, WHY);
  return { client, folder, inside, mixed, theirs, free };
}
const names = (items: readonly { name: string }[]) => items.map(({ name }) => name).toSorted();

test('items of a client under a hold can be moved to Trash, but not deleted from it by hand, by Empty or by age', async (world) => {
  const { services, admin, advance } = world;
  const { folder, mixed, free } = await heldClient(world);
  const { documents, trash } = services;
  services.start();
  await services.jobs.idle();
  const ids = [folder.id, mixed.id, free.id];
  assert.equal((await documents.remove(admin, ids)).done, ids);
  const listed = (await trash.list(admin)).items;
  assert.equal(listed.map(({ name, held }) => [name, held]).toSorted(), [
    ['Mehta', true],
    ['Mixed', true],
    ['free.pdf', false],
  ]);
  const byHand = await trash.remove(admin, [folder.id, mixed.id]);
  assert.equal([byHand.done, byHand.failed.map(({ code }) => code)], [[], ['held', 'held']]);
  assert.match(byHand.failed[0]!.message, 'legal hold');
  assert.equal(await trash.empty(admin), { deleted: 1, kept: 2 });
  advance(40 * DAY);
  await services.jobs.runDue(EXPIRY);
  await services.sweeper.drain();
  assert.equal(names((await trash.list(admin)).items), ['Mehta', 'Mixed']);
  assert.equal((await trash.restore(admin, { ids: [folder.id] })).done, [folder.id]);
  assert.equal(await findTotalsFaults(world.db), []);
});

test('before a deletion the hold that keeps an item is named, of each client by itself, and not to somebody who does not see it', async (world) => {
  const { services, admin, build } = world;
  const { documents, trash, holds } = services;
  const { client, folder, mixed, free } = await heldClient(world);
  const other = await build.client(admin, 'Bose & Sons');
  const bose = await build.file(admin, { name: 'bose.pdf', client_id: other });
  await holds.place(admin, other, { reason: 'Dispute' });
  const ids = [folder.id, mixed.id, bose.id, free.id];
  const said = ({ named }: { named: readonly { name: string; message: string }[] }) =>
    named.map(({ name, message }) => `${name}: ${message.split(' on ').toSpliced(2).join(' on ')}`);
  const expected = [
    'Mehta: There is a legal hold on Mehta Traders, placed by Asha Rao',
    'Mixed: There is a legal hold on Mehta Traders, placed by Asha Rao',
    'bose.pdf: There is a legal hold on Bose & Sons, placed by Asha Rao',
  ];
  const before = await documents.previewRemoval(admin, ids);
  assert.equal([before.count, before.held.count, said(before.held)], [0, 3, expected]);
  assert.match(before.held.named[0]!.message, `: ${WHY.reason} Nothing of this client is deleted forever`);
  await documents.remove(admin, ids);
  const emptied = await trash.preview(admin);
  assert.equal([emptied.count, said(emptied).toSorted()], [3, expected.toSorted()]);
  const staying = (await trash.list(admin)).items.filter(({ held }) => held);
  assert.is(
    emptied.bytes,
    staying.reduce((sum, { bytes }) => sum + bytes, 0),
  );

  const assistant = await colleague(world, admin, { role: 'staff' });
  await assign(world, assistant, [client]);
  const seen = await trash.preview(assistant);
  assert.not(JSON.stringify(seen).includes('Bose'), JSON.stringify(seen));
});

test('a file in a folder that came to another client while it is in Trash stays too, and stops nothing else of any firm from being deleted', async (world) => {
  const { services, admin, build, advance, db } = world;
  const { documents, trash } = services;
  services.start();
  await services.jobs.idle();
  const [held, other] = [await build.client(admin, 'Asha'), await build.client(admin, 'Bose')];
  const above = await build.folder(admin, 'Above');
  const inner = async (name: string) => {
    const folder = await documents.createFolder(admin, { name, parent_id: above.id, client_id: null });
    await build.file(admin, { name: 'evidence.pdf', parent_id: folder.id, client_id: held });
    return folder.id;
  };
  const [folder, recorded] = [await inner('Folder'), await inner('Recorded before')];
  await documents.setClient(admin, above.id, { client_id: held, contents: 'none' });
  await documents.remove(admin, [folder, recorded]);
  await documents.setClient(admin, above.id, { client_id: other, contents: 'unlinked' });
  await services.holds.place(admin, held, WHY);
  const listed = (await trash.list(admin)).items;
  assert.equal(
    listed.map((entry) => entry.held),
    [true, true],
  );
  // As versions before recorded it: nothing here knows of the hold, and only the database refuses.
  await db('trash').where({ item_id: recorded }).update({ mixed: 0 });

  const free = async (name: string) => (await build.file(admin, { name })).id;
  const [first, second] = [await free('a.txt'), await free('b.txt')];
  await documents.remove(admin, [first, second]);
  const byHand = await trash.remove(admin, [recorded, first]);
  assert.equal(
    [byHand.done, byHand.failed.map(({ id, code }) => [id, code])],
    [[first], [[recorded, 'held']]],
  );
  assert.equal(await trash.empty(admin), { deleted: 1, kept: 2 });
  const stranger = await build.actor();
  await documents.remove(stranger, [(await build.file(stranger, { name: 'c.txt' })).id]);
  advance(40 * DAY);
  await services.jobs.runDue(EXPIRY);
  assert.equal((await trash.list(stranger)).items, []);
  assert.equal(names((await trash.list(admin)).items), ['Folder', 'Recorded before']);
  assert.equal(await findTotalsFaults(db), []);
});

test('once a hold is lifted, with a reason that the history keeps, items past their days in Trash are deleted', async (world) => {
  const { services, admin, advance, build } = world;
  const { client, folder, mixed } = await heldClient(world);
  const { holds, trash, documents } = services;
  services.start();
  await services.jobs.idle();
  await documents.remove(admin, [folder.id, mixed.id]);
  advance(31 * DAY);
  await services.jobs.runDue(EXPIRY);
  assert.is((await trash.list(admin)).items.length, 2);
  const staff = (await build.colleague(admin)).actor;
  await rejects(holds.lift(staff, client, WHY), 403);
  await holds.lift(admin, client, { reason: 'Assessment closed' });
  advance(60 * 60_000);
  await services.jobs.runDue(EXPIRY);
  await services.sweeper.drain();
  assert.equal((await trash.list(admin)).items, []);
  const { data } = await services.audit.list(admin, { client, limit: 50 });
  const told = data.filter(({ did }) => /hold/.test(did)).map(({ what, detail }) => [what, detail['reason']]);
  assert.equal(told, [
    ['Lifted a legal hold', 'Assessment closed'],
    ['Placed a legal hold', WHY.reason],
  ]);
  await rejects(holds.lift(admin, client, WHY), 409);
});

test('documents under a hold cannot be taken out of it by linking or moving them to another client, and stay linked in the client’s folder too, since its page would count fewer', async (world) => {
  const { services, admin, build } = world;
  const { client, folder, inside, theirs } = await heldClient(world);
  const other = await build.client(admin, 'Other');
  const elsewhere = await build.folder(admin, 'Elsewhere');
  const { documents } = services;
  const visitor = new Visitor(await world.serve());
  for (const [id, client_id] of [
    [folder.id, other],
    [theirs.id, other],
    [inside.id, null],
  ] as const) {
    const answer = await visitor.call('PATCH', `/api/documents/${id}/client`, {
      body: JSON.stringify({ client_id }),
      headers: { 'content-type': 'application/json', ...bearer(world.token) },
    });
    assert.equal([answer.status, answer.json.code], [422, 'held']);
    assert.match(answer.json.message, 'Lift the hold');
  }
  const moving = documents.move(admin, { ids: [inside.id], parent_id: elsewhere.id });
  // It has the client of the folder that it leaves, and keeps it.
  assert.equal((await moving).done, [inside.id]);
  assert.is((await documents.item(admin, inside.id)).client_id, client);
  const error = await rejects(services.clients.remove(admin, client), 409);
  assert.is(error.code, 'held');
  assert.match(error.message, `: ${WHY.reason} Lift the hold`);
  // Asked before, so that nobody confirms a deletion that is then refused.
  assert.is((await services.clients.tied(admin, client)).refused, error.message);
});

test('the undo of a move brings back also what the move has linked to a client under a hold, which it says stays linked', async ({
  services: { documents, holds },
  admin,
  build,
}) => {
  const client = await build.client(admin, 'Mehta Traders');
  const folder = await build.folder(admin, 'Mehta');
  await documents.setClient(admin, folder.id, { client_id: client });
  const file = await build.file(admin, { name: 'own.pdf', parent_id: folder.id });
  await documents.setClient(admin, file.id, { client_id: null });
  const inner = await documents.createFolder(admin, { name: 'i', parent_id: folder.id, client_id: client });
  const free = await build.file(admin, { name: 'free.pdf' });
  await holds.place(admin, client, WHY);
  const ids = [file.id, free.id];
  const { failed } = await documents.undoMove(
    admin,
    await documents.move(admin, { ids, parent_id: inner.id }),
  );
  assert.equal(
    failed.map(({ id, code }) => [id, code]),
    ids.map((id) => [id, 'held']),
  );
  const after = await Promise.all(ids.map((id) => documents.item(admin, id)));
  assert.equal(
    after.map((item) => [item.parent_id, item.client_id]),
    [
      [folder.id, client],
      [null, client],
    ],
  );
});

test('of an item that the undo of a move cannot bring back only that is said, and its client stays with it', async ({
  services: { documents, holds, seals },
  admin,
  build,
}) => {
  const client = await build.client(admin, 'Mehta Traders');
  const folder = await build.folder(admin, 'Mehta');
  await documents.setClient(admin, folder.id, { client_id: client });
  const file = await build.file(admin, { name: 'free.pdf' });
  await holds.place(admin, client, WHY);
  const moved = await documents.move(admin, { ids: [file.id], parent_id: folder.id });
  await seals.seal(admin, folder.id, { reason: 'Signed' });
  const { failed } = await documents.undoMove(admin, moved);
  assert.equal(
    failed.map(({ id, code }) => [id, code]),
    [[file.id, 'sealed']],
  );
});

test('what is under a hold by its folder alone cannot leave it through Trash, since it could then be deleted for ever', async (world) => {
  const { services, admin, build, db } = world;
  const { client, folder, inside } = await heldClient(world);
  const { documents, trash } = services;
  const sub = await documents.createFolder(admin, { name: 'Sub', parent_id: folder.id, client_id: client });
  const deep = await build.file(admin, { name: 'deep.pdf', parent_id: sub.id });
  const other = await build.client(admin, 'Other');
  const elsewhere = await documents.createFolder(admin, { name: 'E', parent_id: null, client_id: other });
  await services.holds.lift(admin, client, WHY);
  for (const id of [inside.id, sub.id])
    await documents.setClient(admin, id, { client_id: null, contents: 'all' });
  await services.holds.place(admin, client, WHY);
  const ids = [inside.id, sub.id];
  await documents.remove(admin, ids);
  for (const parent_id of [elsewhere.id, null]) {
    const { done, failed } = await trash.restore(admin, { ids, parent_id });
    assert.equal([done, failed.map(({ code }) => code)], [[], ['held', 'held']], `into ${parent_id}`);
  }
  const moving = db('item_rows').where({ id: inside.id }).update({ parent_id: elsewhere.id });
  assert.match(String(await Promise.resolve(moving).catch((thrown: unknown) => thrown)), 'held');

  await documents.remove(admin, [folder.id]);
  assert.equal((await trash.restore(admin, { ids })).done.toSorted(), ids.toSorted());
  const clients = async (of: readonly number[]): Promise<unknown> =>
    new Set(await db('items').whereIn('id', of).pluck('scope_client_id'));
  assert.equal(await clients([...ids, deep.id]), new Set([client]), 'in a folder made again');
  assert.equal(await findTotalsFaults(db), []);
});

test('a manager places a hold only on a client that they see, and a second hold is refused naming the user of the first', async (world) => {
  const { services, admin, build } = world;
  const client = await build.client(admin, 'Seen');
  const manager = await colleague(world, admin, {
    role: 'manager',
    permissions: ['documents.read', 'retention.manage'],
  });
  await rejects(services.holds.place(manager, client, WHY), 404);
  await assign(world, manager, [client]);
  assert.is((await services.holds.place(manager, client, WHY)).by, 'Ravi Kumar');
  const again = await rejects(services.holds.place(admin, client, WHY), 409);
  assert.match(again.message, 'placed by Ravi Kumar');
  assert.is((await services.clients.overview(admin, client)).hold?.reason, WHY.reason);
});

test('without Trash, items under a hold cannot be deleted', async () => {
  const world = Object.assign(await freshWorld({ trashDays: 0 }), {}) as Office;
  try {
    world.admin = await world.build.actor();
    const { folder, mixed, free } = await heldClient(world);
    const { done, failed } = await world.services.documents.remove(world.admin, [
      folder.id,
      mixed.id,
      free.id,
    ]);
    assert.equal([done, failed.map(({ code }) => code)], [[free.id], ['held', 'held']]);
    assert.is((await world.services.documents.item(world.admin, folder.id)).name, 'Mehta');
  } finally {
    await world.close();
  }
});

test('the database enforces a hold that a service forgets to check, except for items deleted for ever before the hold', async (world) => {
  const { services, admin, build, db } = world;
  const gone = await build.client(admin, 'Gone before');
  const early = await build.file(admin, { name: 'early.pdf', client_id: gone });
  await services.documents.remove(admin, [early.id]);
  await services.trash.remove(admin, [early.id]);
  await services.holds.place(admin, gone, WHY);
  await services.sweeper.drain();
  assert.is(await db('item_rows').where({ id: early.id }).first(), undefined);

  const { client, folder, inside } = await heldClient(world);
  await services.documents.remove(admin, [inside.id]);
  const attempts: Record<string, () => PromiseLike<unknown>> = {
    purge: () => db('hidden_items').where({ item_id: inside.id }).update({ trash: null }),
    'delete what is in Trash': () => db('item_rows').where({ id: inside.id }).delete(),
    'delete what is there': () => db('item_rows').where({ id: folder.id }).delete(),
    'hide for good': () => db('hidden_items').insert({ item_id: folder.id }),
    'other client': () => db('item_rows').where({ id: folder.id }).update({ client_id: null }),
    'no client': () => db('item_rows').where({ id: inside.id }).update({ client_id: null }),
    'delete the client': () => db('clients').where({ id: client }).update({ firm_id: 0 }),
    'forget the hold': () => db('legal_holds').where({ client_id: client }).delete(),
    'another reason': () => db('legal_holds').where({ client_id: client }).update({ reason: 'x' }),
  };
  for (const [what, attempt] of Object.entries(attempts)) {
    const error: unknown = await Promise.resolve(attempt()).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    assert.match(String(error), 'held', what);
  }
});

test('earlier versions stay too: by hand, by their days, and by the database, while held and while sealed', async (world) => {
  const { services, admin, build, advance, db } = world;
  const client = await build.client(admin, 'Versions Ltd');
  const put = (content: string) =>
    build.file(admin, { name: 'books.txt', content, client_id: client, conflict: 'replace' });
  for (const content of ['a', 'b', 'c']) await put(content);
  const { id } = await put('d');
  await services.holds.place(admin, client, WHY);
  const versions = async () => (await services.versions.list(admin, id)).earlier;
  const [first] = await versions();
  const byHand = services.versions.remove(admin, { item: id, version: first!.id! });
  assert.is((await rejects(byHand, 422)).code, 'held');
  services.start();
  await services.jobs.idle();
  advance(60 * DAY);
  const thin = () => services.jobs.runDue('delete-expired-versions');
  await thin();
  assert.is((await versions()).length, 3);
  const raw = async () =>
    String(await Promise.resolve(db('versions').delete()).catch((thrown: unknown) => thrown));
  assert.match(await raw(), 'held');
  await services.holds.lift(admin, client, WHY);
  await services.seals.seal(admin, id, { reason: 'Closed' });
  advance(60 * DAY);
  await thin();
  assert.match(await raw(), 'sealed');
  assert.is((await versions()).length, 3);
  await services.seals.break(admin, id, { reason: 'r', current_password: PASSWORD });
  advance(60 * DAY);
  await thin();
  assert.is((await versions()).length, 1, 'the last of the day');
});

test.run();
