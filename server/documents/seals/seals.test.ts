import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import { PASSWORD } from '#server/testing/build.ts';
import { rejects } from '#server/testing/rejects.ts';
import { assign, colleague } from '#server/testing/colleague.ts';
import { filesOf } from './list.ts';

interface Office extends World {
  admin: Actor;
  manager: Actor;
}

const test = suite<Office>('seals');
test.before(async (world) => {
  Object.assign(world, await freshWorld());
  world.admin = await world.build.actor();
  world.manager = (await world.build.colleague(world.admin, { name: 'Meera Nair', role: 'manager' })).actor;
});
test.after((world) => world.close());

let made = 0;
/** A sealed audit file: a folder with two files and a folder that holds a third. */
async function auditFile({ build, services, admin }: Office, reason = 'Report signed') {
  made += 1;
  const top = await build.folder(admin, `Client ${made}`);
  const folder = await build.folder(admin, 'Audit 2025-26', top.id);
  const inner = await build.folder(admin, 'Confirmations', folder.id);
  const report = await build.file(admin, { name: 'report.pdf', content: 'signed', parent_id: folder.id });
  const ledger = await build.file(admin, { name: 'ledger.csv', content: 'a;b', parent_id: folder.id });
  const letter = await build.file(admin, { name: 'letter.pdf', content: 'bank', parent_id: inner.id });
  const { seal } = await services.seals.seal(admin, folder.id, { reason });
  return { top, folder, inner, report, ledger, letter, seal: seal! };
}

const SENTENCE = /^Sealed by Asha Rao on Nov 20, 2026: Report signed\. /;
const everyRow = (db: World['db']) =>
  db('item_rows')
    .orderBy('id')
    .select('id', 'parent_id', 'name', 'name_key', 'client_id', 'scope_client_id', 'blob_id');

test('who seals is told what lies under it, and whoever has the files can make the same list again', async (world) => {
  const { folder, seal } = await auditFile(world);
  assert.equal(
    [seal.files, seal.bytes, seal.by, seal.reason, seal.item_id],
    [3, 13, 'Asha Rao', 'Report signed', folder.id],
  );
  const sha = (text: string) => createHash('sha256').update(text).digest('hex');
  const lines = [
    `${sha('bank')}  4  Audit 2025-26/Confirmations/letter.pdf`,
    `${sha('a;b')}  3  Audit 2025-26/ledger.csv`,
    `${sha('signed')}  6  Audit 2025-26/report.pdf`,
  ];
  assert.is(seal.digest, sha(lines.map((line) => `${line}\n`).join('')));
  assert.is((await world.services.seals.state(world.manager, folder.id, { check: true })).intact, true);
  const { data } = await world.services.audit.list(world.admin, { item: folder.id, limit: 1 });
  assert.equal(
    [data[0]!.what, data[0]!.detail['reason'], data[0]!.detail['digest']],
    ['Sealed', 'Report signed', seal.digest],
  );
});

test('admins and managers may seal; staff, who may change everything else, and users who see only a part of the folder may not', async (world) => {
  const { services, build, admin, manager } = world;
  const folder = await build.folder(admin, 'For seal');
  await build.file(admin, { name: 'a.pdf', parent_id: folder.id });
  const staff = (await build.colleague(admin)).actor;
  await rejects(services.seals.seal(staff, folder.id, { reason: 'x' }), 403);
  const client = await build.client(admin, 'Seen Ltd');
  await services.documents.setClient(admin, folder.id, { client_id: client });
  await build.file(admin, {
    name: 'b.pdf',
    parent_id: folder.id,
    client_id: await build.client(admin, 'Unseen Ltd'),
  });
  const part = await colleague(world, admin, { role: 'manager', permissions: [...manager.permissions] });
  await assign(world, part, [client]);
  await rejects(services.seals.seal(part, folder.id, { reason: 'x' }), 403);
  assert.ok((await services.seals.seal(manager, folder.id, { reason: 'x' })).seal);
  const again = await rejects(services.seals.seal(admin, folder.id, { reason: 'y' }), 409);
  assert.match(again.message, 'Sealed by Meera Nair on Nov 20, 2026: x.');
});

test('a folder without a file has nothing to seal', async ({ services, build, admin }) => {
  const { id } = await build.folder(admin, 'Empty');
  assert.is((await rejects(services.seals.seal(admin, id, { reason: 'x' }), 422)).code, 'nothing_to_seal');
});

test('lists show the seal on the folder and on all below it, and nowhere else', async (world) => {
  const { services, admin } = world;
  const { top, folder, inner, letter } = await auditFile(world);
  const [row] = (await services.documents.folder(admin, top.id)).items;
  assert.equal([row!.seal?.by, row!.seal?.item_id], ['Asha Rao', folder.id]);
  for (const id of [folder.id, inner.id])
    assert.ok(
      (await services.documents.folder(admin, id)).items.every(({ seal }) => seal?.item_id === folder.id),
    );
  assert.is((await services.documents.item(admin, letter.id)).seal?.reason, 'Report signed');
  assert.is((await services.documents.item(admin, top.id)).seal, null);
});

test('every change of a sealed item is refused with a message, and its rows are the same afterwards', async (world) => {
  const { services, build, blobs, db, admin } = world;
  const { top, folder, inner, report, ledger, letter } = await auditFile(world);
  const { documents, trash, clients } = services;
  const other = await build.folder(admin, 'Elsewhere');
  const loose = await build.file(admin, { name: 'loose.pdf', parent_id: other.id });
  const client = await build.client(admin, 'Another');
  const trashed = await build.file(admin, { name: 'trashed.pdf' });
  await documents.remove(admin, [trashed.id]);
  const before = await everyRow(db);
  const sealed = async (call: Promise<unknown>) => {
    const error = await rejects(call, 422);
    assert.is(error.code, 'sealed', error.message);
    assert.match(error.message, SENTENCE);
  };
  const kept = async (call: Promise<{ done: number[]; failed: { message: string; code?: string }[] }>) => {
    const { done, failed } = await call;
    assert.equal(done, []);
    assert.ok(failed.length > 0);
    for (const { code, message } of failed)
      assert.equal([code, /Sealed by Asha Rao/.test(message)], ['sealed', true]);
  };

  for (const { id } of [folder, inner, report, letter]) {
    await sealed(documents.rename(admin, id, { name: 'other.pdf' }));
    await sealed(documents.setClient(admin, id, { client_id: client }));
    await kept(documents.move(admin, { ids: [id], parent_id: other.id }));
    await kept(documents.remove(admin, [id]));
  }
  await kept(documents.setClientOfMany(admin, { ids: [folder.id, letter.id], client_id: client }));
  // What holds it goes nowhere either, nor to another client.
  await kept(documents.remove(admin, [top.id]));
  await kept(documents.move(admin, { ids: [top.id], parent_id: other.id }));
  for (const contents of ['unlinked', 'all', 'none'] as const)
    await kept(documents.setClientOfMany(admin, { ids: [top.id], client_id: client, contents }));
  // Nothing comes in.
  for (const parent_id of [folder.id, inner.id]) {
    await sealed(documents.move(admin, { ids: [loose.id], parent_id }));
    await sealed(documents.createFolder(admin, { name: 'New', parent_id, client_id: null }));
    await sealed(documents.addFolder(admin, { name: 'New', parent_id, client_id: null }));
    await sealed(documents.checkUpload(admin, { parent_id, client_id: null }));
    await sealed(trash.restore(admin, { ids: [trashed.id], parent_id }));
    const blob = await blobs.put(Readable.from([Buffer.from('new')]));
    for (const conflict of ['keep', 'replace'] as const)
      await sealed(
        documents.addFile(admin, { name: ledger.name, parent_id, client_id: null, blob, conflict }),
      );
  }
  await clients.remove(admin, client);
  await clients.forgetDeleted();
  await services.sweeper.drain();
  assert.equal(await everyRow(db), before);
});

test('a sealed file in an unsealed folder is not replaced by an upload, a move or a restore, and other files there can be changed', async (world) => {
  const { services, build, blobs, admin } = world;
  const { documents, seals, trash } = services;
  const folder = await build.folder(admin, 'Returns');
  const filed = await build.file(admin, { name: 'itr.pdf', content: 'as filed', parent_id: folder.id });
  await seals.seal(admin, filed.id, { reason: 'As filed' });
  const from = await build.folder(admin, 'From');
  const other = await build.file(admin, { name: 'ITR.pdf', parent_id: from.id });
  const blob = await blobs.put(Readable.from([Buffer.from('new')]));
  const file = { name: 'itr.pdf', parent_id: folder.id, client_id: null, blob };
  assert.is((await rejects(documents.addFile(admin, { ...file, conflict: 'replace' }), 422)).code, 'sealed');
  const moved = await documents.move(admin, { ids: [other.id], parent_id: folder.id, conflicts: 'replace' });
  assert.equal([moved.done, moved.failed[0]?.code], [[], 'sealed']);
  await documents.remove(admin, [other.id]);
  const back = await trash.restore(admin, { ids: [other.id], parent_id: folder.id, conflicts: 'replace' });
  assert.equal([back.done, back.failed[0]?.code], [[], 'sealed']);
  assert.is((await documents.addFile(admin, { ...file, conflict: 'keep' })).name, 'itr (2).pdf');
  const [view] = await documents.views(admin, [filed.id]);
  assert.equal([view!.name, view!.seal?.reason], ['itr.pdf', 'As filed']);
  assert.is((await documents.rename(admin, folder.id, { name: 'Returns 2026' })).name, 'Returns 2026');
});

test('of several items the unsealed ones are changed and the sealed ones reported, so that one seal does not stop all filing', async (world) => {
  const { services, build, admin } = world;
  const { report, top } = await auditFile(world);
  const free = await build.file(admin, { name: 'free.pdf' });
  const { done, failed } = await services.documents.remove(admin, [report.id, free.id, top.id]);
  assert.equal(
    [done, failed.map(({ id }) => id).toSorted((a, b) => a - b)],
    [[free.id], [top.id, report.id]],
  );
});

test('an item deleted before its folder was sealed is not restored into it, but may be restored elsewhere or deleted for ever', async (world) => {
  const { services, build, admin } = world;
  const { documents, seals, trash } = services;
  const folder = await build.folder(admin, 'Books');
  const inner = await build.folder(admin, 'Vouchers', folder.id);
  const [a, b, c] = [
    await build.file(admin, { name: 'a.pdf', parent_id: folder.id }),
    await build.file(admin, { name: 'b.pdf', parent_id: inner.id }),
    await build.file(admin, { name: 'c.pdf', parent_id: folder.id }),
  ];
  await build.file(admin, { name: 'd.pdf', parent_id: folder.id });
  await documents.remove(admin, [a.id]);
  await documents.remove(admin, [b.id]);
  await documents.remove(admin, [inner.id]);
  await documents.remove(admin, [c.id]);
  await seals.seal(admin, folder.id, { reason: 'Closed' });
  const back = await trash.restore(admin, { ids: [a.id, b.id, inner.id] });
  assert.equal([back.done, back.failed.map(({ code }) => code)], [[], ['sealed', 'sealed', 'sealed']]);
  assert.equal((await trash.restore(admin, { ids: [a.id], parent_id: null })).done, [a.id]);
  assert.equal((await trash.remove(admin, [c.id, b.id])).done.length, 2);
  await services.sweeper.drain();
  assert.is((await seals.state(admin, folder.id, { check: true })).intact, true);
});

test('only an admin breaks a seal, with the own password and a reason, and the history says so', async (world) => {
  const { services, admin, manager } = world;
  const { seals, documents, audit } = services;
  const { folder, report, seal } = await auditFile(world);
  const why = { reason: 'Reopened by the partner' };
  await rejects(seals.break(manager, folder.id, { ...why, current_password: PASSWORD }), 403);
  const wrong = await rejects(seals.break(admin, folder.id, { ...why, current_password: 'guess' }), 422);
  assert.equal(Object.keys(wrong.errors ?? {}), ['current_password']);
  const elsewhere = await rejects(seals.break(admin, report.id, { ...why, current_password: PASSWORD }), 409);
  assert.match(elsewhere.message, '"Audit 2025-26"');
  assert.is((await documents.item(admin, report.id)).seal?.id, seal.id);

  const after = await seals.break(admin, folder.id, { ...why, current_password: PASSWORD });
  assert.equal(
    [after.seal, after.broken[0]?.broken_by, after.broken[0]?.break_reason],
    [null, 'Asha Rao', why.reason],
  );
  assert.is((await documents.rename(admin, report.id, { name: 'report 2.pdf' })).name, 'report 2.pdf');
  const { data } = await audit.list(admin, { item: folder.id, limit: 10 });
  const [broke] = data.filter(({ did }) => did === 'document.break_seal');
  assert.equal(
    [broke?.what, broke?.who, broke?.detail['reason']],
    ['Broke the seal', 'Asha Rao', why.reason],
  );
  assert.is((await seals.seal(admin, folder.id, { reason: 'Again' })).broken.length, 1);
});

test('breaking the outer of two nested seals leaves the inner one, and breaking the inner one leaves its files under the outer one', async (world) => {
  const { services, build, admin } = world;
  const { seals, documents } = services;
  const outer = await build.folder(admin, 'Year');
  const inner = await build.folder(admin, 'Audit', outer.id);
  const file = await build.file(admin, { name: 'x.pdf', parent_id: inner.id });
  await build.file(admin, { name: 'y.pdf', parent_id: outer.id });
  await seals.seal(admin, inner.id, { reason: 'inner' });
  await seals.seal(admin, outer.id, { reason: 'outer' });
  const over = async () => (await documents.item(admin, file.id)).seal?.reason ?? null;
  const broken = { reason: 'r', current_password: PASSWORD };
  assert.is(await over(), 'inner');
  await seals.break(admin, inner.id, broken);
  assert.is(await over(), 'outer');
  await rejects(documents.rename(admin, file.id, { name: 'z.pdf' }), 422);
  await seals.break(admin, outer.id, broken);
  assert.is(await over(), null);
  await seals.seal(admin, inner.id, { reason: 'inner' });
  await seals.seal(admin, outer.id, { reason: 'outer' });
  await seals.break(admin, outer.id, broken);
  assert.is(await over(), 'inner');
});

test('a client is not deleted while anything of it is sealed, and the refusal names it', async (world) => {
  const { services, build, admin } = world;
  const client = await build.client(admin, 'Mehta Traders');
  const folder = await build.folder(admin, 'Mehta');
  await services.documents.setClient(admin, folder.id, { client_id: client });
  const inner = await build.folder(admin, 'Audit file', folder.id);
  await build.file(admin, { name: 'a.pdf', parent_id: inner.id });
  await services.seals.seal(admin, inner.id, { reason: 'Signed' });
  const error = await rejects(services.clients.remove(admin, client), 409);
  assert.is(error.code, 'sealed');
  assert.match(error.message, '"Audit file" (by Asha Rao)');
  await services.seals.break(admin, inner.id, { reason: 'r', current_password: PASSWORD });
  assert.ok(await services.clients.remove(admin, client));
  await services.clients.forgetDeleted();
});

test('before sealing, a client that is being deleted is unlinked, or the seal would keep the deletion from ever ending', async (world) => {
  const { services, build, admin, db } = world;
  const client = await build.client(admin, 'Leaving');
  const folder = await build.folder(admin, 'Leaving');
  await services.documents.setClient(admin, folder.id, { client_id: client });
  const file = await build.file(admin, { name: 'a.pdf', parent_id: folder.id });
  await services.clients.remove(admin, client);
  await services.seals.seal(admin, folder.id, { reason: 'x' });
  await services.clients.forgetDeleted();
  assert.is(await db('clients').where({ id: client }).first(), undefined);
  assert.is((await db('item_rows').where({ id: file.id }).first()).client_id, null);
});

test('a template makes no folder in a sealed one, says so, and goes on with the rest', async (world) => {
  const { services, build, admin } = world;
  const client = await build.client(admin, 'Template Ltd');
  const tree = [
    { name: 'Audit', folders: [{ name: 'Papers', folders: [] }] },
    { name: 'Tax', folders: [] },
  ];
  const own = await build.folder(admin, 'Template Ltd');
  await services.documents.setClient(admin, own.id, { client_id: client });
  const audit = await build.folder(admin, 'Audit', own.id);
  await build.file(admin, { name: 'a.pdf', parent_id: audit.id });
  await services.seals.seal(admin, audit.id, { reason: 'x' });
  const done = await services.documents.mergeFolders(
    admin,
    { id: client, name: 'Template Ltd' },
    tree,
    async () => {},
  );
  assert.equal([done.created, done.taken], [1, 1]);
  assert.equal(
    done.folders.map(({ name, state }) => [name, state]),
    [
      ['Template Ltd', 'there'],
      ['Audit', 'there'],
      ['Papers', 'sealed'],
      ['Tax', 'new'],
    ],
  );
});

test('the database refuses changes of sealed items even if a service forgets to check, whatever the statement', async (world) => {
  const { db, admin, build } = world;
  const { folder, inner, letter, report, seal, top } = await auditFile(world);
  const loose = await build.file(admin, { name: `loose ${made}.pdf` });
  const before = await everyRow(db);
  const row = (id: number) => db('item_rows').where({ id });
  const attempts: [string, () => PromiseLike<unknown>][] = [
    ['rename', () => row(letter.id).update({ name: 'x' })],
    ['take out', () => row(report.id).update({ parent_id: top.id })],
    ['put in', () => row(loose.id).update({ parent_id: inner.id })],
    ['other bytes', () => row(letter.id).update({ blob_id: 'other' })],
    ['other client', () => row(report.id).update({ client_id: 1 })],
    ['delete', () => row(letter.id).delete()],
    ['hide', () => db('hidden_items').insert({ item_id: letter.id })],
    ['to trash', () => db('hidden_items').insert({ item_id: folder.id, trash: top.id })],
    [
      'client of the folder above',
      async () => row(top.id).update({ client_id: await build.client(admin, 'New') }),
    ],
    ['take the seal off', () => row(folder.id).update({ sealed: null })],
    ['forget the seal', () => db('seals').where({ id: seal.id }).delete()],
    ['another reason', () => db('seals').where({ id: seal.id }).update({ reason: 'other' })],
    [
      'add',
      () =>
        db('item_rows').insert({
          firm_id: admin.firmId,
          parent_id: inner.id,
          type: 'file',
          name: 'n',
          name_key: 'n',
          sort_key: 'n',
          owner_id: admin.userId,
          created_at: 'x',
          modified_at: 'x',
        }),
    ],
  ];
  for (const [what, attempt] of attempts) {
    const error: unknown = await Promise.resolve(attempt()).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    assert.match(String(error), 'sealed', what);
  }
  assert.equal(await everyRow(db), before);
  assert.is((await filesOf(db, folder.id)).length, 3);
});

test.run();
