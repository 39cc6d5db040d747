import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import type { World } from '../../testing/world.ts';
import { freshWorld } from '../../testing/world.ts';
import { findTotalsFaults } from '../../tools/totals.ts';
import { surplus } from './thin.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const KIND = 'delete-expired-versions';

interface Office extends World {
  actor: Actor;
  put: (content: string) => Promise<number>;
  /** When the earlier versions came in, the newest first. */
  times: (id: number) => Promise<string[]>;
  thin: () => Promise<void>;
}

const test = suite<Office>('how long versions are kept');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld({ versions: { days: 30, most: 3 } }));
  const { build, services } = office;
  office.actor = await build.actor();
  office.put = async (content) =>
    (await build.file(office.actor, { name: 'return.txt', content, conflict: 'replace' })).id;
  office.times = async (id) =>
    (await services.versions.list(office.actor, id)).earlier.map(({ created_at }) => created_at.slice(8, 16));
  office.thin = async () => {
    services.start();
    await services.jobs.idle();
    office.advance(HOUR);
    await services.jobs.runDue(KIND);
  };
});
test.after.each(async (office) => {
  assert.equal(await findTotalsFaults(office.db), []);
  await office.close();
});

test('all young versions of a file stay, and of older ones the last of each day up to the limit', () => {
  const row = (day: string, replaced_at: string, kept_as: string | null = null) => ({
    day,
    replaced_at,
    kept_as,
  });
  const young = [row('09', '9'), row('09', '9')];
  const old = [row('04', '4'), row('04', '4'), row('03', '3', 'as filed'), row('02', '2'), row('01', '1')];
  assert.equal(surplus([...young, ...old], 2, '5'), [old[1], old[4]]);
  assert.equal(surplus([...young, ...old], 0, '5'), [old[0], old[1], old[3], old[4]]);
  assert.equal(surplus(old, 0, '9'), [old[0], old[1], old[3], old[4]], 'never what is kept forever');
});

test('of versions past their days only the last of each day in India stays, and the history says which were deleted', async (office) => {
  const { advance, put, times, thin, services, actor, blobs } = office;
  // 15:30 and 22:30 in India, and 02:30 of the day after.
  const id = await put('a');
  advance(7 * HOUR);
  await put('b');
  advance(4 * HOUR);
  await put('c');
  await put('d');
  advance(30 * DAY - 6 * HOUR);
  await thin();
  assert.equal(await times(id), ['20T21:00', '20T17:00', '20T10:00'], 'not before their time');
  advance(2 * HOUR);
  await thin();
  assert.equal(await times(id), ['20T21:00', '20T17:00']);
  await services.sweeper.drain();
  assert.is((await Array.fromAsync(blobs.list())).length, 3);
  const [last] = (await services.audit.list(actor, { limit: 1 })).data;
  assert.equal(
    [last!.what, last!.about, last!.who],
    ['Deleted earlier versions, after their time', 'return.txt', null],
  );
});

test('at most as many days as the limit keep a version, and versions marked to be kept forever do not count', async (office) => {
  const { advance, put, times, thin, services, actor } = office;
  const id = await put('0');
  await services.versions.keep(actor, { item: id, version: null }, 'as filed');
  for (let n = 1; n <= 6; n += 1) {
    advance(DAY);
    await put(`${n}`);
  }
  advance(40 * DAY);
  await thin();
  assert.equal(
    (await times(id)).map((time) => time.slice(0, 2)),
    ['25', '24', '23', '20'],
  );
  const { earlier } = await services.versions.list(actor, id);
  await services.versions.keep(actor, { item: id, version: earlier.at(-1)!.id }, null);
  await thin();
  assert.is((await times(id)).length, 3, 'and goes like the others once it is let go');
});

test('versions of files in Trash are restored as they were, and thinned out afterwards', async (office) => {
  const { advance, put, times, thin, services, actor } = office;
  const id = await put('a');
  await put('b');
  await put('c');
  advance(25 * DAY);
  await services.documents.remove(actor, [id]);
  advance(10 * DAY);
  await thin();
  await services.trash.restore(actor, { ids: [id] });
  assert.is((await times(id)).length, 2);
  await thin();
  assert.is((await times(id)).length, 1);
});

test('a clock that is set back keeps everything, and one that jumps ahead leaves the last of each day', async (office) => {
  const { advance, put, times, thin } = office;
  const id = await put('a');
  advance(-5 * DAY);
  await put('b');
  await put('c');
  await thin();
  assert.is((await times(id)).length, 2);
  advance(4000 * DAY);
  await thin();
  assert.is((await times(id)).length, 2, 'of two days');
});

test.run();
