import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pino } from 'pino';
import type { Actor } from '#server/actor.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';
import { createDeletionClock, goOn } from './deletion-clock.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

interface Office extends World {
  actor: Actor;
  /** Purges all items that are due. @returns the names left in Trash. */
  purged: () => Promise<string[]>;
}

const test = suite<Office>('the clock for deletion by age');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld({ trashDays: 30, versions: { days: 30, most: 1 } }));
  office.actor = await office.build.actor();
  office.purged = async () => {
    await office.services.expiry.expire();
    return (await office.services.trash.list(office.actor)).items.map(({ name }) => name);
  };
  const { id } = await office.build.file(office.actor, { name: 'deleted.pdf' });
  await office.services.documents.remove(office.actor, [id]);
  await office.services.deletionClock.keep();
});
test.after.each((office) => office.close());

/** The clock of a server that is started now. */
function restarted({ db, now, services }: Office) {
  let ran = 0;
  const clock = createDeletionClock({
    db,
    clock: now,
    ticks: () => ran,
    audit: services.audit,
    log: pino({ level: 'silent' }),
  });
  return { ...clock, run: (ms: number) => (ran += ms) };
}

test('a jump of the clock by a year deletes neither Trash nor versions, and the history says why', async (office) => {
  const { services, actor, build, shiftClock, advance, purged } = office;
  const put = (content: string) =>
    build.file(actor, { name: 'kept.txt', content, conflict: 'replace' }).then(({ id }) => id);
  await put('a');
  await put('b');
  const id = await put('c');
  shiftClock(365 * DAY);
  assert.equal(await purged(), ['deleted.pdf']);
  assert.is(await services.thinning.thin(), 0);
  await services.deletionClock.keep();
  await services.deletionClock.keep();
  const { data } = await services.audit.list(actor, { limit: 2 });
  assert.equal(
    [data[0]!.what, data[0]!.about],
    ['Deletions by age wait: the clock of the server jumped', '365 days ahead'],
  );
  assert.is.not(data[1]!.what, data[0]!.what, 'once');
  for (let day = 0; day < 6; day += 1) {
    advance(DAY);
    assert.equal(await purged(), ['deleted.pdf']);
  }
  shiftClock(-365 * DAY);
  assert.equal(await purged(), ['deleted.pdf'], 'nor once the clock was put right');
  advance(23 * DAY);
  assert.equal(await purged(), ['deleted.pdf']);
  advance(DAY);
  assert.equal(await purged(), [], 'but after its thirty days');
  assert.is((await services.versions.list(actor, id)).earlier.length, 2);
  assert.is(await services.thinning.thin(), 1);
});

test('a clock that is a year ahead at the start is accepted only after a week of running', async (office) => {
  const began = office.now();
  office.shiftClock(365 * DAY);
  let server = restarted(office);
  assert.equal(await server.now(), began);
  for (let night = 0; night < 6; night += 1) {
    server.run(DAY);
    office.shiftClock(DAY);
    assert.is(((await server.now()).getTime() - began.getTime()) / DAY, night + 1, 'it goes on as time does');
    await server.keep();
    server = restarted(office);
  }
  server.run(DAY);
  office.shiftClock(DAY);
  await server.now();
  server.run(HOUR);
  office.shiftClock(HOUR);
  assert.equal(await server.now(), office.now(), 'then nobody has found it wrong');
});

test('after two weeks switched off the server deletes by age again after a day of running', async (office) => {
  const began = office.now();
  office.shiftClock(14 * DAY);
  const server = restarted(office);
  assert.equal(await server.now(), began);
  for (let hour = 0; hour < 23; hour += 1) {
    server.run(HOUR);
    office.shiftClock(HOUR);
    assert.ok((await server.now()) < office.now());
    assert.ok(await server.due(), 'and keeps meanwhile how long it has run');
  }
  server.run(HOUR);
  office.shiftClock(HOUR);
  assert.equal(await server.now(), office.now());
});

test('a night switched off causes no wait, nor does a clock that starts in 1970 and is then set', async (office) => {
  office.shiftClock(14 * HOUR);
  const server = restarted(office);
  assert.equal(await server.now(), office.now());
  await server.keep();
  const right = office.now().getTime();
  office.shiftClock(-right);
  const without = restarted(office);
  assert.is((await without.now()).getTime(), 0, 'never beyond the clock itself');
  office.shiftClock(right + 60_000);
  without.run(60_000);
  assert.equal(await without.now(), office.now());
});

test('without a stored time the clock starts from the newest entry of the history', async (office) => {
  await office.db('deletion_clock').delete();
  const newest = office.now();
  office.shiftClock(365 * DAY);
  assert.equal(await restarted(office).now(), newest);
});

test('the wait restarts when the clock jumps again', () => {
  const started = goOn({ seen: 0, doubted: null, waited: 0 }, 20 * DAY, 0);
  const later = goOn(started, 20 * DAY + 20 * HOUR, 20 * HOUR);
  assert.is(later.waited, 20 * HOUR);
  const again = goOn(later, 35 * DAY, HOUR);
  assert.equal(again, { seen: 21 * HOUR, doubted: 35 * DAY, waited: 0 });
});

test.run();
