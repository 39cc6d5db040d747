import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { backup } from './backup.ts';
import type { Office } from '../testing/command-office.ts';
import { eachOffice, run } from '../testing/command-office.ts';
import { restore } from './restore.ts';
import { verify } from './verify.ts';

const test = suite<Office>('backup, restore, verify: Trash');
eachOffice(test, { trashDays: 30 });

test('files in Trash are included in a backup and verified', async (office) => {
  const { services, build, actor, dataDir, scratch, blobs, db } = office;
  const folder = await build.folder(actor, 'Returns');
  await build.file(actor, { name: 'a.pdf', content: 'of a', parent_id: folder.id });
  await build.file(actor, { name: 'b.pdf', content: 'of b' });
  await services.documents.remove(actor, [folder.id]);
  await services.sweeper.drain();
  const copy = join(scratch, 'copy');
  assert.match((await run(backup, dataDir, [copy], { 'with-key': true })).said, /\b2 files\b/);
  const back = join(scratch, 'back');
  assert.ok((await run(restore, dataDir, [copy, back])).sound);
  const read = { 'read-data': true };
  assert.match((await run(verify, dataDir, [], read)).said, /\b2 files\b/);
  const [row] = await db('item_rows').where({ name: 'a.pdf' }).select('blob_id');
  await blobs.delete(row.blob_id);
  const { sound, said } = await run(verify, dataDir, [], read);
  assert.not(sound);
  assert.match(said, /"a\.pdf" .* is missing from the store/);
});

test('wrong totals of Trash are found and repaired', async ({ services, build, actor, dataDir, db }) => {
  const { id } = await build.file(actor);
  await services.documents.remove(actor, [id]);
  await db('trash_usage').update({ bytes: 100, items: 3 });
  const { sound, said } = await run(verify, dataDir);
  assert.not(sound);
  assert.match(said, /the totals of Trash of firm \d+: off by 2 items, 0 files, 93 bytes/);
  assert.ok((await run(verify, dataDir, [], { 'mend-totals': true })).sound);
});

test.run();
