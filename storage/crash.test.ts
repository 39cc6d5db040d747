import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { StoredBlob } from './blobs.ts';
import { StoreFull } from './blobs.ts';
import { all, listed, rejection } from './conformance.ts';
import { openBlobStore } from './store.ts';
import { verify } from './verify.ts';

const test = suite<{ dataDir: string }>('interrupted and failed puts');
test.before.each(async (world) => {
  world.dataDir = await mkdtemp(join(tmpdir(), 'blobs-'));
});
test.after.each(({ dataDir }) => rm(dataDir, { recursive: true }));

const temporary = (dataDir: string): Promise<string[]> => readdir(join(dataDir, 'blobs', 'tmp'));

const WRITER = `
  import { randomBytes } from 'node:crypto';
  import { Readable } from 'node:stream';
  const { openBlobStore } = await import(process.argv[1]);
  const { blobs } = await openBlobStore({ dataDir: process.argv[2] });
  const piece = randomBytes(1 << 16);
  function* body(pieces) { for (let n = 0; n < pieces; n += 1) yield piece; }
  const writer = async (pieces) => {
    for (;;) process.stdout.write(JSON.stringify(await blobs.put(Readable.from(body(pieces)))) + '\\n');
  };
  await Promise.all([writer(1), writer(20), writer(200)]);
`;

test('kill -9 at any moment leaves every acknowledged blob complete, others absent or complete, and no temporary file', async ({
  dataDir,
}) => {
  const acknowledged: StoredBlob[] = [];
  for (let round = 0; round < 5; round += 1) {
    const before = acknowledged.length;
    const child = spawn(
      process.execPath,
      ['--input-type=module', '-e', WRITER, join(import.meta.dirname, 'store.ts'), dataDir],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const closed = once(child, 'close');
    for await (const line of createInterface(child.stdout)) {
      // A line that the kill truncated acknowledges nothing.
      if (line.endsWith('}')) acknowledged.push(JSON.parse(line) as StoredBlob);
      if (acknowledged.length - before === 6 + 3 * round) child.kill('SIGKILL');
    }
    const [, signal] = await closed;
    assert.is(signal, 'SIGKILL');
  }
  const { blobs } = await openBlobStore({ dataDir });
  assert.equal(await temporary(dataDir), []);
  const findings = await all(verify(blobs, acknowledged));
  assert.ok(findings.every(({ state }) => state === 'sound'));
  for (const id of await listed(blobs)) for await (const piece of await blobs.get(id)) assert.ok(piece);
});

test('fifty concurrent sources that fail at different points leave no temporary and no open files', async ({
  dataDir,
}) => {
  const { blobs } = await openBlobStore({ dataDir });
  // Starts the sealing thread, which keeps some files open.
  const { id } = await blobs.put(Readable.from([Buffer.alloc(2 * 1024 * 1024)]));
  await blobs.delete(id);
  const descriptors = async (): Promise<number> => (await readdir('/proc/self/fd')).length;
  const before = existsSync('/proc/self/fd') ? await descriptors() : undefined;
  const failing = Array.from({ length: 50 }, (_, n) =>
    rejection(
      blobs.put(
        Readable.from(
          (async function* fail() {
            for (let sent = 0; sent < n; sent += 1) yield Buffer.alloc(100_000);
            throw new Error('gone');
          })(),
        ),
      ),
    ),
  );
  for (const error of await Promise.all(failing)) assert.match(String(error), 'gone');
  assert.equal(await temporary(dataDir), []);
  assert.equal(await listed(blobs), []);
  if (before !== undefined) assert.ok((await descriptors()) <= before + 1);
});

test('a tool that runs beside a server does not delete its unfinished uploads', async ({ dataDir }) => {
  const { blobs } = await openBlobStore({ dataDir });
  const source = new Readable({ read() {} });
  const putting = blobs.put(source);
  source.push(Buffer.alloc(3 * 1024 * 1024));
  while ((await temporary(dataDir)).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await openBlobStore({ dataDir, clean: false });
  source.push(null);
  const { id } = await putting;
  assert.is(await blobs.size(id), 3 * 1024 * 1024);
});

test('a full disk rejects with StoreFull, leaves nothing, and the store continues to work', async ({
  dataDir,
}) => {
  // A limit on the file size of a process has the same error path as a full disk, and works on any machine.
  const script = `
    import { Readable } from 'node:stream';
    const { openBlobStore } = await import(process.argv[1]);
    const { blobs } = await openBlobStore({ dataDir: process.argv[2] });
    const body = function* (n) { while (n--) yield Buffer.alloc(1 << 20); };
    for (const megabytes of [12, 1]) {
      await blobs.put(Readable.from(body(megabytes))).then(() => console.log('stored'), (error) => console.log(error.name));
    }
  `;
  const child = spawn(
    'sh',
    [
      '-c',
      'trap "" XFSZ; ulimit -f 8192; exec "$@"',
      'sh',
      process.execPath,
      '--input-type=module',
      '-e',
      script,
      join(import.meta.dirname, 'store.ts'),
      dataDir,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const lines = await all(createInterface(child.stdout));
  assert.equal(lines, [StoreFull.name, 'stored']);
  assert.equal(await temporary(dataDir), []);
});

test.run();
