import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rejects } from '../../testing/rejects.ts';
import type { World } from '../../testing/world.ts';
import { freshWorld } from '../../testing/world.ts';

const test = suite<World>('documents: changing, moving, deleting');
test.before.each(async (world) => void Object.assign(world, await freshWorld({ trashDays: 0 })));
test.after.each((world) => world.close());

test('a rename keeps the folder unique ignoring case, but lets a name change its own case', async ({
  services: { documents },
  build,
}) => {
  const actor = await build.actor();
  const file = await build.file(actor, { name: 'report.pdf' });
  await build.file(actor, { name: 'other.pdf' });
  assert.is((await documents.rename(actor, file.id, { name: 'Report.PDF' })).name, 'Report.PDF');
  const error = await rejects(documents.rename(actor, file.id, { name: 'OTHER.pdf' }), 422);
  assert.equal(error.errors, { name: ['An item named "OTHER.pdf" already exists in this folder.'] });
});

test('a rename normalises names and refuses invalid ones, as an upload does', async ({
  services: { documents },
  build,
}) => {
  const actor = await build.actor();
  const folder = await build.folder(actor);
  assert.is((await documents.rename(actor, folder.id, { name: ' Cafe\u0301 ' })).name, 'Café');
  for (const name of ['a/b', 'nul', 'x.', '\u202egpj.x', 'a'.repeat(256)]) {
    assert.ok((await rejects(documents.rename(actor, folder.id, { name }), 422)).errors?.name, name);
  }
});

test('a file can only be renamed to a type that could be uploaded, and the totals follow', async ({
  services: { documents, records },
  build,
}) => {
  const actor = await build.actor();
  const file = await build.file(actor, { name: 'a.txt', content: '12345' });
  const bare = await rejects(documents.rename(actor, file.id, { name: 'a' }), 422);
  assert.equal(bare.errors, { name: ['Keep ".txt" at the end of the name.'] });
  assert.ok((await rejects(documents.rename(actor, file.id, { name: 'a.exe' }), 422)).errors?.name);
  assert.is((await documents.rename(actor, file.id, { name: 'a.csv' })).file_type, 'csv');
  assert.equal(await documents.totals(actor), [{ file_type: 'csv', files: 1, bytes: 5 }]);
  assert.equal(await records.recount(), []);
});

test('renaming, moving and linking to a client do not change the time when the content was modified', async ({
  services: { documents },
  build,
  advance,
}) => {
  const actor = await build.actor();
  const file = await build.file(actor, { name: 'a.txt' });
  const folder = await build.folder(actor);
  advance(60_000);
  await documents.rename(actor, file.id, { name: 'b.txt' });
  await documents.setClient(actor, file.id, { client_id: await build.client(actor) });
  await documents.move(actor, { ids: [file.id], parent_id: folder.id });
  assert.is((await documents.item(actor, file.id)).modified_at, file.modified_at);
});

test('a folder never goes into itself or below itself', async ({ services: { documents }, build }) => {
  const actor = await build.actor();
  const top = await build.folder(actor, 'top');
  const middle = await build.folder(actor, 'middle', top.id);
  const low = await build.folder(actor, 'low', middle.id);
  const free = await build.folder(actor, 'free');
  for (const parent_id of [top.id, low.id]) {
    const { done, failed } = await documents.move(actor, { ids: [top.id, free.id], parent_id });
    assert.equal(done, [free.id], 'what can be moved is moved');
    assert.equal(failed, [
      {
        id: top.id,
        name: 'top',
        message: 'A folder cannot be moved into itself or into a folder inside it.',
      },
    ]);
  }
  const crossing = await Promise.all([
    documents.move(actor, { ids: [middle.id], parent_id: free.id }),
    documents.move(actor, { ids: [free.id], parent_id: middle.id }),
  ]);
  assert.equal(
    crossing.map(({ done }) => done.length),
    [0, 1],
    'two crossing moves leave no circle',
  );
});

test('what meets its name is moved beside it under a number, or takes the name of a file that is kept dated', async ({
  services: { documents },
  build,
}) => {
  const actor = await build.actor();
  const [here, there] = [await build.folder(actor, 'here'), await build.folder(actor, 'there')];
  const ids: number[] = [];
  for (const parent_id of [there.id, here.id]) {
    const made = [
      await build.file(actor, { name: 'Form 16.pdf', parent_id }),
      await build.folder(actor, 'Scans', parent_id),
    ];
    if (parent_id === here.id) ids.push(...made.map(({ id }) => id));
  }
  const names = async (id: number) =>
    (await documents.folder(actor, id)).items.map(({ name }) => name).toSorted();
  const refusedAll = await documents.move(actor, { ids, parent_id: there.id });
  assert.equal(
    refusedAll.failed.map(({ code }) => code),
    ['taken', 'taken'],
  );
  const kept = await documents.move(actor, { ids, parent_id: there.id, conflicts: 'keep' });
  assert.equal([kept.done.length, kept.failed], [2, []]);
  assert.equal(await names(there.id), ['Form 16 (2).pdf', 'Form 16.pdf', 'Scans', 'Scans (2)']);

  const newer = await build.file(actor, { name: 'Form 16.pdf', parent_id: here.id });
  await documents.move(actor, { ids: [newer.id], parent_id: there.id, conflicts: 'replace' });
  const after = (await documents.folder(actor, there.id)).items;
  assert.is(after.find(({ name }) => name === 'Form 16.pdf')?.id, newer.id);
  assert.ok(
    after.some(({ name }) => /^Form 16 \(replaced .*\)\.pdf$/.test(name)),
    'the old one is kept',
  );
  assert.equal(await names(here.id), []);
});

test('a move tells which names are taken, and of two same names the first goes', async ({
  services: { documents },
  build,
}) => {
  const actor = await build.actor();
  const [a, b, target] = [
    await build.folder(actor, 'a'),
    await build.folder(actor, 'b'),
    await build.folder(actor, 'target'),
  ];
  await build.file(actor, { name: 'TAKEN.txt', parent_id: target.id });
  const taken = await build.file(actor, { name: 'taken.txt', parent_id: a.id });
  const first = await build.file(actor, { name: 'same.txt', parent_id: a.id });
  const second = await build.file(actor, { name: 'Same.txt', parent_id: b.id });
  const result = await documents.move(actor, {
    ids: [taken.id, first.id, second.id, 999, first.id],
    parent_id: target.id,
  });
  assert.equal(result.done, [first.id]);
  assert.equal(
    result.failed.map(({ id, message }) => [id, message]),
    [
      [999, 'This item does not exist, or you have no access to it.'],
      [taken.id, 'An item named "taken.txt" is already there.'],
      [second.id, 'An item named "Same.txt" is already there.'],
    ],
  );
  assert.equal(
    (await documents.move(actor, { ids: [first.id], parent_id: target.id })).done,
    [first.id],
    'already there is done',
  );
});

test('deleting a folder deletes its contents, takes their bytes off the totals and leaves their blobs to the sweep', async ({
  services: { documents, records, search },
  build,
  db,
}) => {
  const actor = await build.actor();
  const keep = await build.file(actor, { name: 'keep.txt', content: 'keep' });
  const top = await build.folder(actor, 'top');
  const low = await build.folder(actor, 'low', top.id);
  const files = await Promise.all(
    [top, low, low].map(({ id }, n) => build.file(actor, { name: `deep ${n}.pdf`, parent_id: id })),
  );
  const { done, failed } = await documents.remove(actor, [low.id, top.id, files[0]!.id, 777]);
  assert.equal(
    done,
    [low.id, top.id, files[0]!.id],
    'something chosen together with its folder is gone as well',
  );
  assert.equal(failed, [
    { id: 777, name: null, message: 'This item does not exist, or you have no access to it.' },
  ]);
  assert.equal(
    (await documents.folder(actor, null)).items.map(({ id }) => id),
    [keep.id],
  );
  assert.is(await records.used(actor.firmId), 4);
  assert.equal(await records.recount(), []);
  assert.is((await search.find(actor, 'deep')).total, 0);
  while ((await records.purge()) > 0);
  const discarded = await records.takeDiscarded(10);
  assert.is(discarded.length, 3);
  assert.is((await records.knownBlobs(discarded)).size, 0);
  await records.forgetDiscarded(discarded);
  assert.equal(await records.takeDiscarded(10), []);
  const [event] = await db('audit_events').where({ did: 'document.delete' });
  assert.equal(JSON.parse(event.detail).names, ['low', 'top', 'deep 0.pdf']);
});

test('an item can be linked only to a client of its own firm', async ({ services: { documents }, build }) => {
  const [actor, other] = [await build.actor(), await build.actor()];
  const file = await build.file(actor);
  const foreign = await build.client(other);
  assert.ok(
    (await rejects(documents.setClient(actor, file.id, { client_id: foreign }), 422)).errors?.client_id,
  );
  const own = await build.client(actor);
  assert.is((await documents.setClient(actor, file.id, { client_id: own })).client_id, own);
  assert.is((await documents.setClient(actor, file.id, { client_id: null })).client, null);
});

test.run();
