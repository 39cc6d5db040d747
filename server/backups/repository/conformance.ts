import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Place } from './place.ts';
import { ObjectMissing, concatenate } from './place.ts';

interface World {
  place: Place;
  close: () => Promise<void>;
}

/** Tests that a driver keeps the contract of `place.ts`. @param open returns an empty place. */
export function testPlace(driver: string, open: () => Promise<World>): void {
  const test = suite<World>(`a place on ${driver}`);
  test.before.each(async (world) => {
    Object.assign(world, await open());
  });
  test.after.each((world) => world.close());

  const keysIn = async (place: Place, prefix: string) => {
    const found: [string, number][] = [];
    for await (const { key, bytes } of place.list(prefix)) found.push([key, bytes]);
    return found.toSorted(([a], [b]) => a.localeCompare(b));
  };
  async function* chunksOf(data: Buffer): AsyncGenerator<Buffer> {
    const buffer = Buffer.alloc(999_999);
    for (let start = 0; start < data.length; start += buffer.length) {
      yield buffer.subarray(0, data.copy(buffer, 0, start));
      // A chunk is valid until the next one is requested.
      buffer.fill(0);
    }
  }

  test('an object is written, read, listed with its length, replaced and deleted', async ({ place }) => {
    assert.is(await place.read('a/b'), null);
    await place.write('a/b', Buffer.from('one'));
    await place.write('READ ME FIRST.txt', Buffer.from('note'));
    await place.write('a/b', Buffer.from('three'));
    await place.settle();
    assert.is((await place.read('a/b'))!.toString(), 'three');
    assert.equal((await Array.fromAsync(place.keys(''))).flat().toSorted(), ['READ ME FIRST.txt', 'a/b']);
    assert.equal(await keysIn(place, 'a/'), [['a/b', 5]]);
    assert.equal(await keysIn(place, ''), [
      ['a/b', 5],
      ['READ ME FIRST.txt', 4],
    ]);
    await place.delete('a/b');
    await place.delete('a/b');
    assert.is(await place.read('a/b'), null);
    await concatenate(place.stream('a/b')).then(
      () => assert.unreachable(),
      (error) => assert.instance(error, ObjectMissing),
    );
  });

  test('long and empty objects are read back byte for byte', async ({ place }) => {
    const data = randomBytes(17 * 1024 * 1024 + 17);
    await place.write('blobs/long', { bytes: data.length, chunks: chunksOf(data) });
    await place.settle();
    assert.ok((await concatenate(place.stream('blobs/long'))).equals(data));
    assert.equal(await keysIn(place, 'blobs/'), [['blobs/long', data.length]]);
    await place.write('blobs/empty', Buffer.alloc(0));
    await place.settle();
    assert.is((await place.read('blobs/empty'))!.length, 0);
  });

  test('an interrupted write leaves the old object, or none', async ({ place }) => {
    await place.write('blobs/x', Buffer.from('before'));
    await place.settle();
    async function* broken(): AsyncGenerator<Buffer> {
      yield Buffer.alloc(17 * 1024 * 1024);
      throw new Error('the source broke');
    }
    await place.write('blobs/x', { bytes: 30 * 1024 * 1024, chunks: broken() }).then(
      () => assert.unreachable(),
      (error: Error) => assert.match(error.message, 'the source broke'),
    );
    await place.settle();
    assert.is((await place.read('blobs/x'))!.toString(), 'before');
    await place.deleteIncomplete();
    assert.equal(await keysIn(place, ''), [['blobs/x', 6]]);
  });

  test('of hundreds of objects written at once, the last of each key is stored', async ({ place }) => {
    const names = Array.from({ length: 300 }, (_, n) => `blobs/${n % 16}/${n % 150}`);
    await Promise.all(names.map((name, n) => place.write(name, Buffer.from(`${n}`))));
    await place.settle();
    for (const [n, name] of names.entries())
      if (n >= 150) assert.is((await place.read(name))!.toString(), `${n}`);
  });

  test.run();
}
