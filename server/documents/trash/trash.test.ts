import * as assert from 'uvu/assert';
import { searchIndex } from '#server/search/index.ts';
import { rejects } from '../../testing/rejects.ts';
import { repeatOnce } from '../../testing/repeat-once.ts';
import { freshWorld } from '../../testing/world.ts';
import type { Office } from './testing/office.ts';
import { inFolder, inTrash, names, restore, trashSuite } from './testing/office.ts';

const test = trashSuite('trash');

test('Trash lists what each item was, where it was, who deleted it and when, and when it will be deleted for ever', async (office) => {
  const { services, actor, low, client } = office;
  await services.documents.remove(actor, [low.id]);
  const { items, total, bytes, days } = await services.trash.list(actor);
  assert.is(items.length, 1);
  const [one] = items;
  assert.equal(
    [one!.name, one!.type, one!.path, one!.files, one!.bytes, one!.formatted_bytes, one!.client_id],
    ['low', 'folder', 'Returns', 1, 2, '2 B', client],
  );
  assert.equal([one!.deleted_by, one!.deleted_by_name], [actor.userId, 'Asha Rao']);
  assert.is(one!.deleted_at, '2026-11-20T10:00:00.000Z');
  assert.is(one!.purge_at, '2026-12-20T10:00:00.000Z');
  assert.equal([total, bytes, days], [1, 2, 30]);
});

test('a folder comes back whole: its files, clients, place, recents, and what is found in it', async (office) => {
  const { services, actor, top, a, b, client } = office;
  const { documents, search } = services;
  const before = {
    recent: names(await documents.recent(actor, 50)),
    files: (await documents.files(actor, {})).items,
    found: names((await search.find(actor, 'b.pdf')).items),
    tied: await services.clients.tied(actor, client),
    stats: await services.dashboard.stats(actor),
  };
  await documents.remove(actor, [top.id]);
  await rejects(documents.openFile(actor, a.id), 404);
  assert.equal(names((await search.find(actor, 'b.pdf')).items), []);
  assert.equal(await restore(office, [top.id]), {
    done: [top.id],
    failed: [],
    restored: [{ id: top.id, name: 'Returns', parent_id: null }],
    remade: [],
    taken: [],
  });
  assert.equal(
    {
      recent: names(await documents.recent(actor, 50)),
      files: (await documents.files(actor, {})).items,
      found: names((await search.find(actor, 'b.pdf')).items),
      tied: await services.clients.tied(actor, client),
      stats: await services.dashboard.stats(actor),
    },
    before,
  );
  assert.is((await documents.item(actor, b.id)).path, 'Returns / low');
  assert.equal(await inTrash(office), []);
  assert.equal(await services.records.recount(), []);
});

test('Trash counts towards the quota and in no other total, and shows how much storage it takes', async (office) => {
  const { services, actor, top } = office;
  const { dashboard, documents } = services;
  await documents.remove(actor, [top.id]);
  const stats = await dashboard.stats(actor);
  assert.equal(
    [stats.total_files, stats.used_bytes, stats.trash_bytes, stats.trash_formatted],
    [0, 3, 3, '3 B'],
  );
  assert.equal(await dashboard.storageBreakdown(actor), []);
  assert.is(await services.records.used(actor.firmId), 3);
});

test('a deletion that the database rolls back and repeats is reported once', async ({
  services,
  db,
  actor,
  a,
  b,
}) => {
  await services.documents.remove(actor, [a.id]);
  await services.documents.remove(actor, [b.id]);
  const chosen = await repeatOnce(db, 'trash', 'DELETE');
  const { done, failed } = await services.trash.remove(actor, [a.id, 999]);
  assert.is(await chosen(), 1);
  assert.equal([done, failed.map(({ id }) => id)], [[a.id], [999]]);
  const all = await repeatOnce(db, 'trash', 'DELETE');
  assert.equal(await services.trash.empty(actor), { deleted: 1, kept: 0 });
  assert.is(await all(), 1);
});

test('a folder is restored without a file that was deleted from it before, and the file can be restored into it later', async (office) => {
  const { services, actor, top, a } = office;
  await services.documents.remove(actor, [a.id]);
  await services.documents.remove(actor, [top.id]);
  assert.equal(await inTrash(office), ['Returns', 'a.pdf']);
  await restore(office, [top.id]);
  assert.equal(await inFolder(office, top.id), ['low']);
  await restore(office, [a.id]);
  assert.equal(await inFolder(office, top.id), ['low', 'a.pdf']);
});

test('a folder and an item deleted from it before are restored together to their places, in whatever order they are listed', async (office) => {
  const { services, actor, top, low, b } = office;
  await services.documents.remove(actor, [b.id]);
  await services.documents.remove(actor, [low.id]);
  await services.documents.remove(actor, [top.id]);
  const { restored } = await restore(office, [b.id, top.id, low.id]);
  assert.equal(new Map(restored.map(({ id, parent_id }) => [id, parent_id])).get(b.id), low.id);
  assert.equal(await inFolder(office, top.id), ['low', 'a.pdf']);
  assert.equal(await inFolder(office, low.id), ['b.pdf']);
  assert.equal(await inFolder(office, null), ['Returns']);
});

test('restoring an item creates its parent folders again, with their clients, if they are in Trash or deleted for ever', async (office) => {
  const { services, actor, top, b, client } = office;
  const { documents, trash } = services;
  await documents.remove(actor, [b.id]);
  await documents.remove(actor, [top.id]);
  const { remade } = await restore(office, [b.id]);
  assert.equal(remade, ['Returns', 'low'], 'the user is told of it');
  const back = await documents.item(actor, b.id);
  assert.is(back.path, 'Returns / low');
  assert.is.not(back.parent_id, b.parent_id);
  const again = (await documents.folder(actor, null)).items[0]!;
  assert.equal([again.name, again.client_id], ['Returns', client]);
  await documents.remove(actor, [again.id]);
  await trash.remove(actor, [top.id]);
  await services.sweeper.drain();
  await restore(office, [again.id]);
  assert.is((await documents.item(actor, b.id)).path, 'Returns / low');
});

test('a file keeps the client that it had by its folder, when that folder is gone for ever', async (office) => {
  const { services, actor, top, a, client, db } = office;
  const { documents, trash } = services;
  await db('item_rows').where({ id: a.id }).update({ client_id: null });
  await documents.remove(actor, [a.id]);
  await documents.remove(actor, [top.id]);
  await trash.remove(actor, [top.id]);
  await services.sweeper.drain();
  assert.is((await trash.list(actor)).items[0]!.client_id, client);
  // The folder that would be made again is there, and is nobody's.
  const other = await build(office, 'Returns');
  await restore(office, [a.id]);
  assert.equal(await inFolder(office, other.id), ['a.pdf']);
  assert.is((await documents.item(actor, a.id)).client_id, client);
});

const build = ({ build: make, actor }: Office, name: string) => make.folder(actor, name);

test('an item is restored to where its former folder is now, if that was moved or renamed', async (office) => {
  const { services, actor, low, b } = office;
  await services.documents.remove(actor, [b.id]);
  const home = await build(office, 'Elsewhere');
  await services.documents.move(actor, { ids: [low.id], parent_id: home.id });
  await services.documents.rename(actor, low.id, { name: 'renamed' });
  await restore(office, [b.id]);
  assert.is((await services.documents.item(actor, b.id)).path, 'Elsewhere / renamed');
});

test('an item restored to another folder gets the client of that folder, as with a move', async (office) => {
  const { services, actor, a, build: make } = office;
  const other = await make.client(actor, 'Iyer');
  const folder = await build(office, 'Iyer');
  await services.documents.setClient(actor, folder.id, { client_id: other });
  await services.documents.remove(actor, [a.id]);
  await restore(office, [a.id], { parent_id: folder.id });
  const item = await services.documents.item(actor, a.id);
  assert.equal([item.path, item.client_id], ['Iyer', other]);
  await services.documents.remove(actor, [a.id]);
  await restore(office, [a.id], { parent_id: null });
  assert.equal((await services.documents.item(actor, a.id)).path, '');
  await services.documents.remove(actor, [a.id, folder.id]);
  await rejects(restore(office, [a.id], { parent_id: folder.id }), 422);
});

test('a client that is deleted meanwhile is taken off what lies in Trash', async (office) => {
  const { services, actor, top, client } = office;
  await services.documents.remove(actor, [top.id]);
  await services.clients.remove(actor, client);
  assert.is((await services.trash.list(actor)).items[0]!.client_id, null);
  assert.equal(names((await services.trash.list(actor, { client_id: 'none' })).items), ['Returns']);
  await services.clients.forgetDeleted(new AbortController().signal);
  await restore(office, [top.id]);
  assert.is((await services.documents.item(actor, top.id)).client_id, null);
  assert.equal(await services.records.recount(), []);
});

test('an item deleted together with a folder above it is restored with that folder', async (office) => {
  const { services, actor, top, a, b } = office;
  const { done } = await services.documents.remove(actor, [a.id, top.id, b.id]);
  assert.is(done.length, 3);
  assert.equal(await inTrash(office), ['Returns']);
  const back = await restore(office, [a.id, top.id, b.id]);
  assert.equal([back.done, back.failed], [[top.id, a.id, b.id], []], 'so an undo may report what is gone');
  assert.equal(await inFolder(office, top.id), ['low', 'a.pdf']);
});

test('Trash is listed by time, name and size, page by page, and searched by name, client and user', async (office) => {
  const { services, actor, client, build: make } = office;
  const { trash, documents } = services;
  const { actor: ravi } = await make.colleague(actor);
  for (const [index, name] of ['note 10.txt', 'note 2.txt', 'Form 16.pdf'].entries()) {
    const { id } = await make.file(actor, {
      name,
      content: 'x'.repeat(index + 1),
      client_id: index === 1 ? client : null,
    });
    await documents.remove(index === 2 ? ravi : actor, [id]);
  }
  const listed = async (query: Parameters<typeof trash.list>[1]) => {
    const all: string[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await trash.list(actor, { ...query, limit: 1, ...(cursor && { cursor }) });
      all.push(...names(page.items));
      if (page.next_cursor === null) return all;
      cursor = page.next_cursor;
    }
  };
  assert.equal(await listed({}), ['Form 16.pdf', 'note 2.txt', 'note 10.txt']);
  assert.equal(await listed({ direction: 'asc' }), ['note 10.txt', 'note 2.txt', 'Form 16.pdf']);
  assert.equal(await listed({ sort: 'name' }), ['Form 16.pdf', 'note 2.txt', 'note 10.txt']);
  assert.equal(await listed({ sort: 'size' }), ['Form 16.pdf', 'note 2.txt', 'note 10.txt']);
  assert.equal(await listed({ search: '16 FORM' }), ['Form 16.pdf']);
  assert.equal(await listed({ client_id: client }), ['note 2.txt']);
  assert.equal(await listed({ client_id: 'none' }), ['Form 16.pdf', 'note 10.txt']);
  assert.equal(await listed({ user_id: ravi.userId }), ['Form 16.pdf']);
  assert.is((await trash.list(actor, { search: 'note' })).total, 2);
  await rejects(trash.list(actor, { cursor: 'nonsense' }), 422);
});

test('a search in Trash finds items inside a deleted folder, and names the folder with which they are restored', async (office) => {
  const { services, actor, top, b, build: make } = office;
  const { trash, documents } = services;
  await documents.remove(actor, [b.id]);
  const found = async (search: string) =>
    (await trash.list(actor, { search })).items.map(({ name, inside }) => [name, inside]);
  const low = (await documents.folder(actor, top.id)).items.find(({ type }) => type === 'folder')!;
  await make.file(actor, { name: 'Form 16 Rao.pdf', parent_id: low.id });
  await make.file(actor, { name: 'Form 16 Iyer.pdf', parent_id: top.id });
  await make.file(actor, { name: 'Form 16 still there.pdf' });
  await documents.remove(actor, [top.id]);
  assert.equal(await found('form 16'), [['Returns', { name: 'Form 16 Iyer.pdf', path: '', count: 2 }]]);
  assert.equal(await found('rao'), [['Returns', { name: 'Form 16 Rao.pdf', path: 'low', count: 1 }]]);
  assert.equal(await found('returns'), [['Returns', null]]);
  assert.equal(await found('b.pdf'), [['b.pdf', null]], 'what was deleted before is no part of it');
  assert.is((await trash.list(actor, { search: 'form 16' })).total, 1);
  assert.equal(await found('still there'), []);
  const stranger = await make.actor();
  assert.equal((await trash.list(stranger, { search: 'rao' })).items, []);
  await restore(office, [top.id]);
  assert.equal(await inFolder(office, low.id), ['Form 16 Rao.pdf']);
});

test('a search finds what lies in a deleted folder behind any number of newer documents with the same word', async (office) => {
  const { services, actor, top, db, build: make } = office;
  await make.file(actor, { name: 'Form 16 Rao.pdf', parent_id: top.id });
  await services.documents.remove(actor, [top.id]);
  for (let index = 0; index < 5; index += 1) await make.file(actor, { name: `Form 16 of ${index}.pdf` });
  const found = await searchIndex.inTrash(db, actor.firmId, 'form 16', 3);
  assert.equal(names(found), ['Form 16 Rao.pdf']);
});

test('the history says what was moved to Trash, restored, and deleted forever', async (office) => {
  const { services, actor, top, a, b } = office;
  await services.documents.remove(actor, [a.id]);
  await restore(office, [a.id]);
  await services.documents.remove(actor, [top.id]);
  await services.trash.remove(actor, [top.id]);
  await rejects(services.documents.item(actor, b.id), 404);
  const { data } = await services.audit.list(actor, { limit: 4 });
  assert.equal(
    data.map(({ what, about }) => [what, about]),
    [
      ['Deleted forever', 'Returns'],
      ['Moved to Trash', 'Returns'],
      ['Restored from Trash', 'a.pdf'],
      ['Moved to Trash', 'a.pdf'],
    ],
  );
});

test('without Trash, items are deleted for ever at once', async () => {
  const world = await freshWorld({ trashDays: 0 });
  const actor = await world.build.actor();
  const { id } = await world.build.file(actor);
  await world.services.documents.remove(actor, [id]);
  assert.equal((await world.services.trash.list(actor)).items, []);
  assert.is(await world.services.records.used(actor.firmId), 0);
  assert.is(await world.services.sweeper.drain(), 1);
  assert.is((await world.services.audit.list(actor, { limit: 1 })).data[0]!.what, 'Deleted');
  await world.close();
});

test.run();
