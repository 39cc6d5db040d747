import { Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { driveWorld } from '../dav/testing/drive.ts';
import type { World } from '#server/testing/world.ts';
import { TODAY, bytes, freshWorld, memoryBlobs } from '#server/testing/world.ts';
import type { Sweeper } from './sweeper.ts';
import { createSweeper } from './sweeper.ts';

interface Office extends World {
  actor: Actor;
  sweeper: Sweeper;
  /** While true, a backup is being made. */
  held: boolean;
}

const DAY = 24 * 60 * 60_000;
const test = suite<Office>('deleting unused blobs');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld({ trashDays: 0 }), { held: false });
  office.actor = await office.build.actor();
  office.sweeper = createSweeper({
    records: office.services.records,
    blobs: office.blobs,
    // Memory blobs are stamped with the real time.
    settled: async () =>
      new Date(Date.now() + office.now().getTime() - Date.parse('2026-11-20T10:00:00.000Z')),
    deletionLock: async (work) => (office.held ? undefined : work()),
  });
});
test.after.each((office) => office.close());

async function stored({ blobs }: Office): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of blobs.list()) ids.push(id);
  return ids.toSorted();
}

test('the blobs of deleted files are deleted, and those of other files are not', async (office) => {
  const { actor, build, services, sweeper } = office;
  const folder = await build.folder(actor);
  for (let n = 0; n < 450; n += 1) await build.file(actor, { name: `${n}.txt`, parent_id: folder.id });
  const kept = await build.file(actor);
  assert.is(await sweeper.drain(), 0);
  await services.documents.remove(actor, [folder.id]);
  assert.is((await stored(office)).length, 451, 'the deletion itself does not wait for it');
  assert.is(await sweeper.drain(), 450);
  assert.equal(await stored(office), [(await services.documents.openFile(actor, kept.id)).blob_id]);
  assert.equal(await services.records.takeDiscarded(10), []);
});

test('bytes without a row stay while the database of a reverted update is kept, since their row may be only there', async (office) => {
  const { blobs, services } = office;
  await blobs.put(Readable.from([Buffer.from('uploaded in the first minute')]));
  const kept = ['/data/update/after.sqlite'];
  const sweeper = createSweeper({
    records: services.records,
    blobs,
    settled: async () => new Date(Date.now() + 2 * DAY),
    otherDatabases: async () => kept,
  });
  assert.equal(await sweeper.sweepOrphans(), []);
  assert.is((await stored(office)).length, 1);
  kept.pop();
  assert.is((await sweeper.sweepOrphans()).length, 1);
});

test('the bytes of a program’s temporary file are no orphans, since the program may still make a document of it', async () => {
  const drive = await driveWorld();
  const { blobs, services } = drive;
  try {
    assert.is((await drive.dav('PUT', '/dav/Draft.tmp', { body: 'work' })).status, 201);
    const later = async () => new Date(Date.now() + 2 * DAY);
    await createSweeper({ records: services.records, blobs, settled: later }).sweepOrphans();
    const headers = { Destination: `${drive.base}/dav/Draft.docx` };
    assert.is((await drive.dav('MOVE', '/dav/Draft.tmp', { headers })).status, 201);
    const { blob_id } = await drive.db('item_rows').where({ name: 'Draft.docx' }).first('blob_id');
    assert.ok(await blobs.has(blob_id));
  } finally {
    await drive.close();
  }
});

test('no blob is deleted while a backup is being made, and all unused ones are deleted after it', async (office) => {
  const { id } = await office.build.file(office.actor);
  await office.services.documents.remove(office.actor, [id]);
  office.held = true;
  assert.is(await office.sweeper.drain(), 0);
  assert.is((await stored(office)).length, 1);
  office.held = false;
  assert.is(await office.sweeper.drain(), 1);
  assert.equal(await stored(office), []);
});

test('a blob without a row is deleted only after a day, since the row of a running upload is written after its blob', async (office) => {
  await office.build.file(office.actor);
  const { id } = await office.blobs.put(bytes('orphan'));
  assert.equal(await office.sweeper.sweepOrphans(), []);
  office.advance(DAY + 60_000);
  office.held = true;
  assert.equal(await office.sweeper.sweepOrphans(), []);
  office.held = false;
  const signal = AbortSignal.abort();
  assert.equal(await office.sweeper.sweepOrphans({ signal }), [], 'a stop before the first one');
  assert.equal(await office.sweeper.sweepOrphans(), [id]);
  assert.is((await stored(office)).length, 1);
});

test('if most blobs have no row, as with a lost database, none is deleted unless forced', async (office) => {
  for (let n = 0; n < 20; n += 1) await office.build.file(office.actor, { name: `${n}.txt` });
  await office.db('item_rows').delete();
  office.advance(DAY + 60_000);
  await office.sweeper.sweepOrphans().then(
    () => assert.unreachable(),
    (error: Error) => assert.match(error.message, /20 of 20 stored files have no entry/),
  );
  assert.is((await stored(office)).length, 20);
  assert.is((await office.sweeper.sweepOrphans({ force: true })).length, 20);
});

test('the server deletes old unfinished objects of killed writers on S3, since nobody sees the space they take', async () => {
  let begun = [new Date(TODAY.getTime() - 2 * DAY), TODAY];
  const office = await freshWorld({
    blobs: {
      ...memoryBlobs(),
      async discardUnfinished(before) {
        const all = begun.length;
        begun = begun.filter((date) => date >= before);
        return all - begun.length;
      },
    },
  });
  await office.services.sweeper.sweepOrphans();
  assert.equal(begun, [TODAY]);
  await office.close();
});

test.run();
