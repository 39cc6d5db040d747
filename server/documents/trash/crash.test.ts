import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openOnDisk } from '../../archive/testing/office.ts';
import { totalsFaults } from '../../tools/totals.ts';

const DOER = join(import.meta.dirname, 'testing/doer.ts');

/** Does it in a process of its own, which is killed when it has said `line` for the `nth` time. */
function killAt(args: readonly string[], line: string, nth: number): Promise<boolean> {
  const child = spawn(process.execPath, [DOER, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let seen = 0;
  let killed = false;
  createInterface({ input: child.stdout }).on('line', (said) => {
    seen += said === line ? 1 : 0;
    if (killed || seen < nth) return;
    killed = true;
    child.kill('SIGKILL');
  });
  const patience = setTimeout(() => child.kill('SIGKILL'), 30_000);
  return new Promise((resolve) =>
    child.once('close', () => {
      clearTimeout(patience);
      resolve(killed);
    }),
  );
}

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
      assert.ok(await killAt(args, line, nth), 'the stage was reached');

      const { db, services } = await openOnDisk(dataDir);
      try {
        await services.records.recover();
        assert.equal(await totalsFaults(db), []);
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
        assert.equal(await totalsFaults(db), []);
      } finally {
        await services.stop();
        await db.destroy();
        await rm(dataDir, { recursive: true });
      }
    });

test.run();
