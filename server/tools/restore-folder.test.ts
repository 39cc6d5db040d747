import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { smallDisk } from '../testing/small-disk.ts';
import type { Office } from '../testing/command-office.ts';
import { eachOffice, refused, run } from '../testing/command-office.ts';
import { backup } from './backup.ts';
import { backups } from './backups.ts';
import { restore } from './restore.ts';

const test = suite<Office>('the folder of a restore');

eachOffice(test);

test('a target or a key that is no such file or folder is named, since a stack trace says nothing to an admin', async (office) => {
  const { build, actor, dataDir, scratch } = office;
  await build.file(actor);
  const hand = join(scratch, 'hand');
  await run(backup, dataDir, [hand]);
  const file = join(scratch, 'file');
  await writeFile(file, 'x');
  await refused(backup, dataDir, [file], /file is not a folder/);
  await refused(backup, dataDir, ['/dev/null/x'], /null\/x is not a folder/);
  const to = join(scratch, 'to');
  await refused(restore, dataDir, [hand, to], /recovery sheet in a file with --sheet FILE, or the key/);
  await refused(backups, dataDir, ['restore', to], /restore \S+hand \S+to --sheet words\.txt$/, {
    from: hand,
    sheet: 'words.txt',
  });
  await refused(restore, dataDir, [hand, join(scratch, 'usb/to')], /usb is not there\. Connect the disk/, {
    key: join(dataDir, 'master.key'),
  });
  await refused(restore, dataDir, [hand, file], /file is not a folder/, { key: join(dataDir, 'master.key') });
  await refused(restore, dataDir, [hand, to], /--key \S+none cannot be read: there is no such file/, {
    key: join(scratch, 'none'),
  });
  await refused(restore, dataDir, [hand, to], /--sheet \S+ cannot be read: that is a folder/, {
    sheet: scratch,
  });
  const place = join(scratch, 'place');
  await mkdir(place);
  const env = { DATA_DIR: dataDir, BACKUP_DIR: place };
  assert.ok(await backups.run({ args: ['run'], options: {}, env, say: () => {} }));
  for (const option of ['key', 'sheet'])
    await refused(backups, dataDir, ['restore', to], new RegExp(`--${option} \\S+none cannot be read`), {
      from: place,
      [option]: join(scratch, 'none'),
    });
});

test('looking at backups creates nothing, also where nothing may be written', async ({
  dataDir,
  scratch,
}) => {
  const folder = join(scratch, 'other');
  await mkdir(folder);
  await run(backups, dataDir, ['list'], { from: folder });
  assert.equal(await readdir(folder), []);
});

const disk = smallDisk(2);
if (disk) {
  test('a restore onto a full disk names it, and the next one says that the half of it may be removed', async (office) => {
    const { build, actor, dataDir, scratch } = office;
    await build.file(actor, { content: Buffer.alloc(3_000_000) });
    const hand = join(scratch, 'hand');
    await run(backup, dataDir, [hand], { 'with-key': true });
    const to = join(disk.path, 'to');
    await refused(restore, dataDir, [hand, to], /^There is no space left in \S+to\. .*not whole: remove it/);
    await refused(restore, dataDir, [hand, to], /holds a restore that was cut off.*remove the folder/);
    await rm(to, { recursive: true });
    const whole = join(scratch, 'whole');
    assert.ok((await run(restore, dataDir, [hand, whole])).sound);
    assert.not((await readdir(whole)).includes('restore-unfinished'));
  });
  test.after(() => disk.remove());
}

test.run();
