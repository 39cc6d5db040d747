import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';

const test = suite<World>('years in the names of hidden folders');
test.before.each(async (world) => void Object.assign(world, await freshWorld()));
test.after.each((world) => world.close());

test('the filter by year ignores the names of folders that the user does not see, since it would reveal them', async ({
  services,
  build,
}) => {
  const { documents, search } = services;
  const actor = await build.actor();
  const [alpha, beta] = [await build.client(actor, 'Alpha'), await build.client(actor, 'Beta')];
  const folder = (name: string, parent_id: number | null, client_id: number | null) =>
    documents.createFolder(actor, { name, parent_id, client_id });
  const file = (name: string, parent_id: number) => build.file(actor, { name, parent_id, client_id: alpha });
  const hidden = await folder('Raid papers FY 2021-22', null, beta);
  await file('in hidden.txt', hidden.id);
  const seen = await folder('Returns FY 2021-22', null, alpha);
  await file('in seen.txt', seen.id);
  const deep = await folder('Deep', seen.id, alpha);
  await file('deep.txt', deep.id);
  // What lies below a hidden folder is shown at the top of the drive, without the folders above.
  const between = await folder('Between', seen.id, beta);
  await file('below hidden.txt', between.id);

  const { actor: ravi } = await build.colleague(actor, { client_scope: 'assigned' });
  await services.access.assign(actor, ravi.userId, {
    client_scope: 'assigned',
    client_ids: [alpha],
    groups: [],
  });
  const found = async (who: Actor, query: string) => ({
    found: (await search.find(who, query)).items.map(({ name }) => name).toSorted(),
    files: (await documents.files(who, { search: query })).items.map(({ name }) => name).toSorted(),
    listed: (await documents.folder(who, null, { search: query })).items
      .filter(({ type }) => type === 'file')
      .map(({ name }) => name)
      .toSorted(),
  });
  const all = ['below hidden.txt', 'deep.txt', 'in hidden.txt', 'in seen.txt'];
  const own = ['deep.txt', 'in seen.txt'];
  assert.equal(await found(actor, 'fy:2021-22'), { found: all, files: all, listed: all });
  assert.equal(await found(ravi, 'fy:2021-22'), { found: own, files: own, listed: own });
  assert.equal((await found(ravi, 'txt fy:2021-22')).found, own);
  assert.equal((await found(ravi, 'hidden fy:2021-22')).found, []);
});

test.run();
