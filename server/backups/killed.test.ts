import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { DATABASE_FILE } from '../../knexfile.ts';
import { readConfig } from '../config/config.ts';
import { openDataDir } from '../datadir/datadir.ts';
import { compose } from '../services.ts';
import { createBuild } from '../testing/build.ts';
import { killAtLine } from '../testing/kill-at-line.ts';
import { cheapPasswords } from '../testing/passwords.ts';
import { migratedFile } from '../testing/template.ts';
import { readSnapshots } from './repository/manifest.ts';
import { openDiskPlace } from './repository/disk-place.ts';

const program = join(import.meta.dirname, 'testing/make.ts');
const { signal } = new AbortController();

/** Steps that the program prints, and at which occurrence of each it is killed. */
const STEPS: [line: string, nth: number][] = [
  ['database', 1],
  ['write', 4],
  ['pieces', 1],
  ['settle', 1],
  ['manifest', 1],
  ['settle', 2],
  ['prune', 1],
  ['delete', 1],
];

test('a backup killed at any step leaves earlier ones intact, and the next one reuses what was copied', async () => {
  const scratch = await mkdtemp(join(tmpdir(), 'almirah-killed-'));
  const [dataDir, place] = [join(scratch, 'data'), join(scratch, 'place')];
  await Promise.all([mkdir(place), mkdir(dataDir, { mode: 0o700 })]);
  await copyFile(await migratedFile(), join(dataDir, DATABASE_FILE));
  const config = readConfig({ DATA_DIR: dataDir, BACKUP_DIR: place, TRASH_DAYS: '0' });
  const vault = await openDataDir(config, pino({ level: 'silent' }));
  const services = compose({
    ...vault,
    log: pino({ level: 'silent' }),
    clock: () => new Date(),
    passwords: cheapPasswords,
    config: { ...config, abuseLimits: false },
    backups: { ...config, settings: config.backups },
  });
  try {
    const { work } = services.backups;
    const build = createBuild({ ...vault, services });
    const { actor } = await build.account();
    for (let n = 0; n < 4; n += 1) await build.file(actor, { content: randomBytes(5000) });
    assert.is((await work!.backup(signal)).status, 'done');
    for (const [line, nth] of STEPS) {
      for (let n = 0; n < 3; n += 1) await build.file(actor, { content: randomBytes(5000) });
      const before = (await readSnapshots(await openDiskPlace(place))).snapshots.length;
      assert.ok(await killAtLine(program, [dataDir, place], line, nth), `it came to ${line} ${nth}`);
      const opened = await openDiskPlace(place);
      const { snapshots, unreadable } = await readSnapshots(opened);
      assert.equal([snapshots.length >= before, unreadable], [true, []], `after ${line} ${nth}`);
      const proof = await work!.prove(signal, { all: true });
      assert.equal([proof.status, proof.faults], ['done', []], `the place is intact after ${line} ${nth}`);
      const next = await work!.backup(signal);
      assert.equal([next.status, next.faults], ['done', []], `the next after ${line} ${nth}`);
    }
    assert.is((await work!.try(signal)).status, 'done');
    assert.equal(await readdir(join(place, 'tmp')), [], 'nothing half-written is left');
  } finally {
    await services.stop();
    await vault.close();
    await rm(scratch, { recursive: true });
  }
});

test.run();
