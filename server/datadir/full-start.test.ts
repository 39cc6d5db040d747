import { appendFile, copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { DATABASE_FILE } from '../../knexfile.ts';
import { readConfig } from '../config/config.ts';
import { smallDisk } from '../testing/small-disk.ts';
import { migratedFile } from '../testing/template.ts';
import { openDataDir } from './datadir.ts';

const disk = smallDisk(64);

if (disk)
  test('a server starts on a full disk by giving up its reserve, since otherwise nobody could delete anything', async () => {
    const dataDir = join(disk.path, 'data');
    const config = readConfig({ DATA_DIR: dataDir });
    const log = pino({ level: 'silent' });
    try {
      await mkdir(dataDir, { mode: 0o700 });
      await copyFile(await migratedFile(), join(dataDir, DATABASE_FILE));
      await (await openDataDir(config, log)).close();
      const fill = (bytes: number): Promise<void> =>
        appendFile(join(disk.path, 'others'), Buffer.alloc(bytes)).then(
          () => fill(bytes),
          (error: NodeJS.ErrnoException) => assert.is(error.code, 'ENOSPC'),
        );
      await fill(1024 * 1024);
      await fill(512);
      const vault = await openDataDir(config, log);
      await vault.db('firms').insert({ id: 7, name: 'Rao & Co', created_at: '' });
      await vault.close();
    } finally {
      await disk.remove();
    }
  });

test.run();
