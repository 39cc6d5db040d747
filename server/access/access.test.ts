import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '../actor.ts';
import { assign, colleague } from '../testing/colleague.ts';
import { rejects } from '../testing/rejects.ts';
import { bytes, freshWorld } from '../testing/world.ts';
import type { World } from '../testing/world.ts';

interface Office extends World {
  admin: Actor;
  ravi: Actor;
  sharma: number;
  rao: number;
}

const test = suite<Office>('access to clients');
test.before.each(async (office) => {
  const world = await freshWorld();
  const admin = await world.build.actor();
  const group_name = 'Rao family';
  const sharma = await world.build.client(admin, 'Sharma');
  const rao = await world.build.client(admin, 'Rao', { group_name });
  const ravi = await colleague(world, admin, {
    permissions: [
      'documents.read',
      'documents.write',
      'documents.delete',
      'documents.download',
      'clients.write',
    ],
  });
  Object.assign(office, world, { admin, ravi, sharma, rao });
});
test.after.each((office) => office.close());

test('a user is assigned clients and groups, and sees a client that joins such a group at once', async ({
  services: { access, clients },
  admin,
  ravi,
  sharma,
  rao,
  build,
}) => {
  const wish = { client_scope: 'assigned' as const, client_ids: [sharma], groups: ['Rao family'] };
  const given = await access.assign(admin, ravi.userId, wish);
  assert.equal(given, {
    client_scope: 'assigned',
    clients: [{ id: sharma, name: 'Sharma' }],
    groups: ['Rao family'],
  });
  const seen = async () => (await clients.options(ravi)).map(({ label }) => label);
  assert.equal(await seen(), ['Rao', 'Sharma']);
  await build.client(admin, 'Rao Sons', { group_name: 'Rao family' });
  assert.equal(await seen(), ['Rao', 'Rao Sons', 'Sharma']);
  for (const group_name of ['Ward 10', 'Ward 2']) await build.client(admin, 'Joshi', { group_name });
  assert.equal(
    (await access.groups(admin)).map(({ name, clients: size }) => `${name}: ${size}`),
    ['Rao family: 2', 'Ward 2: 1', 'Ward 10: 1'],
  );
  await clients.update(admin, rao, { group_name: null });
  assert.equal(await seen(), ['Rao Sons', 'Sharma']);
  await clients.remove(admin, sharma);
  assert.equal(await seen(), ['Rao Sons']);
  await rejects(access.assign(admin, ravi.userId, { ...wish, client_ids: [sharma] }), 422);
  await rejects(access.assign(admin, admin.userId, wish), 422);
  await rejects(access.assign(ravi, ravi.userId, { ...wish, client_scope: 'all' }), 403);
  const stranger = await build.actor();
  await rejects(access.assign(stranger, ravi.userId, { ...wish, client_ids: [] }), 404);
  const foreign = await build.client(stranger, 'Foreign');
  await rejects(access.assign(admin, ravi.userId, { ...wish, client_ids: [foreign] }), 422);
});

test('a user with assigned clients also sees the clients that the user adds or imports', async ({
  services: { clients },
  ravi,
  build,
}) => {
  await build.client(ravi, 'New of Ravi');
  await clients.import.run(ravi, Buffer.from('Name\nImported by Ravi\n'), ['name']);
  assert.equal(
    (await clients.options(ravi)).map(({ label }) => label),
    ['Imported by Ravi', 'New of Ravi'],
  );
});

test('the preview of an import does not match clients that the user does not see', async ({
  services: { clients },
  admin,
  ravi,
  build,
}) => {
  await build.client(admin, 'Hidden', { pan: 'ABCPM1234D' });
  const table = Buffer.from('Name,PAN\nOne,ABCPM1234D\n');
  const look = await clients.import.preview(ravi, table, ['name', 'pan']);
  assert.equal([look.counts.create, look.rows[0]!.client_id, look.as_of], [1, null, '0.0.0']);
});

test('everybody who sees an item or a client is listed with the reason, but only to users who see it themselves', async (office) => {
  const { services, admin, ravi, sharma, rao, build } = office;
  const { access } = services;
  const meera = await colleague(office, admin, { name: 'Meera', clientScope: 'all' });
  await office.db('users').where('id', meera.userId).update({ role: 'manager' });
  await assign(office, ravi, [], ['Rao family']);
  const reasons = async (actor: Actor, id: number) =>
    (await access.ofClient(actor, id)).map(({ name, reason }) => `${name}: ${reason}`);
  const everybody = ['Asha Rao: Admins see everything', 'Meera: Sees all clients'];
  assert.equal(await reasons(admin, sharma), everybody);
  assert.equal(await reasons(ravi, rao), [...everybody, 'Ravi Kumar: Assigned to the group Rao family']);
  await rejects(access.ofClient(ravi, sharma), 404);
  const top = await services.documents.createFolder(admin, { name: 'Rao', parent_id: null, client_id: rao });
  const inside = await build.file(admin, { parent_id: top.id });
  const loose = await build.file(admin, { name: 'loose.txt' });
  assert.is((await access.ofItem(ravi, inside.id)).length, 3);
  assert.is((await access.ofItem(admin, loose.id)).length, 2);
  await rejects(access.ofItem(ravi, loose.id), 404);
  await office.db('users').where('id', meera.userId).update({ deactivated_at: office.now().toISOString() });
  assert.is((await access.ofItem(admin, inside.id)).length, 2, 'who has left sees nothing');
});

test('the people assigned to a client can be chosen from the client, and people who see all clients are not changed', async (office) => {
  const { services, admin, ravi, sharma } = office;
  const { access } = services;
  const people = await access.setPeople(admin, sharma, { user_ids: [ravi.userId, admin.userId] });
  assert.equal(
    people.map(({ name, client_scope, assigned }) => [name, client_scope, assigned]),
    [
      ['Asha Rao', 'all', false],
      ['Ravi Kumar', 'assigned', true],
    ],
  );
  await access.setPeople(admin, sharma, { user_ids: [] });
  assert.equal(await services.clients.options(ravi), []);
  await rejects(access.setPeople(ravi, sharma, { user_ids: [ravi.userId] }), 403);
});

test('before a move the colleagues who would lose access are named, but not to users who do not see the target', async (office) => {
  const { services, admin, ravi, sharma, rao, build } = office;
  await assign(office, ravi, [sharma]);
  const make = (name: string, client_id: number) =>
    services.documents.createFolder(admin, { name, parent_id: null, client_id });
  const [of, to] = [await make('Sharma', sharma), await make('Rao', rao)];
  const file = await build.file(admin, { parent_id: of.id });
  const { losing } = services.access;
  assert.equal(await losing(admin, { ids: [file.id], client_id: rao }), { names: ['Ravi Kumar'] });
  assert.equal(await losing(admin, { ids: [file.id], parent_id: to.id }), { names: ['Ravi Kumar'] });
  assert.equal(
    await losing(admin, { ids: [of.id], parent_id: to.id }),
    { names: [] },
    'it keeps its own client',
  );
  assert.equal(await losing(admin, { ids: [file.id], client_id: sharma }), { names: [] });
  const box = await services.documents.createFolder(admin, { name: 'Box', parent_id: null, client_id: rao });
  await build.file(admin, { name: 'inside.txt', parent_id: box.id, client_id: sharma });
  assert.equal(
    await losing(admin, { ids: [box.id], client_id: rao }),
    { names: [] },
    'it stays with its own',
  );
  assert.equal(
    await losing(admin, { ids: [box.id], client_id: rao, contents: 'all' }),
    { names: ['Ravi Kumar'] },
    'what lies in it is taken along',
  );
  const meera = await colleague(office, admin, { name: 'Meera', permissions: ravi.permissions });
  await assign(office, meera, [sharma, rao]);
  assert.equal(await losing(meera, { ids: [file.id], client_id: rao }), { names: ['Ravi Kumar'] });
  await assign(office, meera, [sharma]);
  for (const hidden of [{ parent_id: to.id }, { client_id: rao }])
    assert.equal(
      await losing(ravi, { ids: [file.id], ...hidden }),
      { names: [] },
      'what is not seen tells nothing',
    );
  await services.documents.move(admin, { ids: [file.id], parent_id: to.id });
  await rejects(services.documents.item(ravi, file.id), 404);
});

test('a user cannot change unseen items or give items to unseen clients, and errors about taken names reveal nothing of unseen items', async (office) => {
  const { services, admin, ravi, sharma, rao, build } = office;
  const { documents } = services;
  await assign(office, ravi, [sharma]);
  const top = await documents.createFolder(admin, { name: 'Sharma', parent_id: null, client_id: sharma });
  const hidden = await documents.createFolder(admin, { name: 'Secret', parent_id: top.id, client_id: rao });
  const file = await build.file(ravi, { name: 'own.txt', parent_id: top.id });
  const why = 'This name cannot be used here. Choose another one.';
  const taken = await rejects(
    documents.createFolder(ravi, { name: 'secret', parent_id: top.id, client_id: null }),
    422,
  );
  assert.equal(taken.errors, { name: [why] });
  const deed = await build.file(admin, { name: 'deed.txt', parent_id: top.id, client_id: rao });
  assert.equal((await rejects(documents.rename(ravi, file.id, { name: 'deed.txt' }), 422)).errors, {
    name: [why],
  });
  assert.is((await build.file(ravi, { name: 'deed.txt', parent_id: top.id })).name, 'deed (2).txt');
  const compared = { parent_id: top.id, files: [{ name: 'deed.txt', path: [], size: 7 }] };
  assert.equal(await documents.compare(ravi, compared), []);
  const blob = await office.blobs.put(bytes('x'));
  const place = { parent_id: top.id, client_id: null };
  const put = await documents.addFile(ravi, { name: 'deed.txt', ...place, blob, conflict: 'replace' });
  assert.is(put.name, 'deed (3).txt', 'what is not seen is not replaced');
  assert.is((await documents.item(admin, deed.id)).name, 'deed.txt');

  assert.equal((await documents.remove(ravi, [hidden.id])).failed, [
    { id: hidden.id, name: null, message: 'This item does not exist, or you have no access to it.' },
  ]);
  assert.equal((await documents.remove(ravi, [top.id])).done, [], 'it holds what is not theirs');
  assert.is((await documents.item(admin, hidden.id)).name, 'Secret');
  await documents.setClient(ravi, top.id, { client_id: sharma, contents: 'all' });
  assert.is((await documents.item(admin, hidden.id)).client_id, rao);
  await rejects(documents.setClient(ravi, file.id, { client_id: rao }), 422);
  await rejects(documents.setClient(ravi, top.id, { client_id: null }), 422);
  assert.is((await documents.item(ravi, top.id)).client_id, sharma, 'undone');
  await rejects(build.file(ravi, { name: 'loose.txt' }), 422);
  await rejects(documents.checkUpload(ravi, { parent_id: hidden.id, client_id: null }), 422);
  assert.equal((await documents.move(ravi, { ids: [hidden.id], parent_id: null })).done, []);
  await rejects(documents.move(ravi, { ids: [file.id], parent_id: hidden.id }), 422);
  const preview = await documents.previewFiling(ravi, { ids: [top.id], client_id: sharma });
  assert.is(preview.others, 0);
});

test('when access is withdrawn, pages of lists, downloads and extractions in progress end as if the items did not exist', async (office) => {
  const { services, admin, ravi, sharma, build } = office;
  const { documents, downloads, clients } = services;
  await assign(office, ravi, [sharma]);
  const top = await documents.createFolder(admin, { name: 'Sharma', parent_id: null, client_id: sharma });
  const file = await build.file(admin, { name: 'a.txt', parent_id: top.id });
  const zip = await build.file(admin, { name: 'a.zip', parent_id: top.id });
  const page = await documents.files(ravi, { limit: 1 });
  assert.is(page.total, 2);
  await build.file(admin, { name: 'elsewhere.txt' });
  const folderJob = {
    beside: zip.id,
    replace: null,
    reservation: await office.db.transaction((trx) => documents.reserve(trx, ravi, 10)),
  };
  await assign(office, ravi, []);
  const next = await documents.files(ravi, { limit: 1, cursor: page.next_cursor! });
  assert.equal([next.items, next.next_cursor], [[], null]);
  await rejects(documents.openFile(ravi, file.id), 404);
  await rejects(downloads.select(ravi, [file.id]), 404);
  await rejects(downloads.selectClient(ravi, sharma), 404);
  await rejects(clients.overview(ravi, sharma), 404);
  const tree = { name: 'a', folders: [], files: [] };
  await rejects(
    documents.addTree(ravi, folderJob, tree, new AbortController().signal, async () => {}),
    404,
  );
});

test('a view-only user gets no original by any link, not even by one made before the permission was removed', async ({
  services,
  db,
  build,
  serve,
}) => {
  const { documents, downloads, archiveViewer, previews, auth } = services;
  const { actor } = await build.account();
  const client_id = await build.client(actor);
  const folder = await build.folder(actor);
  const file = await build.file(actor, { parent_id: folder.id, client_id });
  const mail = await build.file(actor, { name: 'a.eml', content: 'Subject: x\n\nx' });
  const zip = await build.file(actor, { name: 'a.zip' });
  const before = [
    await documents.downloadUrl(actor, file.id),
    await documents.downloadUrl(actor, folder.id),
    await downloads.select(actor, [file.id, mail.id]),
    await downloads.selectClient(actor, client_id),
  ];
  const url = await serve();
  for (const link of before) assert.is((await fetch(url + link)).status, 200);
  const taken = JSON.stringify(['documents.download']);
  await db('users').where('id', actor.userId).update({ role: 'viewer', permissions_taken: taken });
  const looker = (await auth.actorOfSession(actor.sessionId))!;
  assert.equal((await documents.folder(looker, folder.id)).items.length, 1, 'looking goes on');
  for (const link of before)
    for (const headers of [{}, { range: 'bytes=0-1' }]) {
      const answered = await fetch(`${url}${link}&inline=1`, { headers });
      assert.equal([answered.status, ((await answered.json()) as { code: string }).code], [403, 'look_only']);
    }
  await rejects(documents.downloadUrl(looker, file.id), 403);
  await rejects(documents.downloadUrl(looker, folder.id), 403);
  await rejects(downloads.select(looker, [file.id]), 403);
  await rejects(downloads.selectClient(looker, client_id), 403);
  await rejects(archiveViewer.link(looker, zip.id, { path: 'x', password: undefined }), 422);
  await rejects(previews.attachment(looker, mail.id, 1), 403);
  await rejects(services.exports.link(looker, 'everything'), 403);
});

test('the history shows a user only entries about items and clients that the user sees', async (office) => {
  const { services, admin, ravi, sharma, rao, build } = office;
  const reader: Actor = { ...ravi, permissions: [...ravi.permissions, 'history.read'] };
  await assign(office, ravi, [sharma]);
  const [a, b] = [
    await build.file(admin, { name: 'of sharma.txt', client_id: sharma }),
    await build.file(admin, { name: 'of rao.txt', client_id: rao }),
  ];
  await services.documents.remove(admin, [a.id, b.id]);
  const about = (await services.audit.list(reader, {})).data.map((one) => `${one.did} ${one.about}`);
  assert.equal(about, ['document.upload of sharma.txt', 'client.create Sharma']);
});

test('whoever sees a client by its group is told that a corrected name of the group would take it out of sight, also by an import', async ({
  services: { clients },
  admin,
  ravi,
  rao,
  sharma,
  db,
}) => {
  await clients.update(admin, rao, { group_name: 'Rao Famly', pan: 'AAAPR1234C' });
  await assign({ db }, ravi, [sharma], ['Rao Famly', 'Rao trusts']);
  const refused = await rejects(clients.update(ravi, rao, { group_name: 'Rao family' }), 422);
  assert.equal(refused.errors, {
    group_name: ['You would not see this client any more. Ask an admin to change the group.'],
  });
  await rejects(clients.update(ravi, rao, { group_name: null }), 422);
  const list = Buffer.from('Name,PAN,Group\nRao,AAAPR1234C,Rao family\n');
  const { rows } = await clients.import.preview(ravi, list, ['name', 'pan', 'group_name']);
  assert.equal([rows[0]!.action, Object.keys(rows[0]!.errors)], ['error', ['group_name']]);

  await clients.update(ravi, rao, { group_name: 'Rao trusts' });
  await clients.update(ravi, sharma, { group_name: 'Sharma family' });
  await clients.update(admin, rao, { group_name: 'Rao family' });
});

test.run();
