import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { assign, colleague } from '../../testing/colleague.ts';
import { seededRandom } from '../../testing/seeded-random.ts';
import { rejects } from '../../testing/rejects.ts';
import type { World } from '../../testing/world.ts';
import { freshWorld } from '../../testing/world.ts';
import { findTotalsFaults } from '../../tools/totals.ts';
import { refuseWrites } from '#server/testing/refuse-writes.ts';

const DAY_MS = 24 * 60 * 60_000;
const KIND = 'delete-expired-trash';

const test = suite<World & { actor: Actor }>('trash: what becomes of it');
test.before.each(async (world) => {
  Object.assign(world, await freshWorld({ trashDays: 30 }));
  world.actor = await world.build.actor();
});
test.after.each((world) => world.close());

const names = (items: { name: string }[]) => items.map(({ name }) => name);
const stored = async ({ blobs }: World) => (await Array.fromAsync(blobs.list())).length;

test('items past their days in Trash are deleted for ever, the others stay, and the history records it', async (world) => {
  const { services, build, advance, actor } = world;
  const first = await build.file(actor, { name: 'first.pdf' });
  const second = await build.file(actor, { name: 'second.pdf' });
  await services.documents.remove(actor, [first.id]);
  advance(10 * DAY_MS);
  await services.documents.remove(actor, [second.id]);
  advance(20 * DAY_MS - 60_001);
  services.start();
  await services.jobs.idle();
  advance(60_000);
  await services.jobs.runDue(KIND);
  assert.equal(names((await services.trash.list(actor)).items), ['second.pdf', 'first.pdf']);
  advance(60 * 60_000);
  await services.jobs.runDue(KIND);
  assert.equal(names((await services.trash.list(actor)).items), ['second.pdf']);
  await services.sweeper.drain();
  assert.is(await stored(world), 1);
  const [last] = (await services.audit.list(actor, { limit: 1 })).data;
  assert.equal(
    [last!.what, last!.about, last!.who],
    ['Deleted forever, after its time in Trash', 'first.pdf', null],
  );
  assert.is((await services.trash.list(actor)).bytes, 7);
});

test('items deleted with thirty days in Trash keep them, even if the setting is changed afterwards', async (world) => {
  const { services, build, advance, actor, db } = world;
  const { id } = await build.file(actor);
  await services.documents.remove(actor, [id]);
  advance(29 * DAY_MS);
  const [row] = await db('trash').select('purge_at');
  assert.is(Date.parse(row.purge_at) - world.now().getTime(), DAY_MS);
});

test('contents are stored while their files are in Trash and deleted when it is emptied; items deleted meanwhile stay in Trash', async (world) => {
  const { services, build, actor } = world;
  const folder = await build.folder(actor, 'Old');
  await build.file(actor, { name: 'a.pdf', parent_id: folder.id });
  const { id } = await build.file(actor, { name: 'b.pdf' });
  await services.documents.remove(actor, [folder.id, id]);
  await services.sweeper.drain();
  assert.is(await stored(world), 2);
  assert.equal(await services.sweeper.sweepOrphans({ grace: 0 }), []);
  const later = await build.file(actor, { name: 'later.pdf' });
  const emptying = services.trash.empty(actor);
  await services.documents.remove(actor, [later.id]);
  assert.is((await emptying).deleted, 2);
  assert.equal(names((await services.trash.list(actor)).items), ['later.pdf']);
  await services.sweeper.drain();
  assert.is(await stored(world), 1);
  assert.is(await services.records.used(actor.firmId), 7);
});

test('a folder deleted for ever leaves alone what was deleted from it before', async (world) => {
  const { services, build, actor } = world;
  const folder = await build.folder(actor, 'Old');
  const file = await build.file(actor, { name: 'a.pdf', parent_id: folder.id });
  await services.documents.remove(actor, [file.id]);
  await services.documents.remove(actor, [folder.id]);
  await services.trash.remove(actor, [folder.id]);
  await services.sweeper.drain();
  assert.is(
    await services.sweeper.waiting(),
    false,
    'and nobody waits for the folder, which has to wait for it',
  );
  const { restored } = await services.trash.restore(actor, { ids: [file.id] });
  assert.is((await services.documents.item(actor, file.id)).path, 'Old');
  assert.is.not(restored[0]!.parent_id, folder.id);
  await services.sweeper.drain();
  assert.equal(await world.db('hidden_items'), []);
});

test('of two users who restore and delete the same item at once, one is told that it is gone', async (world) => {
  const { services, build, actor } = world;
  const { id } = await build.file(actor);
  await services.documents.remove(actor, [id]);
  const [back, gone, again] = await Promise.all([
    services.trash.restore(actor, { ids: [id] }),
    services.trash.remove(actor, [id]),
    services.trash.restore(actor, { ids: [id] }),
  ]);
  assert.is(back.done.length + gone.done.length + again.done.length, 1);
  const told = [...back.failed, ...gone.failed, ...again.failed].map(({ message }) => message);
  assert.equal(told, ['This item is no longer in Trash.', 'This item is no longer in Trash.']);
  assert.equal(await findTotalsFaults(world.db), []);
});

test('a deletion or restore that fails halfway changes nothing', async (world) => {
  const { services, build, actor, db } = world;
  const folder = await build.folder(actor, 'Old');
  const file = await build.file(actor, { name: 'a.pdf', parent_id: folder.id });
  let allow = await refuseWrites(db, 'audit_events', 'INSERT');
  const fails = (work: Promise<unknown>) =>
    work.then(
      () => assert.unreachable(),
      () => undefined,
    );
  await fails(services.documents.remove(actor, [folder.id]));
  assert.is((await services.documents.item(actor, file.id)).path, 'Old');
  await allow();
  await services.documents.remove(actor, [folder.id]);
  allow = await refuseWrites(db, 'audit_events', 'INSERT');
  await fails(services.trash.restore(actor, { ids: [folder.id] }));
  await fails(services.trash.remove(actor, [folder.id]));
  await fails(services.trash.empty(actor));
  await rejects(services.documents.item(actor, file.id), 404);
  await allow();
  await services.trash.restore(actor, { ids: [folder.id] });
  assert.is((await services.documents.item(actor, file.id)).path, 'Old');
  assert.equal(await findTotalsFaults(db), []);
});

test('a full quota says how much of it is in Trash, and has room again once that is emptied', async (world) => {
  const { services, build, actor, db } = world;
  const { bytes } = await services.subscription.limitsOf(actor);
  const { id } = await build.file(actor);
  await services.documents.remove(actor, [id]);
  await db('trash').update({ bytes });
  await db('trash_usage').update({ bytes });
  const why = await rejects(build.file(actor), 422);
  assert.match(why.message, /of it is in Trash: empty Trash first, or upgrade your plan\.$/);
  await services.trash.empty(actor);
  await build.file(actor);
});

test('when a plan ends and more is stored than Free allows, files and versions can still be restored, and only new content is refused', async (world) => {
  const { services, build, advance, actor, db } = world;
  await services.subscription.startTrial(actor);
  const kept = await build.file(actor, { name: 'kept.pdf', content: 'as it was' });
  await build.file(actor, { name: 'kept.pdf', content: 'as it is', conflict: 'replace' });
  const gone = await build.file(actor, { name: 'gone.pdf' });
  await services.documents.remove(actor, [gone.id]);
  const trial = await services.subscription.limitsOf(actor);
  advance(29 * DAY_MS);
  const free = await services.subscription.limitsOf(actor);
  assert.ok(free.bytes < trial.bytes);
  await db('firm_usage')
    .where({ firm_id: actor.firmId })
    .update({ bytes: free.bytes + 1 });

  await services.trash.restore(actor, { ids: [gone.id] });
  assert.is((await services.documents.item(actor, gone.id)).name, 'gone.pdf');
  const versions = async () => (await services.versions.list(actor, kept.id)).earlier;
  const [earlier] = await versions();
  await services.versions.restore(actor, { item: kept.id, version: earlier!.id! });
  assert.is((await versions()).length, 2);
  await rejects(build.file(actor, { name: 'kept.pdf', content: 'new', conflict: 'replace' }), 422);
  assert.is((await versions()).length, 2);
  await services.documents.remove(actor, [gone.id]);
  await services.trash.remove(actor, [gone.id]);
});

test('a user with assigned clients sees in Trash only what belongs to these, also in the former paths', async (world) => {
  const { services, build, actor } = world;
  const { documents, trash } = services;
  const [mine, other] = [await build.client(actor, 'Mine'), await build.client(actor, 'Other')];
  const ravi = await colleague(world, actor, {
    permissions: ['documents.read', 'documents.write', 'documents.delete'],
  });
  await assign(world, ravi, [mine]);
  const theirs = await build.folder(actor, 'Of the other');
  await documents.setClient(actor, theirs.id, { client_id: other });
  const own = await build.file(actor, { name: 'own.pdf', parent_id: theirs.id, client_id: mine });
  const hidden = await build.file(actor, { name: 'hidden.pdf', parent_id: theirs.id });
  const mixed = await build.folder(actor, 'Mixed');
  await documents.setClient(actor, mixed.id, { client_id: mine });
  await build.file(actor, { name: 'x.pdf', parent_id: mixed.id, client_id: other });
  for (const id of [own.id, hidden.id, mixed.id]) await documents.remove(actor, [id]);
  const seen = await trash.list(ravi);
  assert.equal(
    seen.items.map(({ name, path, parent_id }) => [name, path, parent_id]),
    [['own.pdf', '', null]],
  );
  assert.equal([seen.total, seen.bytes], [1, 7]);
  assert.is((await services.dashboard.stats(ravi)).trash_bytes, 7);
  const gone = [{ id: hidden.id, name: null, message: 'This item is no longer in Trash.' }];
  assert.equal((await trash.restore(ravi, { ids: [hidden.id] })).failed, gone);
  assert.equal((await trash.remove(ravi, [hidden.id])).failed, gone);
  assert.is((await trash.empty(ravi)).deleted, 1);
  assert.equal(names((await trash.list(actor)).items), ['Mixed', 'hidden.pdf']);

  const stranger = await build.actor();
  assert.equal((await trash.list(stranger)).items, []);
  assert.is((await trash.restore(stranger, { ids: [mixed.id] })).done.length, 0);
  const reader = build.limited(actor, ['documents.read', 'documents.write']);
  await rejects(trash.list(reader), 403);
  await rejects(trash.restore(reader, { ids: [mixed.id] }), 403);
  await rejects(trash.remove(reader, [mixed.id]), 403);
  await rejects(trash.empty(reader), 403);
});

test('after a thousand steps at random the totals are the sums, and everything is in one place', async (world) => {
  const { services, build, actor, db } = world;
  const { documents, trash } = services;
  const random = seededRandom(7);
  const clients = [null, await build.client(actor, 'A'), await build.client(actor, 'B')];
  const ids = async (query: string) => (await db.raw(query)).map(({ id }: { id: number }) => id) as number[];
  for (let step = 0; step < 1000; step += 1) {
    const folders = [null, ...(await ids(`SELECT id FROM items WHERE type = 'folder'`))];
    const items = await ids('SELECT id FROM items');
    const gone = await ids('SELECT item_id AS id FROM trash');
    const some = (all: number[]) => all.filter(() => random.chance(2 / (all.length + 1)));
    const parent_id = random.pick(folders);
    const client_id = random.pick(clients);
    const dice = random.below(12);
    if (dice < 3) await build.file(actor, { name: `f ${random.below(6)}.pdf`, parent_id, client_id });
    else if (dice < 5)
      await documents.addFolder(actor, { name: `d ${random.below(4)}`, parent_id, client_id });
    else if (dice < 6 && items.length > 0)
      await documents.move(actor, { ids: some(items), parent_id, conflicts: 'keep' });
    else if (dice < 9) await documents.remove(actor, some(items));
    else if (dice < 10) await trash.restore(actor, { ids: some(gone), conflicts: 'keep' });
    else if (dice < 11) await trash.restore(actor, { ids: some(gone), conflicts: 'keep', parent_id });
    else await trash.remove(actor, some(gone).slice(0, 1));
    if (step % 50 === 0) {
      await services.sweeper.drain();
      assert.equal(await findTotalsFaults(db), [], `step ${step}`);
    }
  }
  await trash.restore(actor, { ids: await ids('SELECT item_id AS id FROM trash'), conflicts: 'keep' });
  await services.sweeper.drain();
  assert.equal(await findTotalsFaults(db), []);
  assert.equal(await db('hidden_items'), []);
  assert.equal(await db('trash'), []);
  assert.equal(
    await db.raw(
      `SELECT id FROM items WHERE name_key LIKE '/%' OR parent_id NOT IN (SELECT id FROM items WHERE type = 'folder')`,
    ),
    [],
  );
});

test.run();
