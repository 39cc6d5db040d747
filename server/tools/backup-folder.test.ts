import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Office } from '../testing/command-office.ts';
import { eachOffice, refused, run } from '../testing/command-office.ts';
import { backup } from './backup.ts';
import { backups } from './backups.ts';
import { restore } from './restore.ts';

const test = suite<Office>('the folder of a backup by hand');

eachOffice(test);

/** Makes a nightly backup. @returns its folder. */
async function nightly({ dataDir, scratch }: Office): Promise<string> {
  const place = join(scratch, 'place');
  await mkdir(place);
  const env = { DATA_DIR: dataDir, BACKUP_DIR: place };
  assert.ok(await backups.run({ args: ['run'], options: {}, env, say: () => {} }));
  return place;
}

test('a backup by hand into the folder of the nightly ones is refused, since it would delete them', async (office) => {
  const { build, actor, dataDir, scratch } = office;
  await build.file(actor);
  const place = await nightly(office);
  const before = await readdir(join(place, 'snapshots'));
  const note = await readFile(join(place, 'READ ME FIRST.txt'), 'utf8');
  await refused(backup, dataDir, [place], /is for the nightly backups.*folder of its own.*backups run/);
  await rm(join(place, 'almirah-backups.json'));
  await refused(backup, dataDir, [place], /is for the nightly backups/);
  assert.equal(await readdir(join(place, 'snapshots')), before);
  assert.is(await readFile(join(place, 'READ ME FIRST.txt'), 'utf8'), note);

  const empty = join(scratch, 'empty');
  await mkdir(empty);
  const env = { DATA_DIR: dataDir, BACKUP_DIR: empty };
  await backup.run({ args: [empty], options: {}, env, say: () => {} }).then(
    () => assert.unreachable('the first nightly backup would be refused afterwards'),
    (error: Error) => assert.match(error.message, /is for the nightly backups/),
  );
});

test('a restore names the command for the kind of backup that it meets', async (office) => {
  const { build, actor, dataDir, scratch } = office;
  await build.file(actor);
  const place = await nightly(office);
  const hand = join(scratch, 'hand');
  await run(backup, dataDir, [hand], { 'with-key': true });
  const to = join(scratch, 'restored');
  await refused(restore, dataDir, [place, to], /nightly backups.*backups restore \S+restored --from/);
  await refused(backups, dataDir, ['restore', to], /by hand.*admin -- restore \S+hand \S+restored/, {
    from: hand,
  });
  await refused(backups, dataDir, ['list'], /made by hand/, { from: hand });
});

test('a backup is not written where its disk is not mounted, nor into the data folder, and says when both are on one disk', async (office) => {
  const { dataDir, scratch } = office;
  const away = join(scratch, 'mnt');
  await refused(backup, dataDir, [join(away, 'hand')], /mnt is not there\. Connect the disk or mount/);
  await refused(backup, dataDir, [join(dataDir, 'backups')], /is in the data folder itself/);
  await refused(backup, dataDir, [join(dataDir, 'by-hand')], /is in the data folder itself/);
  assert.not((await readdir(scratch)).includes('mnt'));
  await mkdir(away);
  const { said } = await run(backup, dataDir, [join(away, 'hand')]);
  assert.match(said, /^SAME DISK: \S+hand is on the disk of/m);
});

test.run();
