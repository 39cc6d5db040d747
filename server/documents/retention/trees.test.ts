import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import type { RuleInput } from './contract.ts';

interface Office extends World {
  admin: Actor;
  staff: Actor;
  token: string;
}

const test = suite<Office>('retention rules and trees');
test.before.each(async (world) => {
  Object.assign(world, await freshWorld({ trashDays: 30 }));
  const { actor, token } = await world.build.account();
  const { actor: staff } = await world.build.colleague(actor);
  Object.assign(world, { admin: actor, staff, token });
});
test.after.each((world) => world.close());

/** Eight years from the end of the year, unless said otherwise. */
const rule = (more: Partial<RuleInput> = {}): RuleInput => ({
  name: 'Books of account',
  source: '',
  applies_to: 'everything',
  months: 96,
  counts_from: 'year_end',
  ...more,
});
test('items without a retention rule are deleted from Trash at once, and those with one by place, label or client are not', async ({
  services: { retention, documents, labels, trash },
  build,
  admin,
  db,
}) => {
  const company = await build.client(admin, 'Mehta Ltd', { client_type: 'Company' });
  const ruled = await build.folder(admin, 'Ruled');
  const label = await labels.create(admin, { name: 'Audit file', colour: 'red' });
  const tree = async (name: string, parent_id: number | null = null) => {
    const folder = await build.folder(admin, name, parent_id);
    const deep = await build.folder(admin, 'Deep', folder.id);
    return { id: folder.id, file: await build.file(admin, { name: 'a.pdf', parent_id: deep.id }) };
  };
  const [free, placed, labelled, owned] = [
    await tree('Free'),
    await tree('Placed', ruled.id),
    await tree('Labelled'),
    await tree('Owned'),
  ];
  await labels.put(admin, { ids: [labelled.file.id], add: [label.id], remove: [] });
  await documents.setClient(admin, owned.file.id, { client_id: company });
  const all = [free.id, placed.id, labelled.id, owned.id];
  assert.is((await documents.remove(admin, all)).done.length, 4);
  await retention.add(admin, rule({ applies_to: 'folder', item_id: ruled.id }));
  await retention.add(admin, rule({ applies_to: 'label', label_id: label.id }));
  await retention.add(admin, rule({ applies_to: 'client_type', client_type: 'Company' }));
  await trash.restore(admin, { ids: [labelled.id, owned.id] });
  const live = await documents.remove(admin, [labelled.id, owned.id]);
  assert.equal(
    live.failed.map(({ code }) => code),
    ['kept', 'kept'],
    'where they stand, they are found as well',
  );
  for (const ids of [[free.id, placed.id], undefined])
    assert.equal(
      (await trash.preview(admin, ids)).named.map(({ id }) => id),
      [placed.id],
      'it is said beforehand',
    );
  const gone = await trash.remove(admin, [free.id, placed.id]);
  assert.equal([gone.done, gone.failed.map(({ id }) => id)], [[free.id], [placed.id]]);
  await db('cleared_of_rules').insert({ item_id: placed.id });
  assert.equal(await db('cleared_of_rules'), [], 'the database clears no tree that a rule touches');
  await trash.restore(admin, { ids: [placed.id] });
  await retention.mark(admin, placed.file.id, { exempt_reason: 'Put in by mistake' });
  await documents.remove(admin, [placed.id]);
  assert.equal((await trash.remove(admin, [placed.id])).done, [placed.id]);
});

test.run();
