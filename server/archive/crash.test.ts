import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listed } from '#storage/conformance.ts';
import { killAtLine } from '../testing/kill-at-line.ts';
import { openOnDisk } from '../testing/on-disk.ts';
import { forge } from './read/testing/forge.ts';

const UNPACKER = join(import.meta.dirname, 'testing/unpacker.ts');
const FILES = 30;

const STAGES: [string, number][] = [
  ['started', 1],
  ['reserved', 1],
  ['put', 1],
  ['stored', 1],
  ['put', 15],
  ['stored', FILES],
  ['row', 1],
  ['row', 2],
  ['settled', 1],
  ['commit', 1],
  ['commit', 3],
];

const test = suite('unpacking in a process that is killed');

for (const [line, nth] of STAGES) {
  test(`at "${line}" number ${nth}: all or nothing is there, and the next start finishes it`, async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'extract-'));
    const first = await openOnDisk(dataDir);
    const actor = await first.build.actor();
    const content = forge(
      Array.from({ length: FILES }, (_, n) => ({ name: `f/${n}.txt`, data: 'x'.repeat(5000) })),
    );
    const zip = await first.build.file(actor, { name: 'Returns.zip', content });
    const { id } = await first.services.extraction.start(actor, zip.id);
    await first.db.destroy();

    assert.ok(await killAtLine(UNPACKER, [dataDir], line, nth), 'the stage was reached');

    const { db, services, blobs } = await openOnDisk(dataDir);
    try {
      const names = async () => (await services.documents.folder(actor, null)).items.map(({ name }) => name);
      const files = async () =>
        Number((await db('items').where({ file_type: 'txt' }).count({ n: '*' }).first())?.n);
      const before = await files();
      assert.ok(before === 0 || before === FILES, `${before} files are seen after the kill`);
      await services.jobs.start(services.records.recover);
      await services.jobs.idle();
      const end = await services.extraction.status(actor, id);
      assert.is(end.status, 'completed', end.message);
      assert.equal(await names(), ['Returns', 'Returns.zip'], 'once, and not twice');
      assert.is(await files(), FILES);
      assert.equal(await db('storage_reservations'), []);
      assert.equal(await services.records.recount(), []);
      // What the killed process had written without rows is the sweep's to delete.
      await services.sweeper.drain();
      await services.sweeper.sweepOrphans({ grace: -60_000, force: true });
      assert.is((await listed(blobs)).length, FILES + 1);
      await services.jobs.stop();
    } finally {
      await db.destroy();
      await rm(dataDir, { recursive: true });
    }
  });
}

test.run();
