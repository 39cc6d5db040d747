import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readConfig } from '../config/config.ts';
import { demandAccess } from './cannot-use.ts';
import { openDataDir } from './datadir.ts';

const test = suite<{ folder: string }>('a data folder that cannot be used');
const NOBODY = 65_534;

test.before.each(async (world) => {
  world.folder = await mkdtemp(join(tmpdir(), 'almirah-cannot-'));
});
test.after.each(({ folder }) => rm(folder, { recursive: true }));

const opening = (dataDir: string) =>
  openDataDir(readConfig({ DATA_DIR: dataDir }), pino({ level: 'silent' })).then(
    () => '',
    ({ message }: Error) => message,
  );

if (process.getuid?.() === 0)
  test('a data folder of another user is refused with the advice to start the service instead', async ({
    folder,
  }) => {
    await chown(folder, 0, 0);
    await chmod(folder, 0o700);
    process.setegid!(NOBODY);
    process.seteuid!(NOBODY);
    try {
      const said = await opening(join(folder, 'data'));
      assert.match(said, 'may not be made or opened by the user who starts the server');
      assert.match(said, 'sudo systemctl start almirah');
    } finally {
      process.seteuid!(0);
      process.setegid!(0);
    }
  });
else process.stdout.write('SKIPPED: a folder of another user takes root\n');

test('a DATA_DIR that is a file is refused with a message', async ({ folder }) => {
  const file = join(folder, 'data');
  await writeFile(file, '');
  assert.match(await opening(file), /is not a folder. Set DATA_DIR to one/);
});

test('a data folder that does not exist yet is accepted, since the first start creates it', async ({
  folder,
}) => {
  await demandAccess(join(folder, 'new'));
});

test.run();
