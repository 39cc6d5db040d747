import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { assign, colleague } from '#server/testing/colleague.ts';
import { rejects } from '#server/testing/rejects.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import type { RuleInput } from './contract.ts';

interface Office extends World {
  admin: Actor;
}

const test = suite<Office>('retention of what somebody does not see');
test.before.each(async (world) => {
  Object.assign(world, await freshWorld({ trashDays: 30 }));
  world.admin = await world.build.actor();
});
test.after.each((world) => world.close());

const rule = (more: Partial<RuleInput>): RuleInput => ({
  name: 'Books of account',
  source: '',
  applies_to: 'everything',
  months: 96,
  counts_from: 'put_in',
  ...more,
});

/** A folder of Alpha in which a file of Beta lies, a manager who sees Alpha, and a colleague who sees Beta. */
async function group(world: Office) {
  const { build, admin, services } = world;
  const [alpha, beta] = [await build.client(admin, 'Alpha'), await build.client(admin, 'Beta')];
  const { documents } = services;
  const folder = await documents.createFolder(admin, { name: 'F', parent_id: null, client_id: alpha });
  const own = await build.file(admin, { name: 'own.pdf', parent_id: folder.id });
  const hidden = await build.file(admin, { name: 'hidden.pdf', parent_id: folder.id, client_id: beta });
  const permissions = ['documents.read', 'documents.write', 'documents.delete', 'retention.manage'] as const;
  const manager = await colleague(world, admin, { role: 'manager', permissions: [...permissions] });
  await assign(world, manager, [alpha]);
  const ofBeta = await colleague(world, admin, { permissions: ['documents.read', 'documents.write'] });
  await assign(world, ofBeta, [beta]);
  return { folder, own, hidden, manager, ofBeta };
}

test('a manager cannot set the day of a folder, or exempt it, who does not see all that it holds', async (world) => {
  const { services, admin } = world;
  const { retention } = services;
  const { folder, own, hidden, manager } = await group(world);
  await retention.add(admin, rule({}));
  const before = await retention.of(admin, hidden.id);
  for (const change of [{ exempt_reason: 'Not needed' }, { counts_from: '1990-01-01' }])
    await rejects(retention.mark(manager, folder.id, change), 403);
  assert.equal(await retention.of(admin, hidden.id), before);
  assert.is((await retention.mark(manager, own.id, { counts_from: '1990-01-01' })).day, '1990-01-01');
});

test('what was written about a folder is not told to somebody who sees only a file inside', async (world) => {
  const { services, admin } = world;
  const { retention } = services;
  const { folder, hidden, ofBeta } = await group(world);
  await retention.add(admin, rule({}));
  await retention.mark(admin, folder.id, { exempt_reason: 'Alpha said so on the phone' });
  const told = await retention.of(ofBeta, hidden.id);
  assert.equal(
    [told.exempt_reason, told.own_exemption, told.set_by, told.set_at],
    ['Taken out together with a folder above that you do not see.', false, null, null],
  );
  const all = await retention.of(admin, hidden.id);
  assert.equal([all.exempt_reason, all.set_by !== null], ['Alpha said so on the phone', true]);
});

test('a label with a rule is put on a folder, or taken off it, only by somebody who sees all that it holds', async (world) => {
  const { services, admin, build } = world;
  const { retention, labels, documents } = services;
  const { folder, own, hidden, manager } = await group(world);
  const [kept, plain] = [
    await labels.create(admin, { name: 'Keep', colour: 'red' }),
    await labels.create(admin, { name: 'Plain', colour: 'green' }),
  ];
  await retention.add(admin, rule({ applies_to: 'label', label_id: kept.id }));
  const put = (id: number, add: number[], remove: number[] = []) =>
    labels.put(manager, { ids: [id], add, remove });
  await rejects(put(folder.id, [kept.id]), 422);
  assert.equal((await retention.of(admin, hidden.id)).rules, []);
  assert.is((await put(folder.id, [plain.id])).changed, 1);
  assert.is((await put(own.id, [kept.id])).changed, 1);
  assert.is((await put(own.id, [], [kept.id])).changed, 1);

  await labels.put(admin, { ids: [folder.id], add: [kept.id], remove: [] });
  assert.is((await rejects(put(folder.id, [], [kept.id]), 422)).code, 'kept');
  const ruled = await build.folder(admin, 'Ruled');
  await retention.add(admin, rule({ name: 'Ruled', applies_to: 'folder', item_id: ruled.id }));
  await documents.move(admin, { ids: [folder.id], parent_id: ruled.id });
  const client_id = (await documents.item(admin, folder.id)).client_id;
  const elsewhere = await documents.createFolder(admin, { name: 'E', parent_id: null, client_id });
  const moving = documents.move(manager, { ids: [folder.id], parent_id: elsewhere.id });
  assert.is((await rejects(moving, 422)).code, 'kept');
  assert.is((await retention.of(admin, hidden.id)).rules.length, 2);
});

test.run();
