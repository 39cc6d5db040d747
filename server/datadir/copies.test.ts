import { mkdir, readdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { smallDisk } from '../testing/small-disk.ts';
import { migrate, openDatabase, versionOf } from './database.ts';

const disk = smallDisk(16);

if (disk) {
  test('when the disk is too full for the copy before a migration, the migration is refused with a message and nothing is changed', async () => {
    const dataDir = join(disk.path, 'data');
    const backups = join(dataDir, 'backups');
    await mkdir(dataDir);
    const db = openDatabase(dataDir, { guarded: false });
    try {
      await migrate(db, backups, new Date());
      await db.migrate.down();
      const before = await versionOf(db);
      const { bavail, bsize } = await statfs(disk.path);
      await writeFile(join(disk.path, 'other'), Buffer.alloc(bavail * bsize - 64 * 1024));
      const { message } = (await migrate(db, backups, new Date()).catch((error: unknown) => error)) as Error;
      assert.is(
        message,
        `There is no room for the copy of the database that is made in ${backups} before it is changed. ` +
          'Make room on that disk and try again. Nothing was changed.',
      );
      assert.equal(await versionOf(db), before);
      assert.equal(await readdir(backups), [], 'no half a copy is left');
      await rm(join(disk.path, 'other'));
      assert.ok(await migrate(db, backups, new Date()), 'with room again it goes on');
    } finally {
      await db.destroy();
    }
  });
  test.after(() => disk.remove());
}

test.run();
