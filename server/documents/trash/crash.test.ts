import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { killAtLine } from '../../testing/kill-at-line.ts';
import { openOnDisk } from '../../testing/on-disk.ts';
import { findTotalsFaults } from '../../tools/totals.ts';

const DOER = join(import.meta.dirname, 'testing/doer.ts');

const STAGES: [line: string, nth: number][] = [
  ['write', 3],
  ['commit', 1],
  ['done', 1],
];

const test = suite('trash in a process that is killed');

for (const what of ['delete', 'restore', 'delete forever'] as const)
  for (const [line, nth] of STAGES)
    test(`${what}, at "${line}" number ${nth}: all of it or nothing is done, and it can be done again`, async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'trash-'));
      const first = await openOnDisk(dataDir);
      const actor = await first.build.actor();
      const folder = await first.build.folder(actor, 'Returns');
      for (const name of ['a.pdf', 'b.pdf', 'c.pdf'])
        await first.build.file(actor, { name, parent_id: folder.id });
      if (what !== 'delete') await first.services.documents.remove(actor, [folder.id]);
      await first.db.destroy();

      const args = [dataDir, what, String(folder.id), JSON.stringify(actor)];
      assert.ok(await killAtLine(DOER, args, line, nth), 'the stage was reached');

      const { db, services } = await openOnDisk(dataDir);
      try {
        await services.records.recover();
        assert.equal(await findTotalsFaults(db), []);
        const files = async () =>
          Number((await db('items').where({ type: 'file' }).count({ n: '*' }).first())?.n);
        const trashed = async () => (await services.trash.list(actor)).items.map((one) => one.files);
        const state = JSON.stringify([await files(), await trashed()]);
        const states = {
          delete: ['[3,[]]', '[0,[3]]'],
          restore: ['[0,[3]]', '[3,[]]'],
          'delete forever': ['[0,[3]]', '[0,[]]'],
        };
        assert.ok(states[what].includes(state), state);
        if (line === 'done') assert.is(state, states[what][1], 'what was answered has happened');
        if (what === 'delete') await services.documents.remove(actor, [folder.id]);
        if (what === 'delete forever') await services.trash.remove(actor, [folder.id]);
        else await services.trash.restore(actor, { ids: [folder.id] });
        assert.equal(
          JSON.stringify([await files(), await trashed()]),
          what === 'delete forever' ? '[0,[]]' : '[3,[]]',
        );
        await services.sweeper.drain();
        assert.equal(await db('hidden_items'), []);
        assert.equal(await findTotalsFaults(db), []);
      } finally {
        await services.stop();
        await db.destroy();
        await rm(dataDir, { recursive: true });
      }
    });

test.run();
