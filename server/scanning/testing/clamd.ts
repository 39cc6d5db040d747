import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '#server/testing/until.ts';

/** What our own signature finds; nothing else in the world holds it. */
export const VIRUS = 'ALMIRAH-TEST-VIRUS-d41c0b2a9f';

/** Whether Debian's clamav-daemon is on this machine. */
export const isThere = (): boolean => spawnSync('clamd', ['--version']).status === 0;

export interface RunningClamd {
  path: string;
  stop(): Promise<void>;
}

const answers = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ path });
    socket.once('error', () => resolve(false));
    socket.once('data', () => (socket.destroy(), resolve(true)));
    socket.once('connect', () => socket.write('zPING\0'));
  });

/** A clamd of the test's own, with one signature of ours and nothing from the network. */
export async function startClamd(): Promise<RunningClamd> {
  const root = await mkdtemp(join(tmpdir(), 'clamd-'));
  const path = join(root, 'ctl');
  const hex = Buffer.from(VIRUS).toString('hex');
  await writeFile(join(root, 'own.ndb'), `Almirah.Test:0:*:${hex}\n`);
  await writeFile(
    join(root, 'clamd.conf'),
    [
      `LocalSocket ${path}`,
      `DatabaseDirectory ${root}`,
      'Foreground yes',
      'StreamMaxLength 1M',
      'MaxThreads 4',
      '',
    ].join('\n'),
  );
  const child: ChildProcess = spawn('clamd', ['--config-file', join(root, 'clamd.conf')], {
    stdio: 'ignore',
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await until(() => answers(path));
  return {
    path,
    async stop() {
      child.kill('SIGKILL');
      await ended;
      await rm(root, { recursive: true, force: true });
    },
  };
}
