import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ByteStore } from './bytes.ts';
import { all, listed, rejection } from './conformance.ts';
import { HEADER_BYTES } from './header.ts';
import { deriveMasterKey } from './masterkey.ts';
import { createMemoryBytes } from './memory.ts';
import { createContentWriter } from './putting.ts';
import { createSealedBlobs } from './sealed.ts';
import { openBlobStore } from './store.ts';
import { verify } from './verify.ts';

const MEGABYTE = 1024 * 1024;
const test = suite('putting large blobs');

/** A source that counts the bytes read from it. */
function counted(total: number): { source: Readable; given: () => number } {
  let given = 0;
  const source = new Readable({
    read(size) {
      const length = Math.min(size, total - given);
      given += length;
      this.push(length > 0 ? Buffer.alloc(length, given) : null);
    },
  });
  return { source, given: () => given };
}

/** A medium that does not finish a write before `open` is called. */
function stuck(bytes: ByteStore): { bytes: ByteStore; open: (error?: Error) => void } {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  promise.catch(() => {});
  const create: ByteStore['create'] = (id, headBytes) => {
    const writer = bytes.create(id, headBytes);
    return { ...writer, write: (buffers) => promise.then(() => writer.write(buffers)) };
  };
  return { bytes: { ...bytes, create }, open: (error) => (error ? reject(error) : resolve()) };
}

const master = deriveMasterKey(randomBytes(32));
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 300));

test('waits for a slow medium instead of collecting the file in memory', async () => {
  const medium = stuck(createMemoryBytes());
  const { source, given } = counted(40 * MEGABYTE);
  const putting = createSealedBlobs(medium.bytes, master).put(source);
  await settled();
  assert.ok(given() < 4 * MEGABYTE, `${given()} bytes were taken`);
  medium.open();
  assert.is((await putting).size, 40 * MEGABYTE);
});

test('stops and destroys the source when the medium fails', async () => {
  const medium = stuck(createMemoryBytes());
  const { source } = counted(40 * MEGABYTE);
  const blobs = createSealedBlobs(medium.bytes, master);
  const putting = rejection(blobs.put(source));
  await settled();
  medium.open(new Error('the cable came off'));
  assert.match(String(await putting), 'the cable came off');
  assert.ok(source.destroyed);
  assert.equal(await listed(blobs), []);
});

test('when the sealing thread dies, the next blob does not get the memory that was lost with it', async () => {
  const bytes = createMemoryBytes();
  const { write } = createContentWriter(bytes, MEGABYTE);
  const content = (name: string, dataKey: Buffer) => ({
    id: name.repeat(32),
    dataKey,
    source: counted(5 * MEGABYTE).source,
    head: () => Buffer.alloc(HEADER_BYTES),
  });
  assert.instance(await rejection(write(content('a', Buffer.from('no key')))), Error);
  assert.is((await write(content('b', randomBytes(32)))).size, 5 * MEGABYTE);
  assert.equal(await listed(bytes), ['b'.repeat(32)]);
});

test('several concurrent blobs larger than the flush interval are read back unchanged from disk', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'large-'));
  try {
    const { blobs } = await openBlobStore({ dataDir });
    const sizes = [70 * MEGABYTE + 1, 33 * MEGABYTE, 5 * MEGABYTE];
    const stored = await Promise.all(sizes.map((size) => blobs.put(counted(size).source)));
    for (const [n, size] of sizes.entries()) {
      const hash = createHash('sha256');
      for await (const piece of counted(size).source) hash.update(piece as Buffer);
      assert.is(stored[n]!.sha256, hash.digest('hex'));
    }
    const findings = await all(verify(blobs, stored));
    assert.equal(
      findings.map(({ state }) => state),
      ['sound', 'sound', 'sound'],
    );
  } finally {
    await rm(dataDir, { recursive: true });
  }
});

test.run();
