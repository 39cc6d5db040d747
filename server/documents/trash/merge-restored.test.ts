import * as assert from 'uvu/assert';
import { colleague } from '#server/testing/colleague.ts';
import type { PathOffice } from '#server/testing/paths.ts';
import { pathSuite } from '#server/testing/paths.ts';
import { rejects } from '#server/testing/rejects.ts';

const test = pathSuite('merging a restored folder into the one of its name', { trashDays: 30 });

/** Deletes `Meera/FY 2024-25`, and makes another folder of that name. */
async function deleteAndMakeAgain({ actor, fill, db, services: { documents } }: PathOffice) {
  const old = await fill(
    'Meera/FY 2024-25/ITR/Form 16.pdf',
    'Meera/FY 2024-25/ITR/computation.pdf',
    'Meera/FY 2024-25/GST/3B.pdf',
  );
  const id = old.get('Meera/FY 2024-25')!;
  await documents.remove(actor, [id]);
  const again = await fill('Again/FY 2024-25/ITR/Form 16.pdf', 'Again/FY 2024-25/notice.pdf');
  const there = again.get('Again/FY 2024-25')!;
  await documents.move(actor, { ids: [there], parent_id: old.get('Meera')! });
  await documents.remove(actor, [again.get('Again')!]);
  await db('trash')
    .where({ item_id: again.get('Again')! })
    .delete();
  return { id, meera: old.get('Meera')!, there, itr: again.get('Again/FY 2024-25/ITR')! };
}

test('its contents join those of the folder there, folder by folder, files of a taken name get a number, and the history tells it', async (office) => {
  const { actor, paths, services } = office;
  const { id, meera, there } = await deleteAndMakeAgain(office);
  const asked = await services.trash.restore(actor, { ids: [id] });
  assert.equal(
    [asked.failed[0]!.code, asked.taken[0]!.type],
    ['taken', 'folder'],
    'nothing is merged unasked',
  );
  const result = await services.trash.restore(actor, { ids: [id], conflicts: 'merge' });
  assert.equal([result.done, result.failed], [[id], []]);
  assert.equal(result.restored, [{ id: there, name: 'FY 2024-25', parent_id: meera }], 'shown where it is');
  assert.equal(await paths(), [
    'Meera/FY 2024-25/GST/3B.pdf',
    'Meera/FY 2024-25/ITR/Form 16 (2).pdf',
    'Meera/FY 2024-25/ITR/Form 16.pdf',
    'Meera/FY 2024-25/ITR/computation.pdf',
    'Meera/FY 2024-25/notice.pdf',
  ]);
  assert.equal(
    (await services.trash.list(actor)).items,
    [],
    'the emptied folders are gone, and not in Trash',
  );
  assert.equal(await services.records.recount(), []);
  const { data } = await services.audit.list(actor, { limit: 4 });
  assert.equal(
    data.map(({ what, about }) => [what, about]),
    [
      ['Deleted', 'FY 2024-25 (2)'],
      ['Moved', 'computation.pdf, Form 16.pdf: Meera / FY 2024-25 (2) / ITR → Meera / FY 2024-25 / ITR'],
      ['Moved', 'GST: Meera / FY 2024-25 (2) → Meera / FY 2024-25'],
      ['Restored from Trash', 'FY 2024-25 (2)'],
    ],
  );
});

test('in a chosen folder too, of whose client the documents without one become', async (office) => {
  const { actor, build, db, fill, paths, services } = office;
  const folders = await fill('Inbox/ITR/computation.pdf', 'Meera/ITR/Form 16.pdf');
  const client_id = await build.client(actor, 'Meera');
  await services.documents.setClient(actor, folders.get('Meera')!, { client_id });
  await services.documents.remove(actor, [folders.get('Inbox/ITR')!]);
  const request = { ids: [folders.get('Inbox/ITR')!], parent_id: folders.get('Meera')! };
  const result = await services.trash.restore(actor, { ...request, conflicts: 'merge' });
  assert.equal(result.failed, []);
  assert.equal(await paths(), ['Inbox', 'Meera/ITR/Form 16.pdf', 'Meera/ITR/computation.pdf']);
  assert.is((await db('items').where({ name: 'computation.pdf' }).first()).scope_client_id, client_id);
});

test('two folders of one name, and a folder that meets a file, lose nothing', async ({
  actor,
  fill,
  paths,
  services,
}) => {
  const folders = await fill('A/GST/1.pdf', 'B/GST/2.pdf', 'A/Bank.pdf/3.pdf', 'To/Bank.pdf');
  const ids = ['A/GST', 'B/GST', 'A/Bank.pdf'].map((path) => folders.get(path)!);
  await services.documents.remove(actor, ids);
  const request = { ids, parent_id: folders.get('To')! };
  assert.equal((await services.trash.restore(actor, { ...request, conflicts: 'merge' })).failed, []);
  assert.equal(await paths(), [
    'A',
    'B',
    'To/Bank (2).pdf/3.pdf',
    'To/Bank.pdf',
    'To/GST/1.pdf',
    'To/GST/2.pdf',
  ]);
});

test('a sealed folder takes nothing in: the other stays in Trash, and the reason is told', async (office) => {
  const { actor, services } = office;
  const { id, there } = await deleteAndMakeAgain(office);
  await services.seals.seal(actor, there, { reason: 'Signed' });
  const result = await services.trash.restore(actor, { ids: [id], conflicts: 'merge' });
  assert.equal([result.done, result.failed.map(({ code }) => code)], [[], ['sealed']]);
  assert.equal(
    (await services.trash.list(actor)).items.map((item) => item.id),
    [id],
  );
});

test('documents under a legal hold stay with their client: the folder stays in Trash, and others are restored', async (office) => {
  const { actor, build, db, fill, paths, services } = office;
  const [meera, anil] = [await build.client(actor, 'Meera'), await build.client(actor, 'Anil')];
  const folders = await fill('GST/1.pdf', 'ITR/2.pdf');
  const ids = ['GST', 'ITR'].map((path) => folders.get(path)!);
  await services.documents.setClient(actor, ids[0]!, { client_id: meera });
  await services.documents.remove(actor, ids);
  const again = await fill('GST/3.pdf', 'ITR/4.pdf');
  await services.documents.setClient(actor, again.get('GST')!, { client_id: anil });
  await services.holds.place(actor, meera, { reason: 'Notice' });
  const result = await services.trash.restore(actor, { ids, conflicts: 'merge' });
  assert.equal(
    result.failed.map(({ id, code }) => [id, code]),
    [[ids[0], 'held']],
  );
  assert.equal(await paths(), ['GST/3.pdf', 'ITR/2.pdf', 'ITR/4.pdf']);
  assert.is((await db('trash').where({ item_id: ids[0]! })).length, 1);
});

test('what would go into a sealed folder inside stays in the restored folder, under a number', async (office) => {
  const { actor, paths, services } = office;
  const { id, meera, itr } = await deleteAndMakeAgain(office);
  await services.seals.seal(actor, itr, { reason: 'Signed' });
  const result = await services.trash.restore(actor, { ids: [id], conflicts: 'merge' });
  assert.equal(
    result.failed.map(({ name }) => name),
    ['ITR', 'FY 2024-25'],
  );
  assert.equal(result.restored, [{ id, name: 'FY 2024-25 (2)', parent_id: meera }]);
  assert.equal(await paths(), [
    'Meera/FY 2024-25 (2)/ITR/Form 16.pdf',
    'Meera/FY 2024-25 (2)/ITR/computation.pdf',
    'Meera/FY 2024-25/GST/3B.pdf',
    'Meera/FY 2024-25/ITR/Form 16.pdf',
    'Meera/FY 2024-25/notice.pdf',
  ]);
});

test('a file deleted from it before finds the merged folder, and a user who may not move documents may not merge', async (office) => {
  const { actor, db, fill, paths, services } = office;
  const folders = await fill('GST/1.pdf', 'GST/2.pdf');
  const first = await db('items').where({ name: '1.pdf' }).first('id');
  const gst = folders.get('GST')!;
  await services.documents.remove(actor, [first.id]);
  await services.documents.remove(actor, [gst]);
  await fill('GST/3.pdf');
  const ravi = await colleague({ db }, actor, { permissions: ['documents.read', 'documents.delete'] });
  await rejects(services.trash.restore(ravi, { ids: [gst], conflicts: 'merge' }), 403);
  await services.trash.restore(actor, { ids: [gst], conflicts: 'merge' });
  assert.equal((await services.trash.restore(actor, { ids: [first.id] })).remade, []);
  assert.equal(await paths(), ['GST/1.pdf', 'GST/2.pdf', 'GST/3.pdf']);
});

test.run();
