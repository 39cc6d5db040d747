import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compileCacheFor } from './compiled.ts';
import { confinement, NOBODY } from './confinement.ts';
import type { Confinement } from './contract.ts';
import { systemCallFilter } from './filter.ts';
import { createSandbox, FAULTS, LOWEST_PRIORITY } from './sandbox.ts';
import type { SandboxLimits } from './sandbox.ts';
import type { Attempt } from './testing/taken-over.ts';
import { rejects } from '#server/testing/rejects.ts';
import { until } from '#server/testing/until.ts';

interface Prison {
  folder: string;
  port: number;
  close(): Promise<void>;
  /** Makes the attempt in the sandbox. @returns `GOT` with what it obtained, or why it failed. */
  tries(order: Attempt, owner?: string): Promise<string>;
  end(): void;
}

const MODULE = new URL('./testing/taken-over.ts', import.meta.url);
/** Keeps a processor busy. It ends by itself: with a session of its own it would outlive a test that fails or is killed. */
const BUSY = 'const end = performance.now() + 120_000; while (performance.now() < end);';
const SECRET = 'ALMIRAH-TEST-KEY-9f1c';
const signal = new AbortController().signal;

function prison(limits: Partial<SandboxLimits>) {
  const sandbox = createSandbox<Attempt, { got: string }>(MODULE, limits);
  return {
    end: sandbox.stop,
    async tries(order: Attempt, owner = 'a'): Promise<string> {
      const outcome = await sandbox.run(order, owner, signal);
      return 'got' in outcome ? `GOT ${outcome.got}` : outcome.fault;
    },
  };
}

const best = await confinement();

function holds(level: Confinement): void {
  const test = suite<Prison>(
    `a sandboxed process that a malicious file has taken over, with confinement "${level}"`,
  );

  test.before(async (context) => {
    process.env.MASTER_KEY_OF_TEST = SECRET;
    const folder = await mkdtemp(join(tmpdir(), 'almirah-data-'));
    await writeFile(join(folder, 'master.key'), SECRET);
    const server = createServer((socket) => socket.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const close = async () => {
      delete process.env.MASTER_KEY_OF_TEST;
      server.close();
      await rm(folder, { recursive: true });
    };
    Object.assign(context, { folder, port, close, ...prison({ confinement: level, milliseconds: 60_000 }) });
  });
  test.after(async ({ close, end }) => {
    end();
    await close();
  });

  test('it cannot read the data folder, the master key or the accounts of the machine, and cannot write files', async (t) => {
    const { folder, tries } = t;
    for (const path of [join(folder, 'master.key'), '/etc/passwd', '/proc/self/environ', '/proc/1/environ'])
      assert.not.match(await tries({ tries: 'read', path }), 'GOT', path);
    for (const path of [folder, '/home', '/root', '/var', '/etc'])
      assert.not.match(await tries({ tries: 'list', path }), /GOT .*\w/, path);
    for (const path of [join(folder, 'new'), '/tmp/new', join(import.meta.dirname, 'new'), '/new'])
      assert.not.match(await tries({ tries: 'write', path }), 'GOT', path);
    assert.equal(await readdir(folder), ['master.key']);
    // Code compiled in advance is also loaded by the next client's process, so this one must not change it.
    const compiled = compileCacheFor(NOBODY).mounts.filter((path) => path.startsWith('/compiled/'));
    for (const path of ['/compiled', ...compiled])
      assert.not.match(await tries({ tries: 'write', path: join(path, 'new') }), 'GOT', path);
  });

  test('it has neither the environment variables nor the open files of the server', async ({ tries }) => {
    assert.not.match(await tries({ tries: 'environment' }), SECRET);
    assert.is(await tries({ tries: 'descriptors' }), 'GOT ');
  });

  test('it cannot start programs, and in a container cannot send signals to the server', async ({
    tries,
  }) => {
    assert.not.match(await tries({ tries: 'spawn' }), 'GOT');
    if (level === 'container') assert.not.match(await tries({ tries: 'signal', pid: process.pid }), 'GOT');
  });

  if (level !== 'permissions')
    test('it cannot connect over a network, not even to this machine', async ({ tries, port }) => {
      assert.not.match(await tries({ tries: 'connect', port }), 'GOT');
      assert.not.match(await tries({ tries: 'look-up' }), 'GOT');
      if (level !== 'container') return;
      assert.not.match(await tries({ tries: 'datagram', port }), 'GOT');
      assert.not.match(await tries({ tries: 'listen', port: 0 }), 'GOT');
    });

  test('it finds no data of another client, since each client gets a new process', async ({ tries }) => {
    await tries({ tries: 'keep', secret: 'PAN ABCPS1234D' }, '1 7');
    assert.is(await tries({ tries: 'recall' }, '1 7'), 'GOT PAN ABCPS1234D');
    assert.is(await tries({ tries: 'recall' }, '1 8'), 'GOT ');
    assert.is(await tries({ tries: 'recall' }, '1 7'), 'GOT ');
  });

  test('it is ended when its response is a gigabyte or malformed, and the next file is still read', async ({
    tries,
  }) => {
    assert.is(await tries({ tries: 'flood' }), FAULTS.answer);
    assert.is(await tries({ tries: 'lie' }), FAULTS.answer);
    assert.is(await tries({ tries: 'recall' }), 'GOT ');
  });
  test.run();
}

for (const level of ['container', 'network', 'permissions'] as const)
  if (best === 'permissions' ? level === best : best === 'container' || level !== 'container') holds(level);
if (best !== 'container')
  console.log(
    'SKIPPED: bubblewrap is not installed or not allowed, so nothing was tried within a container.',
  );

const test = suite('limits of sandboxed processes');

test('a process that exceeds its memory or its time is ended', async () => {
  const small = prison({ bytes: 150 * 1024 * 1024, milliseconds: 60_000 });
  assert.ok([FAULTS.memory, FAULTS.crash].includes((await small.tries({ tries: 'memory' })) as never));
  const hasty = prison({ milliseconds: 1, nice: LOWEST_PRIORITY });
  assert.is(await hasty.tries({ tries: 'for-ever' }), FAULTS.time);
  small.end();
  hasty.end();
});

/** The ids of the sandboxed processes. */
const processes = async (): Promise<string[]> => {
  const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    numbers.map((pid) => readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')),
  );
  return numbers.filter((_, index) => lines[index]!.includes(fileURLToPath(MODULE)));
};

/**
 * Begins a call while there is next to no processor time for the sandboxed process.
 * @returns the answer of the call, and a function that ends this.
 */
async function starve(begin: () => Promise<string>): Promise<{ answer: Promise<string>; release(): void }> {
  const status = await readFile('/proc/self/status', 'latin1');
  const [, all, processor] = /Cpus_allowed_list:\s*((\d+)\S*)/.exec(status) as string[] as [
    string,
    string,
    string,
  ];
  const runOn = (processors: string) => spawnSync('taskset', ['-cp', processors, String(process.pid)]);
  // Each leads a session, among which the kernel may share a processor first.
  const others = Array.from({ length: 10 }, () =>
    spawn('taskset', ['-c', processor, process.execPath, '-e', BUSY], {
      detached: true,
      stdio: 'ignore',
    }),
  );
  // The sandboxed process inherits it, and so is starved from its first moment.
  runOn(processor);
  const answer = begin();
  answer.catch(() => {});
  await until(async () => (await processes()).length > 0);
  runOn(all);
  // Without sessions it could have a higher priority than the others.
  for (const pid of await processes()) spawnSync('chrt', ['--all-tasks', '--idle', '--pid', '0', pid]);
  return { answer, release: () => others.forEach((other) => other.kill('SIGKILL')) };
}

test('a process that has to wait for its turn is not ended, or a busy machine would refuse sound files for good', async () => {
  // On a busy machine the process also needs long to start after it was starved.
  const waiting = prison({ milliseconds: 4000 });
  const { answer, release } = await starve(() => waiting.tries({ tries: 'wait', ms: 10 }));
  await wait(5000);
  release();
  assert.is(await answer, 'GOT done');
  waiting.end();
});

test('a process that got hardly any processor time until its limit is no fault of the file, which is then not recorded as unreadable', async () => {
  const starved = prison({ milliseconds: 2000 });
  const { answer, release } = await starve(() => starved.tries({ tries: 'for-ever' }));
  assert.is((await rejects(answer, 503)).code, 'busy');
  release();
  starved.end();
});

test('a process that sleeps until its limit is refused for good, or its file would keep the only reader from all others again and again', async () => {
  const sleeping = prison({ milliseconds: 4000 });
  assert.is(await sleeping.tries({ tries: 'wait', ms: 600_000 }), FAULTS.time);
  sleeping.end();
});

test('a sandbox that is ended while it starts leaves no process behind', async () => {
  await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      const hasty = prison({ milliseconds: 1 + n * 2 });
      await hasty.tries({ tries: 'for-ever' }).catch(() => 'busy');
    }),
  );
  // A killed process takes a moment to disappear.
  await until(async () => (await processes()).length === 0);
});

test('there is a system call filter for x64 and arm64, and for no other processor', () => {
  for (const processor of ['x64', 'arm64']) {
    const filter = systemCallFilter(processor)!;
    assert.is(filter.length % 8, 0);
    // The last instruction allows every system call that none before has refused.
    assert.is(filter.readUInt32LE(filter.length - 4), 0x7fff0000);
  }
  assert.is(systemCallFilter('mips'), null);
});

test.run();
