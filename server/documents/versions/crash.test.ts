import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { killAtLine } from '../../testing/kill-at-line.ts';
import { openOnDisk } from '../../testing/on-disk.ts';
import { findTotalsFaults } from '../../tools/totals.ts';

const DOER = join(import.meta.dirname, 'testing/doer.ts');

const STAGES: [what: 'replace' | 'restore' | 'delete', line: string, nth: number][] = [
  ['replace', 'stored', 1],
  ['replace', 'write', 3],
  ['replace', 'done', 1],
  ['restore', 'write', 4],
  ['restore', 'done', 1],
  ['delete', 'write', 3],
  ['delete', 'done', 1],
];
/** What the file holds and held, before and after. */
const STATES = {
  replace: ['second,first', 'third,second,first'],
  restore: ['second,first', 'first,second,first'],
  delete: ['second,first', 'second'],
};

const test = suite('versions in a process that is killed');

for (const [what, line, nth] of STAGES)
  test(`${what}, at "${line}" number ${nth}: all of it or nothing is done, and every content that is named is there`, async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'versions-'));
    const first = await openOnDisk(dataDir);
    const actor = await first.build.actor();
    const { id } = await first.build.file(actor, { name: 'a.txt', content: 'first' });
    await first.build.file(actor, { name: 'a.txt', content: 'second', conflict: 'replace' });
    const version = (await first.services.versions.list(actor, id)).earlier[0]!.id!;
    await first.db.destroy();
    const args = [dataDir, what, String(id), String(version), JSON.stringify(actor)];
    assert.ok(await killAtLine(DOER, args, line, nth), 'the stage was reached');

    const { db, services, blobs } = await openOnDisk(dataDir);
    try {
      await services.records.recover();
      await services.sweeper.drain();
      assert.equal(await findTotalsFaults(db), []);
      const { earlier } = await services.versions.list(actor, id);
      const refs = [id, ...earlier.map((one) => ({ item: id, version: one.id! }))];
      const texts: string[] = [];
      for (const ref of refs)
        texts.push(await text(await blobs.get((await services.documents.openFile(actor, ref)).blob_id)));
      assert.ok(STATES[what].includes(texts.join()), texts.join());
      if (line === 'done') assert.is(texts.join(), STATES[what][1], 'what was answered has happened');
    } finally {
      await services.stop();
      await db.destroy();
      await rm(dataDir, { recursive: true });
    }
  });

test.run();
