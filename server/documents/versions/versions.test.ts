import { buffer } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { rejects } from '../../testing/rejects.ts';
import type { World } from '../../testing/world.ts';
import { freshWorld } from '../../testing/world.ts';
import { findTotalsFaults } from '../../tools/totals.ts';
import { textsOf } from './testing/texts.ts';

interface Office extends World {
  actor: Actor;
  /** Uploads this text over `return.txt`. */
  put: (content: string, actor?: Actor) => Promise<number>;
  /** What the file holds now and held before, the newest first. */
  texts: (id: number) => Promise<string[]>;
}

const test = suite<Office>('versions');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld());
  const { build } = office;
  office.actor = await build.actor();
  office.put = async (content, actor = office.actor) =>
    (await build.file(actor, { name: 'return.txt', content, conflict: 'replace' })).id;
  office.texts = (item) => textsOf(office, office.actor, item);
});
test.after.each(async (office) => {
  assert.equal(await findTotalsFaults(office.db), []);
  await office.close();
});

const stored = async ({ blobs }: World) => (await Array.fromAsync(blobs.list())).length;
const used = ({ services, actor }: Office) => services.records.used(actor.firmId);
const earlierOf = async ({ services, actor }: Office, id: number) =>
  (await services.versions.list(actor, id)).earlier;

test('a replaced file stays the same item in its place, and its old content becomes an earlier version', async (office) => {
  const { services, build, actor, put, advance } = office;
  const ravi = await build.colleague(actor);
  const client_id = await build.client(actor);
  const id = await put('first');
  await services.documents.setClient(actor, id, { client_id });
  advance(60_000);
  assert.is(await put('the second', ravi.actor), id);
  const item = await services.documents.item(actor, id);
  assert.equal(
    [item.name, item.client_id, item.owner_id, item.file_size, item.modified_at],
    ['return.txt', client_id, actor.userId, 10, '2026-11-20T10:01:00.000Z'],
  );
  assert.equal(await office.texts(id), ['the second', 'first']);
  const { current, earlier, bytes } = await services.versions.list(actor, id);
  assert.equal([current.user_name, current.file_size, current.id], ['Ravi Kumar', 10, null]);
  assert.equal(
    [earlier[0]?.user_name, earlier[0]?.created_at, earlier[0]?.replaced_at, earlier[0]?.file_size],
    ['Asha Rao', '2026-11-20T10:00:00.000Z', '2026-11-20T10:01:00.000Z', 5],
  );
  assert.not.equal(current.sha256, earlier[0]?.sha256);
  assert.is(bytes, 5);
  assert.is(await used(office), 15);
  const stats = await services.dashboard.stats(actor);
  assert.equal([stats.total_files, stats.versions_bytes, stats.used_bytes], [1, 5, 15]);
  const [last] = (await services.audit.list(actor, { limit: 1 })).data;
  assert.equal([last!.what, last!.about, last!.who], ['Uploaded a new version', 'return.txt', 'Ravi Kumar']);
});

test('the same content once more is no version, and its bytes are not kept twice', async (office) => {
  const id = await office.put('first');
  await office.put('first');
  assert.equal(await office.texts(id), ['first']);
  assert.is(await used(office), 5);
  await office.services.sweeper.drain();
  assert.is(await stored(office), 1);
});

test('two users who replace a file at once both leave a version, so that nothing is lost', async (office) => {
  const id = await office.put('0');
  const all = Array.from({ length: 8 }, (_, n) => `text ${n}`);
  assert.equal(new Set(await Promise.all(all.map((text) => office.put(text)))), new Set([id]));
  assert.equal((await office.texts(id)).toSorted(), ['0', ...all]);
});

test('a download that has begun ends whole though the file is replaced and the version deleted meanwhile', async (office) => {
  const { services, blobs, actor, put } = office;
  const content = 'x'.repeat(300_000);
  const id = await put(content);
  const reading = await blobs.get((await services.documents.openFile(actor, id)).blob_id);
  await put('second');
  const [version] = await earlierOf(office, id);
  await services.versions.remove(actor, { item: id, version: version!.id! });
  assert.is(String(await buffer(reading)), content);
});

test('restoring makes a new version of the content, takes no room, and leaves the version where it was', async (office) => {
  const { services, actor, put, advance } = office;
  const id = await put('first');
  advance(60_000);
  await put('the second');
  const [first] = await earlierOf(office, id);
  advance(60_000);
  const before = await used(office);
  const list = await services.versions.restore(actor, { item: id, version: first!.id! });
  assert.equal(await office.texts(id), ['first', 'the second', 'first']);
  assert.is(list.current.restored_from, '2026-11-20T10:00:00.000Z');
  assert.is(list.current.sha256, first!.sha256);
  assert.is(await used(office), before, 'content that is there twice is stored and counted once');
  assert.equal(await findTotalsFaults(office.db), []);

  const again = { item: id, version: first!.id! };
  assert.is((await rejects(services.versions.restore(actor, again), 409)).code, 'same_content');
  // Now the restored content is an earlier one too.
  await put('third');
  assert.equal(await office.texts(id), ['third', 'first', 'the second', 'first']);
  assert.is(await used(office), before + 5);
  await services.versions.remove(actor, again);
  assert.is(await used(office), before + 5, 'the other version needs the content still');
  await services.sweeper.drain();
  assert.equal(await office.texts(id), ['third', 'first', 'the second']);
  const [restored] = await earlierOf(office, id);
  await services.versions.remove(actor, { item: id, version: restored!.id! });
  await services.sweeper.drain();
  assert.equal([await used(office), await stored(office)], [before, 2]);
});

test('a version whose stored content is damaged is not restored, and the file stays as it is', async (office) => {
  const { services, blobs, actor, put, db } = office;
  const id = await put('first');
  await put('second');
  const [first] = await earlierOf(office, id);
  await blobs.delete((await db('versions').first('blob_id')).blob_id);
  const error = await rejects(services.versions.restore(actor, { item: id, version: first!.id! }), 409);
  assert.is(error.code, 'damaged');
  assert.match(error.message, 'The file stays as it is');
  assert.is((await office.services.documents.item(actor, id)).file_size, 6);
});

test('versions count towards the quota, which says so, and replacing stops where it is full', async (office) => {
  const { services, actor, build } = office;
  const limit = (await services.subscription.limitsOf(actor)).bytes;
  const put = (size: number) =>
    services.documents.addFile(actor, {
      name: 'large.txt',
      parent_id: null,
      client_id: null,
      conflict: 'replace',
      blob: { id: `${size}`, size, sha256: `${size}`, crc32: 0 },
    });
  const { id } = await put(limit / 2);
  await put(limit / 2 - 1);
  const error = await rejects(put(2), 422);
  assert.is(error.code, 'quota_exceeded');
  assert.match(error.message, '512 MB of it is in earlier versions');
  await build.file(actor, { content: '1' });
  const [old] = await earlierOf(office, id);
  const back = { item: id, version: old!.id! };
  await office.db('versions').update({ sha256: 'damaged' });
  assert.is((await rejects(services.versions.restore(actor, back), 409)).code, 'damaged');
  await services.versions.remove(actor, back);
  await put(2);
});

test('in Trash a file keeps its versions, which nobody sees there, and comes back with them', async (office) => {
  const { services, actor, put } = office;
  const id = await put('first');
  await put('the second');
  const [first] = await earlierOf(office, id);
  const before = await used(office);
  await services.documents.remove(actor, [id]);
  await rejects(services.versions.list(actor, id), 404);
  await rejects(services.versions.restore(actor, { item: id, version: first!.id! }), 404);
  assert.is(await used(office), before);
  assert.is((await services.dashboard.stats(actor)).versions_bytes, 5);
  await services.trash.restore(actor, { ids: [id] });
  assert.equal(await office.texts(id), ['the second', 'first']);
});

for (const how of ['Trash', 'no Trash'])
  test(`deleted forever, from ${how}, a file takes its versions along, and their room is free at once`, async (office) => {
    if (how === 'no Trash') {
      await office.close();
      Object.assign(office, await freshWorld({ trashDays: 0 }));
      office.actor = await office.build.actor();
    }
    const { services, actor, build, db } = office;
    const folder = await build.folder(actor);
    for (const content of ['first', 'second', 'third'])
      await build.file(actor, { name: 'a.txt', parent_id: folder.id, content, conflict: 'replace' });
    await services.documents.remove(actor, [folder.id]);
    if (how === 'Trash') await services.trash.remove(actor, [folder.id]);
    assert.is(await used(office), 0);
    assert.equal(await findTotalsFaults(db), []);
    await services.sweeper.drain();
    assert.is(await stored(office), 0);
    assert.equal(await db('versions'), []);
    assert.equal(await db('present_contents'), []);
  });

test('a version, or the present content, can be marked to be kept forever with a comment, and unmarked again', async (office) => {
  const { services, actor, put } = office;
  const id = await put('first');
  await services.versions.keep(actor, { item: id, version: null }, 'as filed');
  await put('second');
  const { earlier, current } = await services.versions.list(actor, id);
  assert.equal([current.kept_as, earlier[0]?.kept_as], [null, 'as filed']);
  const first = { item: id, version: earlier[0]!.id! };
  await services.versions.keep(actor, first, null);
  assert.is((await earlierOf(office, id))[0]?.kept_as, null);
  const told = (await services.audit.list(actor, { limit: 3 })).data.map(({ what }) => what);
  assert.equal(told, [
    'No longer keeps a version forever',
    'Uploaded a new version',
    'Kept a version forever',
  ]);
});

test('who only reads sees the versions and changes none, and of another firm nobody sees any', async (office) => {
  const { services, build, actor, put } = office;
  const id = await put('first');
  await put('second');
  const [first] = await earlierOf(office, id);
  const ref = { item: id, version: first!.id! };
  const reader = build.limited(actor);
  const writer = build.limited(actor, ['documents.read', 'documents.write']);
  assert.is((await services.versions.list(reader, id)).earlier.length, 1);
  await rejects(services.versions.restore(reader, ref), 403);
  await rejects(services.versions.keep(reader, ref, 'mine'), 403);
  await rejects(services.versions.remove(writer, ref), 403);
  await rejects(services.versions.downloadUrl(reader, ref), 403);
  const stranger = await build.actor();
  await rejects(services.versions.list(stranger, id), 404);
  await rejects(services.versions.restore(stranger, ref), 404);
  const other = await build.file(stranger, { name: 'theirs.txt' });
  await rejects(services.versions.remove(stranger, { item: other.id, version: first!.id! }), 404);
  assert.equal(await office.texts(id), ['second', 'first']);
});

test('a file that is moved over another one sets that aside as before, for each has versions of its own', async (office) => {
  const { services, build, actor, put } = office;
  const id = await put('first');
  await put('second');
  const folder = await build.folder(actor);
  const there = await build.file(actor, { name: 'return.txt', parent_id: folder.id, content: 'there' });
  await services.documents.move(actor, { ids: [id], parent_id: folder.id, conflicts: 'replace' });
  assert.equal(await office.texts(id), ['second', 'first']);
  assert.is((await services.documents.item(actor, there.id)).name, 'return (replaced 2026-11-20 15.30).txt');
});

test('versions of a sealed file are not replaced, restored or deleted, not even once their days have passed', async (office) => {
  const { services, actor, put } = office;
  const id = await put('first');
  await put('second');
  const [first] = await earlierOf(office, id);
  const ref = { item: id, version: first!.id! };
  await services.seals.seal(actor, id, { reason: 'Filed' });
  for (const change of [
    () => put('third'),
    () => services.versions.restore(actor, ref),
    () => services.versions.remove(actor, ref),
  ])
    assert.is((await rejects(change(), 422)).code, 'sealed');
  assert.equal(await office.texts(id), ['second', 'first']);
  await services.versions.keep(actor, ref, 'as filed');
});

test('a version keeps the name that the file had, and the file its own when that version is restored', async (office) => {
  const { services, actor, put } = office;
  const id = await put('first');
  await put('second');
  await services.documents.rename(actor, id, { name: 'final.csv' });
  const [first] = await earlierOf(office, id);
  assert.equal([first?.name, first?.file_type], ['return.txt', 'txt']);
  await services.versions.restore(actor, { item: id, version: first!.id! });
  assert.is((await services.documents.item(actor, id)).name, 'final.csv');
});

test('what a process of the last release replaces does not leave its name to what follows, since that process knows no such names', async (office) => {
  const { db, services, actor, put } = office;
  const id = await put('first');
  await db('present_contents').insert({ item_id: id, user_id: actor.userId, uploaded_as: 'scan.txt' });
  await db('item_rows').where({ id }).update({ blob_id: 'another', modified_at: new Date().toISOString() });
  const present = { item_id: id, user_id: actor.userId, restored_from: null, kept_as: null };
  await db('present_contents').insert(present).onConflict('item_id').merge();
  assert.is((await services.versions.list(actor, id)).current.uploaded_as, null);
});

test.run();
