import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { until } from '#server/testing/until.ts';
import { memoryLimit } from './memory.ts';
import { preferForOomKill, cpuTimeMs, lowerPriority, waitedMs } from './low-priority.ts';

test('lowerPriority lowers the priority of a process and of its session, since the kernel schedules sessions first', async () => {
  const child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], {
    detached: true,
    stdio: 'ignore',
  });
  const ownSession = () => readFile('/proc/self/autogroup', 'utf8').catch(() => '');
  const before = await ownSession();
  try {
    lowerPriority(child.pid!, 19);
    assert.is(getPriority(child.pid!), 19);
    const file = `/proc/${child.pid}/autogroup`;
    if (existsSync(file)) await until(async () => / nice 7\n/.test(await readFile(file, 'utf8')));
    assert.is(await ownSession(), before);
  } finally {
    child.kill('SIGKILL');
  }
});

test('the OOM killer prefers a sandboxed process and its children to the server', async () => {
  // The shell starts its own child only after it has read a line.
  const child = spawn('sh', ['-c', 'read -r go; sleep 60 & wait'], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  const of = (pid: number | string) => readFile(`/proc/${pid}/oom_score_adj`, 'utf8').then(Number);
  try {
    preferForOomKill(child.pid!);
    assert.ok((await of(child.pid!)) > (await of('self')));
    child.stdin.write('\n');
    const begun = () => readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
    await until(async () => (await begun()).trim() !== '');
    assert.is(await of((await begun()).trim().split(' ')[0]!), await of(child.pid!));
  } finally {
    process.kill(-child.pid!, 'SIGKILL');
  }
});

test('two processes at their limit leave a 2 GB machine memory for the server; a large machine grants what is requested', () => {
  const GB = 1024 ** 3;
  assert.ok(2 * memoryLimit(1.5 * GB, 2 * GB) < 1.85 * GB);
  assert.is(memoryLimit(1.5 * GB, 8 * GB), 1.5 * GB);
});

test('cpuTimeMs counts processor time and not waiting', async () => {
  const child = spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' });
  try {
    await until(() => cpuTimeMs(child.pid!) > 300);
  } finally {
    child.kill('SIGKILL');
  }
  assert.is(cpuTimeMs(999_999_999), 0, 'of one that is gone');
});

test('the time that a process has waited for a processor is no number where the system does not tell it, so that one that waited is not taken for one that slept', () => {
  assert.ok(waitedMs(process.pid) >= 0);
  assert.ok(Number.isNaN(waitedMs(999_999_999)));
});

test.run();
