import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import type { Test } from 'uvu';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { BlobStore, StoredBlob } from './blobs.ts';
import type { ByteStore } from './bytes.ts';
import { BlobMissing, HEAD_BYTES } from './blobs.ts';

const ABSENT = '00000000000000000000000000000000';

/** Resolves with the reason of a rejected promise. */
export const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.unreachable('should have been rejected'),
    (error: unknown) => error,
  );

export async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

export const listed = async (store: { list(): AsyncIterable<{ id: string }> }): Promise<string[]> =>
  (await all(store.list())).map(({ id }) => id).toSorted();

/** Pieces of uneven length, so that no piece ends where a chunk does. */
export function pieces(bytes: Buffer, length = 1777): Readable {
  const parts: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += length)
    parts.push(bytes.subarray(start, start + length));
  return Readable.from(parts, { objectMode: false });
}

/** A buffer with memory of its own. */
const copyOf = (bytes: Buffer): Buffer => Buffer.from(Uint8Array.from(bytes).buffer);

/** The test suite of the BlobStore contract. @param edge a size around which the store behaves differently, such as a chunk. */
export function conforms(
  name: string,
  make: () => Promise<BlobStore>,
  edge: number,
): Test<{ store: BlobStore }> {
  const test = suite<{ store: BlobStore }>(`${name} as a blob store`);
  test.before.each(async (world) => {
    world.store = await make();
  });

  test('returns the content that was put, at every size around a boundary', async ({ store }) => {
    for (const size of [0, 1, edge - 1, edge, edge + 1, 2 * edge - 1, 2 * edge, 5 * edge + 7]) {
      const bytes = randomBytes(size);
      const stored = await store.put(pieces(bytes));
      assert.match(stored.id, /^[0-9a-f]{32}$/);
      assert.is(stored.size, size);
      assert.is(stored.sha256, createHash('sha256').update(bytes).digest('hex'));
      assert.is(stored.crc32, crc32(bytes));
      assert.ok(bytes.subarray(0, HEAD_BYTES).equals(stored.head), `how ${size} bytes begin`);
      assert.is(await store.size(stored.id), size);
      assert.ok(bytes.equals(await buffer(await store.get(stored.id))), `${size} bytes`);
    }
  });

  test('encodes a source of strings as UTF-8, because a stream may deliver strings', async ({ store }) => {
    const { id, size } = await store.put(Readable.from(['नमस्ते ', 'CA']));
    assert.is((await buffer(await store.get(id))).toString(), 'नमस्ते CA');
    assert.is(size, Buffer.byteLength('नमस्ते CA'));
  });

  test('returns exactly the requested range, both ends included as in HTTP', async ({ store }) => {
    const bytes = randomBytes(4 * edge + 9);
    const { id } = await store.put(pieces(bytes));
    const ends = [0, 1, edge - 1, edge, edge + 1, 3 * edge - 1, 3 * edge, 4 * edge, bytes.length - 1];
    for (const start of ends) {
      for (const end of ends.filter((other) => other >= start)) {
        const content = await buffer(await store.get(id, { start, end }));
        assert.ok(bytes.subarray(start, end + 1).equals(content), `${start} to ${end}`);
      }
    }
  });

  test('refuses a range outside the blob instead of returning fewer bytes', async ({ store }) => {
    const { id } = await store.put(pieces(randomBytes(10)));
    const ranges = [
      { start: -1, end: 3 },
      { start: 4, end: 3 },
      { start: 0, end: 10 },
      { start: 0.5, end: 3 },
      { start: NaN, end: 3 },
    ];
    for (const range of ranges) assert.instance(await rejection(store.get(id, range)), RangeError);
    const empty = await store.put(Readable.from([]));
    assert.instance(await rejection(store.get(empty.id, { start: 0, end: 0 })), RangeError);
  });

  test('reports a blob as missing, also for an invalid id, so that no id can be a path', async ({
    store,
  }) => {
    for (const id of [ABSENT, '', '..', '../../etc/passwd', `${ABSENT}\0`, ABSENT.slice(1), 'A'.repeat(32)]) {
      assert.instance(await rejection(store.get(id)), BlobMissing, id);
      assert.instance(await rejection(store.size(id)), BlobMissing, id);
      assert.is(await store.has(id), false);
      await store.delete(id);
    }
  });

  test('lists each blob exactly once, with the time at which it was stored', async ({ store }) => {
    const from = Date.now() - 5000;
    const puts = Array.from({ length: 20 }, () => store.put(pieces(randomBytes(edge + 1))));
    const ids = (await Promise.all(puts)).map(({ id }) => id).toSorted();
    assert.equal(await listed(store), ids);
    for await (const { storedAt } of store.list()) assert.ok(storedAt.getTime() > from);
  });

  test('a deleted blob is missing, and deleting it again is no error', async ({ store }) => {
    const { id } = await store.put(pieces(randomBytes(10)));
    assert.is(await store.has(id), true);
    await store.delete(id);
    await store.delete(id);
    assert.is(await store.has(id), false);
    assert.instance(await rejection(store.get(id)), BlobMissing);
    assert.equal(await listed(store), []);
  });

  test('frees the buffers of a source that it may consume, and leaves those of any other', async ({
    store,
  }) => {
    const bytes = randomBytes(3 * edge + 1);
    const separate = () =>
      Array.from({ length: 4 }, (_, n) => copyOf(bytes.subarray(n * edge, (n + 1) * edge)));
    const [consumed, kept] = [separate(), separate()];
    const { id } = await store.put(Readable.from(consumed), { consume: true });
    await store.put(Readable.from(kept));
    assert.equal(
      consumed.map(({ length }) => length),
      [0, 0, 0, 0],
    );
    assert.ok(bytes.equals(Buffer.concat(kept)));
    assert.ok(bytes.equals(await buffer(await store.get(id))));
  });

  test('keeps nothing of a source that fails, at whatever point', async ({ store }) => {
    for (const size of [0, 1, edge, 3 * edge + 1, 20 * edge]) {
      const failing = Readable.from(
        (async function* fail() {
          for (let sent = 0; sent < size; sent += edge) yield randomBytes(Math.min(edge, size - sent));
          throw new Error('the client went away');
        })(),
      );
      assert.match(String(await rejection(store.put(failing))), 'the client went away');
    }
    assert.equal(await listed(store), []);
  });

  test('keeps nothing of a source that is destroyed without an error', async ({ store }) => {
    const source = new Readable({ read() {} });
    source.push(randomBytes(3 * edge));
    const putting = rejection(store.put(source));
    setImmediate(() => source.destroy());
    assert.instance(await putting, Error);
    assert.equal(await listed(store), []);
  });

  test('joins parts into one blob that reads like any other, without copying them', async ({ store }) => {
    const contents = [edge + 1, 1, 0, 3 * edge, edge - 1].map((size) => randomBytes(size));
    const whole = Buffer.concat(contents);
    const running = store.runningSums();
    const parts: StoredBlob[] = [];
    for (const content of contents) parts.push(await store.put(pieces(content), { running }));
    running.close();
    const sums = { sha256: createHash('sha256').update(whole).digest('hex'), crc32: crc32(whole) };
    assert.is(parts.at(-1)!.sha256, sums.sha256);
    assert.is(parts.at(-1)!.crc32, sums.crc32);
    const joined = await store.join(parts, sums);
    assert.equal({ ...joined, id: '' }, { id: '', size: whole.length, ...sums });
    assert.is(await store.size(joined.id), whole.length);
    assert.ok(whole.equals(await buffer(await store.get(joined.id))));
    const ends = [0, edge, edge + 1, edge + 2, 4 * edge + 1, 4 * edge + 2, whole.length - 1];
    for (const start of ends) {
      for (const end of ends.filter((other) => other >= start)) {
        const content = await buffer(await store.get(joined.id, { start, end }));
        assert.ok(whole.subarray(start, end + 1).equals(content), `${start} to ${end}`);
      }
    }
    for (const range of [
      { start: -1, end: 3 },
      { start: 0, end: whole.length },
    ]) {
      assert.instance(await rejection(store.get(joined.id, range)), RangeError);
    }
    const ids = [joined, ...parts].map(({ id }) => id).toSorted();
    assert.equal(await listed(store), ids);
    await store.delete(joined.id);
    assert.is(await store.has(parts[0]!.id), true);
  });

  test('after a failed put rejects further puts with the same running sums, since the sums would be wrong', async ({
    store,
  }) => {
    const running = store.runningSums();
    const failing = Readable.from(
      (async function* fail() {
        yield randomBytes(edge);
        throw new Error('the client went away');
      })(),
    );
    assert.match(String(await rejection(store.put(failing, { running }))), 'the client went away');
    assert.match(String(await rejection(store.put(pieces(randomBytes(3)), { running }))), 'of no use');
    running.close();
    assert.is((await store.put(pieces(randomBytes(3)))).size, 3);
  });

  test('serves many concurrent readers of one blob, some of which stop early', async ({ store }) => {
    const bytes = randomBytes(9 * edge);
    const { id } = await store.put(pieces(bytes));
    const reads = Array.from({ length: 12 }, async (_, n) => {
      const stream = await store.get(id);
      if (n % 3 === 0) return void stream.destroy();
      if (n % 3 === 1) for await (const piece of stream) return assert.ok(piece);
      assert.ok(bytes.equals(await buffer(stream)));
    });
    await Promise.all(reads);
  });

  return test;
}

/** Reads an object of a driver completely. */
export async function readObject(bytes: ByteStore, id: string): Promise<Buffer> {
  const reader = await bytes.open(id);
  const into = Buffer.alloc(reader.size);
  assert.is(await reader.read(into, 0), reader.size);
  await reader.close();
  return into;
}

export interface DriverWorld<Bytes extends ByteStore = ByteStore> {
  bytes: Bytes;
  id: string;
}

/** The test suite of the driver contract, below the sealing. */
export function drives<Bytes extends ByteStore>(
  name: string,
  make: () => Promise<Bytes>,
): Test<DriverWorld<Bytes>> {
  const test = suite<DriverWorld<Bytes>>(`${name} as a driver`);
  test.before.each(async (world) => {
    world.bytes = await make();
    world.id = randomBytes(16).toString('hex');
  });
  const HEAD = Buffer.from('head');

  test('writes the head, which is known last, before the bytes written so far', async ({ bytes, id }) => {
    for (const count of [0, 1, 40]) {
      const body = randomBytes(count * 100_000);
      const writer = bytes.create(id, HEAD.length);
      for (let n = 0; n < count; n += 1) {
        await writer.write([
          body.subarray(n * 100_000, n * 100_000 + 7),
          body.subarray(n * 100_000 + 7, (n + 1) * 100_000),
        ]);
      }
      assert.is(await bytes.has(id), false);
      await writer.commit(HEAD, []);
      assert.ok(Buffer.concat([HEAD, body]).equals(await readObject(bytes, id)));
      await bytes.delete(id);
    }
  });

  test('an aborted object is neither listed nor readable, however much of it was written', async ({
    bytes,
    id,
  }) => {
    for (const megabytes of [0, 1, 9]) {
      const writer = bytes.create(id, HEAD.length);
      if (megabytes > 0) writer.write([randomBytes(megabytes * 1024 * 1024)]).catch(() => {});
      await writer.abort();
      assert.equal(await listed(bytes), []);
    }
  });

  test('reads fewer bytes only at the end, and none beyond it', async ({ bytes, id }) => {
    const writer = bytes.create(id, HEAD.length);
    await writer.commit(HEAD, [Buffer.from('body')]);
    const reader = await bytes.open(id);
    const into = Buffer.alloc(6);
    assert.is(await reader.read(into, 4), 4);
    assert.is(into.toString('utf8', 0, 4), 'body');
    assert.is(await reader.read(into, 8), 0);
    await reader.close();
  });

  return test;
}
