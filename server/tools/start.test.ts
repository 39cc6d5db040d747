import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { lockFile } from '../datadir/lock.ts';
import { until } from '../testing/until.ts';

const test = suite<{ scratch: string }>('npm start');
const ROOT = join(import.meta.dirname, '../..');

test.before.each(async (world) => {
  world.scratch = await mkdtemp(join(tmpdir(), 'almirah-start-'));
});
test.after.each(({ scratch }) => rm(scratch, { recursive: true }));

/** Resolves once no process holds the data folder any more. */
const letGo = (dataDir: string): Promise<void> =>
  until(async () => {
    const release = await lockFile(join(dataDir, 'lock.sqlite'));
    await release?.();
    return release !== null;
  });

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const) {
  test(`${signal} to npm alone also ends the server, so that it does not keep the data folder locked`, async ({
    scratch,
  }) => {
    const dataDir = join(scratch, signal);
    const env = { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'info' };
    // npm gets its own process group, and the signal is sent to npm only.
    const npm = spawn('npm', ['start'], {
      cwd: ROOT,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      let out = '';
      await new Promise<void>((resolve, reject) => {
        npm.stdout.on('data', (some: Buffer) => {
          out += some.toString();
          if (/ is at http/.test(out)) resolve();
        });
        npm.once('exit', (code) => reject(new Error(`npm ended with ${code}: ${out}`)));
      });
      assert.is(await lockFile(join(dataDir, 'lock.sqlite')), null, 'it serves');
      process.kill(npm.pid!, signal);
      await letGo(dataDir);
    } finally {
      try {
        process.kill(-npm.pid!, 'SIGKILL');
      } catch {
        // All of them have ended.
      }
    }
  });
}

test.run();
