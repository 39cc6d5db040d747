import { spawnSync } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readConfig } from '../config/config.ts';
import { smallDisk } from '../testing/small-disk.ts';
import { requireAccess } from './cannot-use.ts';
import { openDataDir } from './datadir.ts';
import { makeFolder } from './make-folder.ts';

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

test('a data folder that cannot be written is refused, with the advice to run install after a change of DATA_DIR', async () => {
  const disk = smallDisk(1);
  if (!disk) return;
  try {
    spawnSync('mount', ['-o', 'remount,ro', disk.path]);
    const said = await opening(join(disk.path, 'data'));
    assert.match(
      said,
      /Is its disk mounted read-only.*after a change of DATA_DIR run .* install\. \(EROFS\)/,
    );
  } finally {
    await disk.remove();
  }
});

test('a DATA_DIR that is a file is refused with a message', async ({ folder }) => {
  const file = join(folder, 'data');
  await writeFile(file, '');
  assert.match(await opening(file), /is not a folder. Set DATA_DIR to one/);
});

test('a folder with files of others is not made a vault, because that would close it to them', async ({
  folder,
}) => {
  await chmod(folder, 0o755);
  await writeFile(join(folder, 'letters.txt'), '');
  assert.match(await opening(folder), /is no vault, and has other files in it \(letters\.txt\)/);
  assert.is((await stat(folder)).mode & 0o777, 0o755);
});

test('an empty disk is made a vault, and a vault stays one whatever is added to it', async ({ folder }) => {
  const log = pino({ level: 'silent' });
  await mkdir(join(folder, 'lost+found'));
  await writeFile(join(folder, 'almirah.log'), '');
  const config = readConfig({ DATA_DIR: folder, LOG_FILE: join(folder, 'almirah.log') });
  for (let start = 0; start < 2; start += 1) {
    await (await openDataDir(config, log)).close();
    await writeFile(join(folder, 'letters.txt'), '');
  }
});

test('a DATA_DIR that is a link to nothing is refused with a message, as of a disk that is not connected', async ({
  folder,
}) => {
  const link = join(folder, 'data');
  await symlink(join(folder, 'nowhere'), link);
  assert.match(await opening(link), /is a link to one that is not there. Connect its disk/);
  assert.match(
    await requireAccess(link).then(String, ({ message }: Error) => message),
    /is a link to one that is not there/,
  );
});

if (process.platform === 'linux')
  test('a DATA_DIR where no folder can be made is refused with a message, because making it would never end', async () => {
    assert.match(await opening('/proc/none'), /cannot be made/);
    assert.match(await opening('/proc/none/data'), /cannot be made/);
  });

test('a data folder is made with those above it, for its owner alone', async ({ folder }) => {
  const data = join(folder, 'srv', 'almirah', 'data');
  await makeFolder(data);
  await makeFolder(data);
  assert.is((await stat(data)).mode & 0o777, 0o700);
  assert.is((await stat(join(folder, 'srv'))).mode & 0o777, 0o700);
});

test('a data folder that does not exist yet is accepted, since the first start creates it', async ({
  folder,
}) => {
  await requireAccess(join(folder, 'new'));
});

test.run();
