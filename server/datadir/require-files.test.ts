import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readConfig } from '../config/config.ts';
import type { Office } from '../testing/command-office.ts';
import { eachOffice } from '../testing/command-office.ts';
import { openDataDir } from './datadir.ts';

const test = suite<Office>('a data folder without its files');
eachOffice(test);

const open = (dataDir: string) => openDataDir(readConfig({ DATA_DIR: dataDir }), pino({ level: 'silent' }));
const refusal = (dataDir: string): Promise<string> =>
  open(dataDir).then(
    async (opened) => {
      await opened.close();
      return '';
    },
    (error: Error) => error.message,
  );

test('a server whose disk with the files is not mounted does not start, or what it stores would be hidden below the mount point', async (office) => {
  const { build, actor, dataDir, scratch } = office;
  await build.file(actor, { name: 'Form 16.pdf', content: 'abc' });
  await office.close();
  const files = join(dataDir, 'blobs');
  await rename(files, join(scratch, 'disk'));
  await mkdir(join(files, '00'), { recursive: true });
  await writeFile(join(files, 'not mounted.txt'), '');
  await writeFile(join(files, '00/stored-before'), '');
  assert.match(await refusal(dataDir), /names files, but .*blobs has none of the oldest.* mount it/);
  assert.equal((await readdir(files)).toSorted(), ['00', 'not mounted.txt'], 'the mount point is as before');

  await writeFile(join(dataDir, 'start-without-files'), '');
  assert.is(await refusal(dataDir), '', 'an admin who has lost them can start all the same');
  Object.assign(office, await open(dataDir));
});

test('a vault whose files were all deleted starts', async (office) => {
  const { build, actor, blobs, db, dataDir, services } = office;
  const { id } = await build.file(actor, { name: 'Form 16.pdf', content: 'abc' });
  const { blob_id } = await db('item_rows').where({ id }).first('blob_id');
  await services.documents.remove(actor, [id]);
  await blobs.delete(blob_id);
  await office.close();
  assert.is(await refusal(dataDir), '');
  Object.assign(office, await open(dataDir));
});

test.run();
