import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compileCacheFor } from './compiled.ts';
import { confinement, NOBODY } from './confinement.ts';
import type { Confinement } from './contract.ts';
import { systemCallFilter } from './filter.ts';
import { createSandbox, FAULTS } from './sandbox.ts';
import type { SandboxLimits } from './sandbox.ts';
import type { Attempt } from './testing/taken-over.ts';
import { until } from '#server/testing/until.ts';

interface Prison {
  folder: string;
  port: number;
  close(): Promise<void>;
  /** What a taken-over process got; why it got nothing. */
  tries(order: Attempt, owner?: string): Promise<string>;
  end(): void;
}

const MODULE = new URL('./testing/taken-over.ts', import.meta.url);
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
  const test = suite<Prison>(`a reader that a file has taken over, confined by ${level}`);

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

  test('finds no file of the data folder, no key, no account of the machine, and writes nothing', async (t) => {
    const { folder, tries } = t;
    for (const path of [join(folder, 'master.key'), '/etc/passwd', '/proc/self/environ', '/proc/1/environ'])
      assert.not.match(await tries({ tries: 'read', path }), 'GOT', path);
    for (const path of [folder, '/home', '/root', '/var', '/etc'])
      assert.not.match(await tries({ tries: 'list', path }), /GOT .*\w/, path);
    for (const path of [join(folder, 'new'), '/tmp/new', join(import.meta.dirname, 'new'), '/new'])
      assert.not.match(await tries({ tries: 'write', path }), 'GOT', path);
    assert.equal(await readdir(folder), ['master.key']);
    // What was compiled beforehand, for the next client's process too, is the same afterwards.
    const compiled = compileCacheFor(NOBODY).mounts.filter((path) => path.startsWith('/compiled/'));
    for (const path of ['/compiled', ...compiled])
      assert.not.match(await tries({ tries: 'write', path: join(path, 'new') }), 'GOT', path);
  });

  test('has nothing of our environment, and no file that we have open', async ({ tries }) => {
    assert.not.match(await tries({ tries: 'environment' }), SECRET);
    assert.is(await tries({ tries: 'descriptors' }), 'GOT ');
  });

  test('starts no program and ends none of ours', async ({ tries }) => {
    assert.not.match(await tries({ tries: 'spawn' }), 'GOT');
    if (level === 'container') assert.not.match(await tries({ tries: 'signal', pid: process.pid }), 'GOT');
  });

  if (level !== 'permissions')
    test('reaches nobody over a network, not even on this machine', async ({ tries, port }) => {
      assert.not.match(await tries({ tries: 'connect', port }), 'GOT');
      assert.not.match(await tries({ tries: 'look-up' }), 'GOT');
      if (level !== 'container') return;
      assert.not.match(await tries({ tries: 'datagram', port }), 'GOT');
      assert.not.match(await tries({ tries: 'listen', port: 0 }), 'GOT');
    });

  test('finds nothing of another client: for each a process of its own begins', async ({ tries }) => {
    await tries({ tries: 'keep', secret: 'PAN ABCPS1234D' }, '1 7');
    assert.is(await tries({ tries: 'recall' }, '1 7'), 'GOT PAN ABCPS1234D');
    assert.is(await tries({ tries: 'recall' }, '1 8'), 'GOT ');
    assert.is(await tries({ tries: 'recall' }, '1 7'), 'GOT ');
  });

  test('is ended when it answers a gigabyte, or what is no answer, and the next file is read all the same', async ({
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

const test = suite('what a reader takes');

test('one that takes all memory or all time is ended', async () => {
  const small = prison({ bytes: 150 * 1024 * 1024, milliseconds: 60_000 });
  assert.ok([FAULTS.memory, FAULTS.crash].includes((await small.tries({ tries: 'memory' })) as never));
  const hasty = prison({ milliseconds: 1 });
  assert.is(await hasty.tries({ tries: 'for-ever' }), FAULTS.time);
  small.end();
  hasty.end();
});

test('one that is ended while it starts leaves no process behind', async () => {
  await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      const hasty = prison({ milliseconds: 1 + n * 2 });
      await hasty.tries({ tries: 'for-ever' });
    }),
  );
  const left = async () => {
    const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const lines = await Promise.all(
      numbers.map((pid) => readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')),
    );
    return lines.filter((line) => line.includes(`${fileURLToPath(MODULE)}`)).length;
  };
  // Those that are killed take a moment to be gone.
  await until(async () => (await left()) === 0);
});

test('the filter of system calls is known for the processors of servers, and for no other', () => {
  for (const processor of ['x64', 'arm64']) {
    const filter = systemCallFilter(processor)!;
    assert.is(filter.length % 8, 0);
    // The last instruction lets through what none before has refused.
    assert.is(filter.readUInt32LE(filter.length - 4), 0x7fff0000);
  }
  assert.is(systemCallFilter('mips'), null);
});

test.run();
