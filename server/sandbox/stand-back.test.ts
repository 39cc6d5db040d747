import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { until } from '#server/testing/until.ts';
import { processorMsOf, standBack } from './stand-back.ts';

test('a process stands back with its session, since within that alone it stands back behind nobody', async () => {
  const child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], {
    detached: true,
    stdio: 'ignore',
  });
  try {
    standBack(child.pid!, 19);
    assert.is(getPriority(child.pid!), 19);
    const file = `/proc/${child.pid}/autogroup`;
    if (existsSync(file)) await until(async () => / nice 7\n/.test(await readFile(file, 'utf8')));
    assert.not.match(await readFile('/proc/self/autogroup', 'utf8').catch(() => ''), ' nice 7\n');
  } finally {
    child.kill('SIGKILL');
  }
});

test('time of the processor is counted, and waiting for it is not', async () => {
  const child = spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' });
  try {
    await until(() => processorMsOf(child.pid!) > 300);
  } finally {
    child.kill('SIGKILL');
  }
  assert.is(processorMsOf(999_999_999), 0, 'of one that is gone');
});

test.run();
