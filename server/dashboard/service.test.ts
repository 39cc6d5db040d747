import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rejects } from '../testing/rejects.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';
import type { Dashboard } from './service.ts';
import { createDashboard } from './service.ts';

const DAY = 24 * 60 * 60_000;
const test = suite<World & { dashboard: Dashboard }>('dashboard');
test.before.each(async (world) => {
  Object.assign(world, await freshWorld());
  world.dashboard = createDashboard({ clock: world.now, ...world.services });
});
test.after.each((world) => world.close());

test('the figures count only files and clients of the own firm, and no deleted ones', async ({
  dashboard,
  services,
  build,
}) => {
  const [actor, other] = [await build.actor(), await build.actor()];
  const folder = await build.folder(actor);
  await build.file(actor, { name: 'a.pdf', content: 'x'.repeat(3072), parent_id: folder.id });
  await build.file(actor, { name: 'b.txt', content: 'x'.repeat(1024) });
  await build.client(actor);
  await build.file(other, { content: 'y'.repeat(9999) });
  const stats = await dashboard.stats(actor);
  assert.equal([stats.total_files, stats.total_clients], [2, 1]);
  assert.equal([stats.used_bytes, stats.usage_text, stats.percentage], [4096, '4 KB / 1 GB', 0]);
  assert.equal(await dashboard.storageBreakdown(actor), [
    { type: 'pdf', count: 1, size: 3072, formatted_size: '3 KB', percentage: 75 },
    { type: 'txt', count: 1, size: 1024, formatted_size: '1 KB', percentage: 25 },
  ]);
  await services.documents.remove(actor, [folder.id]);
  assert.is((await dashboard.stats(actor)).total_files, 1);
  assert.equal(
    (await dashboard.storageBreakdown(actor)).map(({ type }) => type),
    ['txt'],
  );
});

test('tif and tiff are one type in the figures, because they are two spellings of it', async ({
  dashboard,
  services,
  build,
}) => {
  const actor = await build.actor();
  await build.file(actor, { name: 'a.tif', content: 'x'.repeat(1024) });
  await build.file(actor, { name: 'b.TIFF', content: 'x'.repeat(1024) });
  await build.file(actor, { name: 'c.pdf', content: 'x'.repeat(1536) });
  assert.equal(
    (await dashboard.storageBreakdown(actor)).map(({ type, count, size }) => [type, count, size]),
    [
      ['tiff', 2, 2048],
      ['pdf', 1, 1536],
    ],
  );
  const { types } = await services.details.sums(actor, []);
  assert.equal(types[0], { file_type: 'tiff', files: 2, bytes: 2048 });
});

test('the newest files are listed with the folder of each', async ({ dashboard, build, advance }) => {
  const actor = await build.actor();
  const folder = await build.folder(actor, 'Sharma');
  for (const name of ['old.txt', 'middle.txt', 'new.txt']) {
    advance(1000);
    await build.file(actor, { name, parent_id: folder.id });
  }
  const newest = await dashboard.newestFiles(actor, 2);
  assert.equal(
    newest.map(({ name, path }) => [name, path]),
    [
      ['new.txt', 'Sharma'],
      ['middle.txt', 'Sharma'],
    ],
  );
});

test('recent files are those that this user opened or changed, not only uploaded ones', async ({
  dashboard,
  services,
  build,
  advance,
}) => {
  const actor = await build.actor();
  const [a, b] = [await build.file(actor, { name: 'a.pdf' }), await build.file(actor, { name: 'b.pdf' })];
  const names = async () => (await dashboard.recentFiles(actor)).map(({ name }) => name).join(' ');
  advance(1000);
  await services.documents.downloadUrl(actor, a.id);
  assert.is(await names(), 'a.pdf b.pdf');
  advance(1000);
  await services.documents.rename(actor, b.id, { name: 'c.pdf' });
  assert.is(await names(), 'c.pdf a.pdf');
  advance(1000);
  await build.folder(actor, 'New');
  assert.is(await names(), 'New c.pdf a.pdf');
  await services.documents.remove(actor, [a.id]);
  assert.is(await names(), 'New c.pdf');
  assert.equal(await dashboard.recentFiles(await build.actor()), []);
});

test('at most 240 recent files are stored for a user', async ({ db, build, services, advance }) => {
  const actor = await build.actor();
  for (let index = 0; index < 300; index += 1) {
    advance(1000);
    await build.file(actor, { name: `${index}.txt` });
  }
  const [{ n }] = (await db('touches').count({ n: '*' })) as [{ n: number }];
  assert.ok(n <= 240, String(n));
  assert.is((await services.documents.recent(actor, 1))[0]?.name, '299.txt');
});

test('suggestions for cleaning up are the largest files, and the oldest ones that nobody used for three months', async ({
  dashboard,
  services,
  build,
  advance,
}) => {
  const actor = await build.actor();
  for (const [name, size] of [
    ['small.txt', 10],
    ['large.txt', 5000],
    ['middle.txt', 300],
  ] as const) {
    advance(1000);
    await build.file(actor, { name, content: 'x'.repeat(size) });
  }
  const names = (items: { name: string }[]) => items.map(({ name }) => name).join(' ');
  assert.is(names(await dashboard.largestFiles(actor)), 'large.txt middle.txt small.txt');
  advance(89 * DAY);
  assert.is(names(await dashboard.untouchedFiles(actor)), '');
  advance(2 * DAY);
  assert.is(names(await dashboard.untouchedFiles(actor)), 'small.txt large.txt middle.txt');
  const [, large] = await dashboard.untouchedFiles(actor);
  await services.documents.rename(actor, large!.id, { name: 'kept.txt' });
  assert.is(names(await dashboard.untouchedFiles(actor)), 'small.txt middle.txt');
});

test('a firm without files has figures of zero', async ({ dashboard, build }) => {
  const actor = await build.actor();
  assert.is((await dashboard.stats(actor)).usage_text, '0 B / 1 GB');
  assert.equal(await dashboard.storageBreakdown(actor), []);
  assert.equal(await dashboard.recentFiles(actor), []);
});

test('figures require the permission to read documents', async ({ dashboard, build }) => {
  const actor = build.limited(await build.actor(), ['clients.write']);
  for (const call of [dashboard.stats, dashboard.recentFiles, dashboard.storageBreakdown])
    await rejects(call(actor), 403);
});

test.run();
