import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { PASSWORD } from '#server/testing/build.ts';
import { assign, colleague } from '#server/testing/colleague.ts';
import { rejects } from '#server/testing/rejects.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';

const test = suite<World & { admin: Actor }>('seals: for those who see only some clients');
test.before.each(async (world) => {
  Object.assign(world, await freshWorld());
  world.admin = (await world.build.account({ name: 'Asha Rao' })).actor;
});
test.after.each((world) => world.close());

test('a user who sees one client does not see the reason of a seal on a folder outside of it', async (world) => {
  const { services, build, admin } = world;
  const client = await build.client(admin, 'Inner Ltd');
  const folder = await build.folder(admin, 'Group audit');
  const file = await build.file(admin, { name: 'inner.pdf', parent_id: folder.id, client_id: client });
  await services.seals.seal(admin, folder.id, { reason: 'Secret matter' });
  const ravi = await colleague(world, admin, { permissions: ['documents.read', 'documents.write'] });
  await assign(world, ravi, [client]);
  const view = await services.documents.item(ravi, file.id);
  assert.equal([view.seal?.item_id, view.seal?.reason, view.seal?.by], [null, null, 'Asha Rao']);
  const error = await rejects(services.documents.rename(ravi, file.id, { name: 'x.pdf' }), 422);
  assert.not.match(error.message, 'Secret');
  const { seal } = await services.seals.state(ravi, file.id);
  assert.equal([seal?.reason, seal?.name, seal?.digest], [null, '', '']);
  assert.equal([seal?.files, seal?.bytes, seal?.formatted_bytes], [0, 0, '0 B'], 'nor how much it holds');
});

test('a user who sees a part of a sealed folder does not learn how much the rest is', async (world) => {
  const { services, build, admin } = world;
  const [own, other] = [await build.client(admin, 'Own Ltd'), await build.client(admin, 'Other Ltd')];
  const folder = await services.documents.createFolder(admin, {
    name: 'Audit',
    parent_id: null,
    client_id: own,
  });
  for (const client_id of [own, other])
    await build.file(admin, { name: `${client_id}.pdf`, parent_id: folder.id, client_id });
  await services.seals.seal(admin, folder.id, { reason: 'Mistake' });
  await services.seals.break(admin, folder.id, { reason: 'Mistake', current_password: PASSWORD });
  await services.seals.seal(admin, folder.id, { reason: 'Filed' });
  const ravi = await colleague(world, admin, { permissions: ['documents.read'] });
  await assign(world, ravi, [own]);
  const sums = async (actor: Actor) => {
    const { seal, broken } = await services.seals.state(actor, folder.id);
    return [seal!, ...broken].map(({ reason, files, digest }) => [reason, files, digest !== '']);
  };
  assert.equal(await sums(admin), [
    ['Filed', 2, true],
    ['Mistake', 2, true],
  ]);
  assert.equal(await sums(ravi), [
    ['Filed', 0, false],
    ['Mistake', 0, false],
  ]);
  const inExport = async (actor: Actor) =>
    (await services.details.recordsOfAll(actor)).seals.map(({ files, bytes, digest }) => [
      files > 0,
      bytes > 0,
      digest !== '',
    ]);
  assert.equal(await inExport(admin), [
    [true, true, true],
    [true, true, true],
  ]);
  assert.equal(await inExport(ravi), [
    [false, false, false],
    [false, false, false],
  ]);
});

test.run();
