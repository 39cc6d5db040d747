import { Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { rejects } from '../../testing/rejects.ts';
import type { World } from '../../testing/world.ts';
import { freshWorld } from '../../testing/world.ts';
import { findTotalsFaults } from '../../tools/totals.ts';
import { textsOf } from '../versions/testing/texts.ts';

interface Office extends World {
  actor: Actor;
  /** Uploads a new version of a file. */
  put: (id: number, content: string, name?: string, actor?: Actor) => Promise<number>;
  /** What the file holds now and held before, the newest first. */
  texts: (id: number) => Promise<string[]>;
}

const test = suite<Office>('a new version of a file, by its id');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld());
  const { build, services, blobs } = office;
  office.actor = await build.actor();
  office.put = async (version_of, content, name = 'ITR final v2.pdf', actor = office.actor) => {
    const blob = await blobs.put(Readable.from([Buffer.from(content)]));
    const file = { name, parent_id: null, client_id: null, blob, version_of };
    return (await services.documents.addFile(actor, file)).id;
  };
  office.texts = (item) => textsOf(office, office.actor, item);
});
test.after.each(async (office) => {
  assert.equal(await findTotalsFaults(office.db), []);
  await office.close();
});

const files = async ({ services, actor }: Office) =>
  (await services.documents.folder(actor, null)).items.map(({ name }) => name);

test('a file of another name becomes the content of the file that was meant, which keeps its name, place and client, also renamed and moved since', async (office) => {
  const { services, build, actor, put } = office;
  const client_id = await build.client(actor);
  const folder = await build.folder(actor, 'Returns');
  const { id } = await build.file(actor, { name: 'ITR.pdf', content: 'first', client_id });
  await services.documents.rename(actor, id, { name: 'ITR 2025.pdf' });
  await services.documents.move(actor, { ids: [id], parent_id: folder.id });
  assert.is(await put(id, 'the second'), id);
  const item = await services.documents.item(actor, id);
  assert.equal(
    [item.name, item.parent_id, item.client_id, item.file_size],
    ['ITR 2025.pdf', folder.id, client_id, 10],
  );
  assert.equal(await office.texts(id), ['the second', 'first']);
  assert.equal(await files(office), ['Returns']);
  const [last] = (await services.audit.list(actor, { limit: 1 })).data;
  assert.equal(
    [last!.what, last!.about],
    ['Uploaded a new version', 'ITR 2025.pdf, uploaded as ITR final v2.pdf'],
  );
});

test('two users who upload a new version at once both leave one, so that nothing is lost', async (office) => {
  const { build, actor, put } = office;
  const { id } = await build.file(actor, { name: 'ITR.pdf', content: 'first' });
  const ravi = await build.colleague(actor);
  await Promise.all([put(id, 'of Asha'), put(id, 'of Ravi', 'ITR Ravi.pdf', ravi.actor)]);
  assert.equal((await office.texts(id)).toSorted(), ['first', 'of Asha', 'of Ravi']);
  assert.equal(await files(office), ['ITR.pdf']);
});

test('a deleted file gets no new version, and no other file is made of it; restored from Trash it does', async (office) => {
  const { services, build, actor, put } = office;
  const { id } = await build.file(actor, { name: 'ITR.pdf', content: 'first' });
  const ravi = await build.colleague(actor);
  await services.documents.remove(ravi.actor, [id]);
  await build.file(actor, { name: 'ITR.pdf', content: 'another' });
  const error = await rejects(put(id, 'second'), 422);
  assert.is(error.code, 'gone');
  assert.match(error.message, /^Deleted by Ravi Kumar a moment ago\. The new version was not saved\./);
  assert.equal(await files(office), ['ITR.pdf']);
  await services.trash.restore(actor, { ids: [id], conflicts: 'keep' });
  assert.is(await put(id, 'second'), id);
  assert.equal(await office.texts(id), ['second', 'first']);
});

test('a version of another type, of a folder, of a sealed file, or beyond the storage is refused, and nothing is changed', async (office) => {
  const { services, build, actor, put } = office;
  const folder = await build.folder(actor, 'Returns');
  const { id } = await build.file(actor, { name: 'ITR.pdf', content: 'first' });
  const type = await rejects(put(id, 'x', 'ITR final.xlsx'), 422);
  assert.is(
    type.message,
    '"ITR final.xlsx" cannot be a new version of "ITR.pdf": it has to end with ".pdf". Save it as .pdf first, or upload it as a file of its own.',
  );
  assert.is((await rejects(put(folder.id, 'x'), 422)).code, 'gone');
  assert.is((await rejects(put(999_999, 'x'), 422)).code, 'gone');
  const checked = { id, name: 'v2.pdf', bytes: 1024 ** 5 };
  assert.is((await rejects(services.documents.checkVersion(actor, checked), 422)).code, 'quota_exceeded');
  await services.seals.seal(actor, id, { reason: 'Filed' });
  assert.is((await rejects(put(id, 'x'), 422)).code, 'sealed');
  assert.equal(await office.texts(id), ['first']);
  const photo = await build.file(actor, { name: 'PAN.jpg', content: 'first' });
  assert.is(await put(photo.id, 'second', 'PAN.JPEG'), photo.id, 'another spelling is the same type');
});

test('a viewer, a stranger, a user of other clients and a program that did not make the file cannot replace it', async (office) => {
  const { build, actor, put } = office;
  const client_id = await build.client(actor);
  const { id } = await build.file(actor, { name: 'ITR.pdf', content: 'first', client_id });
  const stranger = await build.actor();
  assert.is((await rejects(put(id, 'x', 'v2.pdf', stranger), 422)).code, 'gone');
  const ravi = await build.colleague(actor);
  await rejects(put(id, 'x', 'v2.pdf', { ...ravi.actor, clientScope: 'assigned' }), 422);
  await rejects(put(id, 'x', 'v2.pdf', { ...actor, program: { id: 1, name: 'PC' } }), 422);
  await rejects(put(id, 'x', 'v2.pdf', { ...ravi.actor, permissions: ['documents.read'] }), 403);
  assert.equal(await office.texts(id), ['first']);
});

test('whoever replaces what a colleague stored since is told whose version it was, and only then', async (office) => {
  const { services, build, actor, blobs, advance } = office;
  const { id } = await build.file(actor, { name: 'ITR.pdf', content: 'first' });
  const ravi = await build.colleague(actor, { name: 'Ravi Kumar' });
  const store = async (by: Actor, content: string) => {
    advance(60_000);
    const blob = await blobs.put(Readable.from([Buffer.from(content)]));
    const file = { name: 'ITR.pdf', parent_id: null, client_id: null, blob, version_of: id };
    return (await services.documents.addFile(by, file)).overtaken;
  };
  assert.is(await store(actor, 'second'), null, 'of their own');
  advance(60_000);
  await services.documents.downloadUrl(ravi.actor, id);
  assert.is(await store(ravi.actor, 'by Ravi'), null, 'he has worked on the newest');
  const { modified_at } = await services.documents.item(actor, id);
  assert.equal(await store(actor, 'by Asha'), { user_name: 'Ravi Kumar', at: modified_at });
  assert.equal((await office.texts(id))[1], 'by Ravi');
  await services.documents.noteOpened(ravi.actor, id);
  assert.is(await store(ravi.actor, 'by Ravi again'), null, 'he has seen it');
  assert.is(await store(actor, 'by Ravi again'), null, 'the same content replaces nothing');
  const neha = await build.colleague(actor, { name: 'Neha Shah' });
  assert.is((await store(neha.actor, 'by Neha'))?.user_name, 'Ravi Kumar', 'she may have had it by e-mail');
  const meera = await build.colleague(actor, { name: 'Meera Iyer' });
  advance(2 * 60 * 60_000);
  assert.is(await store(meera.actor, 'by Meera'), null);
});

test.run();
