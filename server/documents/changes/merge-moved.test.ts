import * as assert from 'uvu/assert';
import { assign, colleague } from '#server/testing/colleague.ts';
import { pathSuite } from '#server/testing/paths.ts';

const test = pathSuite('merging a moved folder into the one of its name');

test('its contents join those of the folder there, folder by folder, and files of a taken name get a number', async ({
  actor,
  services: { documents },
  fill,
  paths,
}) => {
  const folders = await fill(
    'Inbox/FY 2024-25/ITR/computation.pdf',
    'Inbox/FY 2024-25/ITR/Form 16.pdf',
    'Inbox/FY 2024-25/GST/3B.pdf',
    'Meera/FY 2024-25/ITR/Form 16.pdf',
    'Meera/FY 2024-25/notice.pdf',
  );
  const moving = folders.get('Inbox/FY 2024-25')!;
  const request = { ids: [moving], parent_id: folders.get('Meera')! };
  assert.is((await documents.move(actor, request)).failed[0]!.code, 'taken', 'nothing is merged unasked');
  const result = await documents.move(actor, { ...request, conflicts: 'merge' });
  assert.equal([result.done, result.merged, result.failed], [[moving], [moving], []]);
  assert.equal(await paths(), [
    'Inbox',
    'Meera/FY 2024-25/GST/3B.pdf',
    'Meera/FY 2024-25/ITR/Form 16 (2).pdf',
    'Meera/FY 2024-25/ITR/Form 16.pdf',
    'Meera/FY 2024-25/ITR/computation.pdf',
    'Meera/FY 2024-25/notice.pdf',
  ]);
});

test('with `ask` nothing is moved before the user has said what to do with a taken name', async ({
  actor,
  services: { documents },
  fill,
  paths,
}) => {
  const folders = await fill('A/GST/1.pdf', 'A/ITR/2.pdf', 'B/ITR/3.pdf', 'To/GST/4.pdf');
  const before = await paths();
  const [gst, itr, other] = ['A/GST', 'A/ITR', 'B/ITR'].map((path) => folders.get(path)!) as [
    number,
    number,
    number,
  ];
  const request = { parent_id: folders.get('To')!, ask: true };
  const asked = await documents.move(actor, { ...request, ids: [itr, gst] });
  assert.equal([asked.done, asked.failed.map(({ id, code }) => [id, code])], [[], [[gst, 'taken']]]);
  assert.equal(await paths(), before);
  const namesakes = await documents.move(actor, { ...request, ids: [itr, other] });
  assert.equal(
    [namesakes.done, namesakes.failed.map(({ id, code }) => [id, code])],
    [[], [[other, 'taken']]],
    'nor where another chosen item takes it',
  );
  assert.equal(await paths(), before);
});

test('two chosen folders of one name, and a folder that meets a file, lose nothing', async ({
  actor,
  services: { documents },
  fill,
  paths,
}) => {
  const folders = await fill('A/GST/1.pdf', 'B/GST/2.pdf', 'A/Bank.pdf/3.pdf', 'To/Bank.pdf');
  const ids = ['A/GST', 'B/GST', 'A/Bank.pdf'].map((path) => folders.get(path)!);
  const result = await documents.move(actor, { ids, parent_id: folders.get('To')!, conflicts: 'merge' });
  assert.equal(result.failed, []);
  assert.equal(result.merged, [folders.get('B/GST')]);
  assert.equal(await paths(), [
    'A',
    'B',
    'To/Bank (2).pdf/3.pdf',
    'To/Bank.pdf',
    'To/GST/1.pdf',
    'To/GST/2.pdf',
  ]);
});

test('documents without a client get that of the folder they join', async ({
  actor,
  build,
  db,
  services: { documents },
  fill,
}) => {
  const folders = await fill('Inbox/ITR/computation.pdf', 'Meera/ITR/');
  const client_id = await build.client(actor, 'Meera');
  await db('item_rows')
    .where({ id: folders.get('Meera/ITR')! })
    .update({ client_id });
  const request = { ids: [folders.get('Inbox/ITR')!], parent_id: folders.get('Meera')! };
  await documents.move(actor, { ...request, conflicts: 'merge' });
  assert.is((await db('items').where({ name: 'computation.pdf' }).first()).client_id, client_id);
});

test('a sealed folder takes nothing in, and the reason is told', async ({
  actor,
  services: { documents, seals },
  fill,
  paths,
}) => {
  const folders = await fill('Inbox/Audit/new.pdf', 'Meera/Audit/signed.pdf');
  await seals.seal(actor, folders.get('Meera/Audit')!, { reason: 'Signed' });
  const request = { ids: [folders.get('Inbox/Audit')!], parent_id: folders.get('Meera')! };
  const result = await documents.move(actor, { ...request, conflicts: 'merge' });
  assert.equal([result.done, result.failed.map(({ code }) => code)], [[], ['sealed']]);
  assert.ok((await paths()).includes('Inbox/Audit/new.pdf'));
});

test('what a colleague may not see stays in the folder, which then stays too', async ({
  actor,
  build,
  db,
  services: { documents },
  fill,
  paths,
}) => {
  const folders = await fill('Inbox/ITR/own.pdf', 'Inbox/ITR/other.pdf', 'To/ITR/');
  const [own, other] = [await build.client(actor, 'Own'), await build.client(actor, 'Other')];
  await db('item_rows').where({ type: 'folder' }).orWhere({ name: 'own.pdf' }).update({ client_id: own });
  await db('item_rows').where({ name: 'other.pdf' }).update({ client_id: other });
  const ravi = await colleague({ db }, actor);
  await assign({ db }, ravi, [own]);
  const request = { ids: [folders.get('Inbox/ITR')!], parent_id: folders.get('To')! };
  const result = await documents.move(ravi, { ...request, conflicts: 'merge' });
  assert.equal([result.done, result.failed.map(({ id }) => id)], [[], [folders.get('Inbox/ITR')]]);
  assert.equal(await paths(), ['Inbox/ITR/other.pdf', 'To/ITR/own.pdf']);
});

test('the emptied folder goes to Trash, with its emptied subfolders in it and their notes', async ({
  actor,
  db,
  services: { documents, notes },
  fill,
}) => {
  const folders = await fill('Inbox/FY/ITR/a.pdf', 'Inbox/FY/GST/b.pdf', 'To/FY/ITR/', 'To/FY/GST/');
  const moving = folders.get('Inbox/FY')!;
  await notes.add(actor, folders.get('Inbox/FY/ITR')!, { text: 'Asked on Monday' });
  const request = { ids: [moving], parent_id: folders.get('To')!, conflicts: 'merge' } as const;
  assert.equal((await documents.move(actor, request)).merged, [moving]);
  assert.equal(await db('trash').pluck('item_id'), [moving]);
});

test('a merge can be undone: each document returns to its folder, name and client, and the emptied folder with its notes and labels', async ({
  actor,
  build,
  db,
  services: { documents, labels, notes },
  fill,
  paths,
}) => {
  const folders = await fill(
    'Meera/FY/ITR/Form 16.pdf',
    'Meera/FY/GST/3B.pdf',
    'Meera/FY/notice.pdf',
    'Sharma/FY/ITR/Form 16.pdf',
    'Sharma/FY/bank.pdf',
  );
  const [meera, sharma] = [
    await build.client(actor, 'Meera Iyer'),
    await build.client(actor, 'Sharma Traders'),
  ];
  await documents.setClient(actor, folders.get('Meera')!, { client_id: meera });
  await documents.setClient(actor, folders.get('Sharma')!, { client_id: sharma });
  const moving = folders.get('Meera/FY')!;
  await notes.add(actor, moving, { text: 'Asked on Monday' });
  const label = await labels.create(actor, { name: 'Urgent', colour: 'red' });
  await labels.put(actor, { ids: [moving], add: [label.id], remove: [] });
  const stateOf = async () => ({
    paths: await paths(),
    clients: await db('items').orderBy('id').select('id', 'name', 'parent_id', 'client_id'),
    notes: (await notes.of(actor, moving)).map(({ text }) => text),
    labels: (await documents.item(actor, moving)).labels,
  });
  const before = await stateOf();
  const result = await documents.move(actor, {
    ids: [moving],
    parent_id: folders.get('Sharma')!,
    conflicts: 'merge',
  });
  assert.equal(result.clients, ['Sharma Traders'], 'who has the documents now is told');
  assert.is.not((await paths()).join(), before.paths.join());
  assert.equal((await documents.undoMove(actor, result)).failed, []);
  assert.equal(await stateOf(), before);
});

test('the undo of a move gives a numbered item its name back, and a replaced file its own', async ({
  actor,
  services: { documents },
  fill,
  paths,
  db,
}) => {
  const folders = await fill('A/FY/1.pdf', 'A/Bank.pdf', 'B/FY/2.pdf', 'B/Bank.pdf');
  const before = await paths();
  const parent_id = folders.get('B')!;
  const kept = await documents.move(actor, { ids: [folders.get('A/FY')!], parent_id, conflicts: 'keep' });
  assert.equal(kept.moved[0]!.renamed, { from: 'FY', to: 'FY (2)' });
  const { id } = await db('items')
    .where({ name: 'Bank.pdf', parent_id: folders.get('A')! })
    .first();
  const replacing = await documents.move(actor, { ids: [id], parent_id, conflicts: 'replace' });
  assert.ok((await paths()).includes('B/FY (2)/1.pdf'));
  await documents.undoMove(actor, replacing);
  await documents.undoMove(actor, kept);
  assert.equal(await paths(), before);
});

test('the undo keeps a name that somebody gave an item after its move', async ({
  actor,
  services: { documents },
  fill,
  paths,
}) => {
  const folders = await fill('A/FY/1.pdf', 'B/FY/2.pdf');
  const [moving, parent_id] = [folders.get('A/FY')!, folders.get('B')!];
  const kept = await documents.move(actor, { ids: [moving], parent_id, conflicts: 'keep' });
  await documents.rename(actor, moving, { name: 'FY 2024-25' });
  await documents.undoMove(actor, kept);
  assert.equal(await paths(), ['A/FY 2024-25/1.pdf', 'B/FY/2.pdf']);
});

test.run();
