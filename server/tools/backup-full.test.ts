import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readConfig } from '../config/config.ts';
import { compose } from '../services.ts';
import { createBuild } from '../testing/build.ts';
import { smallDisk } from '../testing/small-disk.ts';
import { openDataDir } from '../datadir/datadir.ts';
import { backup } from './backup.ts';
import { restore } from './restore.ts';

const KB = 1024;
const disk = smallDisk(32);
const log = pino({ level: 'silent' });

async function run(command: typeof backup, dataDir: string, args: string[], options = {}) {
  const said: string[] = [];
  const env = { DATA_DIR: dataDir };
  const sound = await command.run({ args, options, env, say: (line) => said.push(line) });
  return { sound, said: said.join('\n') };
}

/** Leaves only this many bytes of free disk space. */
async function leave(bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(disk!.path);
  await writeFile(join(disk!.path, 'other'), Buffer.alloc(Math.max(0, bavail * bsize - bytes)));
}

if (disk) {
  test('whenever the disk of a backup fills up, earlier snapshots stay complete and the next attempt continues', async () => {
    const scratch = await mkdtemp(join(tmpdir(), 'almirah-backup-full-'));
    const dataDir = join(scratch, 'data');
    const target = join(disk.path, 'backup');
    const vault = await openDataDir(readConfig({ DATA_DIR: dataDir }), log);
    const services = compose({ ...vault, log, clock: () => new Date(), config: { abuseLimits: false } });
    const build = createBuild({ ...vault, services });
    const actor = await build.actor();
    try {
      await build.file(actor, { name: 'first.pdf', content: randomBytes(50 * KB) });
      await run(backup, dataDir, [target], { 'with-key': true });
      const [first] = await readdir(join(target, 'snapshots'));
      for (let n = 0; n < 8; n += 1)
        await build.file(actor, { name: `${n}.pdf`, content: randomBytes(200 * KB) });

      let refusals = 0;
      for (let room = 0; ; room += 200 * KB) {
        await leave(room);
        const outcome = await run(backup, dataDir, [target], { 'with-key': true }).catch(
          (error: Error) => error,
        );
        await rm(join(disk.path, 'other'));
        if (!(outcome instanceof Error)) {
          assert.ok(outcome.sound, outcome.said);
          break;
        }
        refusals += 1;
        assert.match(
          outcome.message,
          /^There is no space left .* earlier snapshots in it are as they were/,
          `${room}`,
        );
        assert.equal(await readdir(join(target, 'snapshots')), [first], `${room}`);
        const to = join(scratch, `restored-${room}`);
        const restored = await run(restore, dataDir, [target, to], { 'read-data': true });
        assert.ok(restored.sound, `${room}: ${restored.said}`);
      }
      assert.ok(refusals > 2, `it was refused ${refusals} times`);
      const to = join(scratch, 'restored');
      assert.ok((await run(restore, dataDir, [target, to], { 'read-data': true })).sound);
    } finally {
      await services.stop();
      await vault.close();
      await rm(scratch, { recursive: true });
    }
  });
  test.after(() => disk.remove());
}

test.run();
