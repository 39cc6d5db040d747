import * as assert from 'uvu/assert';
import { inFolder, inTrash, names, restore, trashSuite } from './testing/office.ts';

const test = trashSuite('names taken by what came after a deletion');

test('if a name was taken meanwhile, restoring asks, numbers the name, or replaces the other file', async (office) => {
  const { services, actor, top, a, build: make } = office;
  const { documents } = services;
  await documents.remove(actor, [a.id]);
  const other = await make.file(actor, { name: 'A.pdf', parent_id: top.id });
  const asked = await restore(office, [a.id]);
  assert.equal(
    asked.taken.map(({ index, id }) => [index, id]),
    [[0, other.id]],
  );
  assert.equal(
    { ...asked, taken: [] },
    {
      taken: [],
      done: [],
      failed: [
        { id: a.id, name: 'a.pdf', message: 'An item named "a.pdf" is already there.', code: 'taken' },
      ],
      restored: [],
      remade: [],
    },
  );
  assert.equal(await inTrash(office), ['a.pdf'], 'and it stays until that is answered');
  const { restored } = await restore(office, [a.id], { conflicts: 'keep' });
  assert.equal(restored, [{ id: a.id, name: 'a (2).pdf', parent_id: top.id }]);
  assert.equal(names((await services.search.find(actor, 'a (2)')).items), ['a (2).pdf']);
  await documents.remove(actor, [a.id]);
  await documents.rename(actor, (await make.file(actor, { name: 'x.pdf', parent_id: top.id })).id, {
    name: 'a (2).pdf',
  });
  await restore(office, [a.id], { conflicts: 'replace' });
  assert.equal(await inFolder(office, top.id), [
    'low',
    'A.pdf',
    'a (2).pdf',
    'a (2) (replaced 2026-11-20 15.30).pdf',
  ]);
});

test('two items of one name, deleted one after the other, can both be restored', async (office) => {
  const { services, actor, top, a, build: make } = office;
  await services.documents.remove(actor, [a.id]);
  const second = await make.file(actor, { name: 'a.pdf', parent_id: top.id });
  await services.documents.remove(actor, [second.id]);
  await restore(office, [a.id, second.id], { conflicts: 'keep' });
  assert.equal(await inFolder(office, top.id), ['low', 'a.pdf', 'a (2).pdf']);
});

test('with `ask` nothing is restored before the user has said what to do with a taken name, be it taken there or by another of the items', async (office) => {
  const { services, actor, top, low, a, b, db, build: make } = office;
  await services.documents.remove(actor, [a.id, b.id]);
  const second = await make.file(actor, { name: 'a.pdf', content: 'aaa', parent_id: top.id });
  const rename = (name: string) => db('item_rows').where({ id: b.id }).update({ name });
  const counts = () => Promise.all([services.audit.list(actor, {}), services.dashboard.stats(actor)]);
  const asking = async () => {
    const { done, failed, taken } = await restore(office, [a.id, b.id], { parent_id: low.id, ask: true });
    return [done, failed.map(({ id, code }) => [id, code]), taken.map(({ id }) => id)];
  };
  await services.documents.move(actor, { ids: [second.id], parent_id: low.id });
  const before = await counts();
  assert.equal(await asking(), [[], [[a.id, 'taken']], [second.id]]);
  assert.equal([await inTrash(office), await inFolder(office, low.id)], [['b.pdf', 'a.pdf'], ['a.pdf']]);
  assert.equal(await counts(), before);
  await services.documents.rename(actor, second.id, { name: 'c.pdf' });
  await rename('a.pdf');
  assert.equal(await asking(), [[], [[a.id, 'taken']], [b.id]], 'of the two the one deleted last goes first');
  await rename('b.pdf');
  assert.equal(await asking(), [[b.id, a.id], [], []], 'without taken names nothing is asked');
  assert.equal(await inFolder(office, low.id), ['a.pdf', 'b.pdf', 'c.pdf']);
  assert.equal(await services.records.recount(), []);
});

test('with `ask` also what cannot be restored is reported, which would otherwise count as restored whatever is answered', async (office) => {
  const { services, actor, top, low, a, b, build: make } = office;
  await services.documents.remove(actor, [a.id]);
  await services.documents.remove(actor, [b.id]);
  await make.file(actor, { name: 'a.pdf', parent_id: top.id });
  await make.file(actor, { name: 'c.pdf', parent_id: low.id });
  await services.seals.seal(actor, low.id, { reason: 'Return filed' });
  const { done, failed } = await restore(office, [a.id, b.id], { ask: true });
  assert.equal(
    [done, failed.map(({ id, code }) => [id, code])],
    [
      [],
      [
        [b.id, 'sealed'],
        [a.id, 'taken'],
      ],
    ],
  );
});

test('files of one name are restored each to its own folder, and only the name that is taken is asked about', async (office) => {
  const { services, actor, top, low, a, build: make } = office;
  const below = await make.file(actor, { name: 'a.pdf', parent_id: low.id });
  await services.documents.remove(actor, [a.id]);
  await services.documents.remove(actor, [below.id]);
  const taker = await make.file(actor, { name: 'a.pdf', parent_id: top.id });
  const told = await restore(office, [a.id, below.id]);
  assert.equal(told.restored, [{ id: below.id, name: 'a.pdf', parent_id: low.id }]);
  assert.equal(
    told.failed.map(({ id, code }) => [id, code]),
    [[a.id, 'taken']],
  );
  assert.equal(
    told.taken!.map(({ index, id }) => [index, id]),
    [[0, taker.id]],
  );
});

test.run();
