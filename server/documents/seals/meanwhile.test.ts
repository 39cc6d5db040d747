import { Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Office } from '#server/archive/testing/extracting.ts';
import { CLEAN, files, openOffice } from '#server/archive/testing/extracting.ts';
import { PASSWORD } from '#server/testing/build.ts';
import { rejects } from '#server/testing/rejects.ts';
import { memoryBlobs } from '#server/testing/world.ts';

const test = suite<Office>('a seal that is put on in the middle of something');
test.before.each(async (office) => {
  Object.assign(office, await openOffice());
});
test.after.each((office) => office.close());

/** A folder with a file, so that it can be sealed. */
async function auditFolder({ build, actor }: Office): Promise<number> {
  const { id } = await build.folder(actor, 'Audit');
  await build.file(actor, { name: 'report.pdf', parent_id: id });
  return id;
}

test('wins over an upload into it: the next part is refused in words before its bytes, and all that was sent is there for a second try', async (office) => {
  const { services, actor } = office;
  const { resumable, seals, documents } = services;
  const folder = await auditFolder(office);
  const id = '0123456789abcdef0123456789abcdef';
  const fields = { filename: 'late.pdf', parent_id: String(folder) };
  await resumable.begin(actor, { id, name: 'late.pdf', size: 6, fields });
  assert.is(await resumable.append(actor, id, 0, Readable.from([Buffer.from('abc')])), 3);
  await seals.seal(actor, folder, { reason: 'Signed' });
  const last = () => resumable.append(actor, id, 3, Readable.from([Buffer.from('def')]));
  const error = await rejects(last(), 422);
  assert.is(error.code, 'sealed');
  assert.match(error.message, 'on Nov 20, 2026: Signed.');
  assert.equal(
    (await documents.folder(actor, folder)).items.map(({ name }) => name),
    ['report.pdf'],
  );
  assert.is((await resumable.progress(actor, id)).received, 3, 'what was sent is kept');
  const begun = resumable.begin(actor, { id: id.replace('0', 'f'), name: 'b.pdf', size: 1, fields });
  assert.is((await rejects(begun, 422)).code, 'sealed');

  await seals.break(actor, folder, { reason: 'One paper was missing', current_password: PASSWORD });
  assert.is(await last(), 6);
  assert.is((await resumable.settle(actor, id))?.item.name, 'late.pdf');
});

test('wins over the unpacking of an archive in it, which says so and leaves nothing behind', async () => {
  const store = memoryBlobs();
  const sealing: (() => Promise<unknown>)[] = [];
  const office = await openOffice({
    ...store,
    // When bytes come out of the archive, its folder is sealed before they are stored.
    async put(...given) {
      await sealing.pop()?.();
      return store.put(...given);
    },
  });
  try {
    const { services, actor } = office;
    const folder = await auditFolder(office);
    const id = await office.zip(files(3), { parent_id: folder });
    sealing.push(() => services.seals.seal(actor, folder, { reason: 'Signed' }));
    const end = await office.unpack(id);
    assert.equal([end.status, end.code, sealing.length], ['failed', 'sealed', 0], end.message);
    assert.match(end.message, 'Sealed by');
    assert.equal(await office.names(folder), ['GSTR-3B.zip', 'report.pdf']);
    assert.is((await rejects(services.extraction.start(actor, id), 422)).code, 'sealed');
    assert.equal(await office.leftovers(), CLEAN);
  } finally {
    await office.close();
  }
});

test('without Trash, deleting a sealed item is refused as well', async (office) => {
  const { services, build, actor, db } = office;
  const folder = await auditFolder(office);
  const file = await build.file(actor, { name: 'a.pdf' });
  for (const id of [folder, file.id]) await services.seals.seal(actor, id, { reason: 'Signed' });
  const { done, failed } = await services.documents.remove(actor, [folder, file.id]);
  assert.equal([done, failed.map(({ code }) => code)], [[], ['sealed', 'sealed']]);
  const hiding = Promise.resolve(db('hidden_items').insert({ item_id: file.id }));
  assert.match(String(await hiding.catch((thrown: unknown) => thrown)), 'sealed');
});

test.run();
