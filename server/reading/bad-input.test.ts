import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createColumnSealer, SEALED } from '#server/db/column-encryption.ts';
import { pdf } from '#server/tools/samples.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import { createSkipCache } from './skip-cache.ts';
import { createReadingQueue } from './queue.ts';
import { createReading } from './service.ts';
import { readAll } from './testing/office.ts';

const test = suite<World>('files that are hard to read');
test.before.each(async (world) => void Object.assign(world, await freshWorld()));
test.after.each((world) => world.close());

test('a file that takes too long is tried once more alone and then refused with the reason, and other files are still read', async (world) => {
  const { services, build, db, blobs, now, secret } = world;
  const actor = await build.actor();
  const fine = await build.file(actor, { name: 'fine.txt', content: 'Fine words' });
  const endless = await build.file(actor, {
    name: 'endless.pdf',
    content: pdf([Array.from({ length: 1_500_000 }, () => 'x')]),
  });
  const log: string[] = [];
  const impatient = createReading({
    ...services,
    db,
    blobs,
    clock: now,
    log: { info: (_: unknown, said?: string) => void log.push(said ?? '') },
    seal: createColumnSealer(secret, SEALED.textIndex.purpose),
    on: true,
    limits: { milliseconds: 700 },
  });
  // The time limit of the first file includes the start of the reader process.
  while ((await impatient.work(new AbortController().signal)) > 0);
  impatient.stop();
  const { state, reason } = await services.reading.state(actor, endless.id);
  assert.equal([state, reason], ['refused', 'time']);
  assert.is(log.filter((said) => said.includes('once more')).length >= 1, true);
  assert.is(await readAll(world), 0, 'it is not tried again by itself');
  await services.reading.readAgain(actor, fine.id);
  await readAll(world);
  assert.is((await services.reading.state(actor, fine.id)).state, 'read');
});

test('a file during whose reading the server crashed twice is not tried a third time', async (world) => {
  const { services, build, db } = world;
  const actor = await build.actor();
  const { id } = await build.file(actor, { name: 'a.txt', content: 'words' });
  await db('document_texts').update({ attempts: 2 });
  await readAll(world);
  const { state, reason } = await services.reading.state(actor, id);
  assert.equal([state, reason], ['refused', 'crash']);
});

test('files in Trash are checked only from time to time, not before each file that is read, since there may be thousands', async (world) => {
  const { services, build, db, now } = world;
  const actor = await build.actor();
  const trashed: number[] = [];
  for (let n = 0; n < 3; n += 1)
    trashed.push((await build.file(actor, { name: `${n}.txt`, content: `of Trash ${n}` })).id);
  await services.documents.remove(actor, trashed);
  let time = 0;
  // Each reading of this clock adds 100 ms, so that the query counts as expensive on any machine.
  const skipCache = createSkipCache(() => (time += 100));
  const queue = createReadingQueue({ db, clock: now, records: services.records, skipCache });
  assert.is(await queue.any(), false);
  assert.is(skipCache.range(actor.firmId).to, 3);
  const { id } = await build.file(actor, { name: 'new.txt', content: 'new' });
  assert.is((await queue.claim())?.item_id, id, 'what is new is found all the same');
  const [{ id: back }] = await db('trash').orderBy('id').limit(1);
  await services.trash.restore(actor, { ids: [back] });
  time += 60_000;
  assert.is(await queue.any(), true, 'and after a moment what came back');
});

test.run();
