import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { backup } from './backup.ts';
import type { Office } from '../testing/command-office.ts';
import { eachOffice, run } from '../testing/command-office.ts';
import { openAlongside } from './open-alongside.ts';
import { readConfig } from '../config/config.ts';
import { restore } from './restore.ts';
import { verify } from './verify.ts';

const test = suite<Office>('backup, restore, verify: versions');
eachOffice(test, { trashDays: 30 });

const READ = { 'read-data': true };

async function replaced({ services, build, actor }: Office): Promise<number> {
  const put = async (content: string) =>
    (await build.file(actor, { name: 'a.pdf', content, conflict: 'replace' })).id;
  const id = await put('first');
  await put('second');
  const { earlier } = await services.versions.list(actor, id);
  // The file, and one of its versions, have one blob now.
  await services.versions.restore(actor, { item: id, version: earlier[0]!.id! });
  await services.documents.remove(actor, [id]);
  return id;
}

test('earlier versions are included in a backup and verified, also those of files in Trash', async (office) => {
  const { dataDir, scratch, blobs, db } = office;
  await replaced(office);
  const copy = join(scratch, 'copy');
  const made = await run(backup, dataDir, [copy], { 'with-key': true });
  assert.match(made.said, /\b1 files and 1 earlier versions\b/);
  const back = join(scratch, 'back');
  const brought = await run(restore, dataDir, [copy, back], READ);
  assert.ok(brought.sound, brought.said);
  assert.match(brought.said, /\b1 files and 1 earlier versions\b/);
  const [row] = await db('versions').orderBy('id', 'desc').select('blob_id');
  const vault = await openAlongside(readConfig({ DATA_DIR: back }));
  assert.is(await text(await vault.blobs.get(row.blob_id)), 'second');
  await vault.close();
  await blobs.delete(row.blob_id);
  for (const how of [{}, READ]) {
    const { sound, said } = await run(verify, dataDir, [], how);
    assert.not(sound);
    assert.match(said, /"a\.pdf" \(item \d+, its version of [\d-]+\) is missing from the store/);
  }
  const left = await run(backup, dataDir, [join(scratch, 'other')]);
  assert.match(left.said, /WRONG: "a\.pdf" \(item \d+, its version of/);
});

test('wrong totals of versions are found and repaired', async (office) => {
  await replaced(office);
  await office.db('version_usage').update({ bytes: 100 });
  const { sound, said } = await run(verify, office.dataDir);
  assert.not(sound);
  assert.match(said, /the totals of earlier versions of firm \d+: off by 94 bytes/);
  assert.ok((await run(verify, office.dataDir, [], { 'mend-totals': true })).sound);
});

test.run();
