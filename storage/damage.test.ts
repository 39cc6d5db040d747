import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { BlobStore, StoredBlob } from './blobs.ts';
import { BlobCorrupt } from './blobs.ts';
import type { ByteStore, RewritableBytes } from './bytes.ts';
import { TAG_BYTES } from './chunks.ts';
import { all, pieces, rejection } from './conformance.ts';
import { HEADER_BYTES } from './header.ts';
import { deriveMasterKey } from './masterkey.ts';
import { createMemoryBytes } from './memory.ts';
import { createSealedBlobs } from './sealed.ts';
import { verify } from './verify.ts';

const CHUNK = 64;
const STRIDE = CHUNK + TAG_BYTES;
const SIZE = 6 * CHUNK + 20;

interface World {
  bytes: RewritableBytes;
  blobs: BlobStore;
  plain: Buffer;
  blob: StoredBlob;
}

const test = suite<World>('damage to a sealed file');

test.before.each(async (world) => {
  world.bytes = createMemoryBytes();
  world.blobs = createSealedBlobs(world.bytes, deriveMasterKey(randomBytes(32)), { chunkBytes: CHUNK });
  world.plain = randomBytes(SIZE);
  world.blob = await world.blobs.put(pieces(world.plain));
});

/** Mulberry32: the same places on every run, so that a failure can be repeated. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

async function sealedOf(bytes: ByteStore, id: string): Promise<Buffer> {
  const reader = await bytes.open(id);
  const sealed = Buffer.alloc(reader.size);
  await reader.read(sealed, 0);
  await reader.close();
  return sealed;
}

async function putBack(bytes: ByteStore, id: string, sealed: Buffer): Promise<void> {
  await bytes.delete(id);
  const writer = bytes.create(id, 0);
  await writer.commit(Buffer.alloc(0), [Buffer.from(sealed)]);
}

/** Reads the way a download does; every byte that comes out before the error has to be right. */
async function detected({ blobs, plain, blob }: World, what: string): Promise<void> {
  let offset = 0;
  try {
    for await (const piece of await blobs.get(blob.id)) {
      const got = piece as Buffer;
      assert.ok(plain.subarray(offset, offset + got.length).equals(got), `${what}: wrong bytes at ${offset}`);
      offset += got.length;
    }
  } catch (error) {
    assert.instance(error, BlobCorrupt, `${what}: ${String(error)}`);
    const [finding] = await all(verify(blobs, [blob]));
    assert.is(finding?.state, 'damaged', what);
    return;
  }
  assert.unreachable(`${what}: not detected`);
}

test('a flipped bit is found wherever it is, and no altered byte is given out', async (world) => {
  const { bytes, blobs, plain, blob } = world;
  const good = await sealedOf(bytes, blob.id);
  const random = seeded(20261120);
  for (let n = 0; n < 200; n += 1) {
    const bad = Buffer.from(good);
    // Every seventh in the slot that is not in use, which no key authenticates.
    const place = n % 7 === 0 ? 92 + random(68) : random(bad.length);
    bad[place]! ^= 1 << random(8);
    await putBack(bytes, blob.id, bad);
    await detected(world, `bit at ${place}`);
    const start = random(SIZE);
    const end = start + random(SIZE - start);
    const part = await blobs
      .get(blob.id, { start, end })
      .then(buffer)
      .catch((error: unknown) => error);
    if (Buffer.isBuffer(part)) assert.ok(plain.subarray(start, end + 1).equals(part), `range over ${place}`);
    else assert.instance(part, BlobCorrupt);
  }
});

test('a truncated file is found, at every chunk edge and beside it, even by a range before the cut', async (world) => {
  const { bytes, blobs, blob } = world;
  const good = await sealedOf(bytes, blob.id);
  const edges = [
    0,
    8,
    24,
    92,
    ...Array.from({ length: 7 }, (_, n) => HEADER_BYTES + n * STRIDE),
    good.length,
  ];
  for (const length of edges.flatMap((edge) => [edge - 1, edge, edge + 1])) {
    if (length < 0 || length >= good.length) continue;
    await putBack(bytes, blob.id, good.subarray(0, length));
    await detected(world, `cut to ${length}`);
    assert.instance(await rejection(blobs.get(blob.id, { start: 0, end: 1 })), BlobCorrupt);
    assert.instance(await rejection(blobs.size(blob.id)), BlobCorrupt);
  }
});

test('bytes after the end are found, whether noise, another chunk or the last chunk again', async (world) => {
  const good = await sealedOf(world.bytes, world.blob.id);
  const tails = [Buffer.alloc(1), good.subarray(HEADER_BYTES, HEADER_BYTES + STRIDE), good.subarray(-36)];
  for (const tail of tails) {
    await putBack(world.bytes, world.blob.id, Buffer.concat([good, tail]));
    await detected(world, `${tail.length} bytes more`);
  }
});

test('exchanged, repeated and dropped chunks are found', async (world) => {
  const good = await sealedOf(world.bytes, world.blob.id);
  const chunk = (n: number): Buffer =>
    good.subarray(HEADER_BYTES + n * STRIDE, HEADER_BYTES + (n + 1) * STRIDE);
  const orders = [
    [1, 0, 2, 3, 4, 5, 6],
    [0, 1, 2, 3, 5, 4, 6],
    [0, 0, 2, 3, 4, 5, 6],
    [0, 1, 2, 3, 4, 6],
    [0, 1, 2, 3, 4, 5, 5],
    [0, 1, 2, 3, 4, 5],
  ];
  for (const order of orders) {
    await putBack(
      world.bytes,
      world.blob.id,
      Buffer.concat([good.subarray(0, HEADER_BYTES), ...order.map(chunk)]),
    );
    await detected(world, order.join(' '));
  }
});

test('a shorter size in the header does not make a truncated file valid', async (world) => {
  const good = await sealedOf(world.bytes, world.blob.id);
  const cut = Buffer.from(good.subarray(0, HEADER_BYTES + 2 * STRIDE));
  cut.writeBigUInt64BE(BigInt(2 * CHUNK), 16);
  await putBack(world.bytes, world.blob.id, cut);
  await detected(world, 'cut with a matching size');
});

test('the file, header or chunks of another blob under this id are found, although the same key sealed them', async (world) => {
  const { bytes, blobs, blob } = world;
  const mine = await sealedOf(bytes, blob.id);
  const other = await blobs.put(pieces(randomBytes(SIZE)));
  const theirs = await sealedOf(bytes, other.id);
  const mixes = [
    theirs,
    Buffer.concat([theirs.subarray(0, HEADER_BYTES), mine.subarray(HEADER_BYTES)]),
    Buffer.concat([mine.subarray(0, HEADER_BYTES), theirs.subarray(HEADER_BYTES)]),
    Buffer.concat([mine.subarray(0, HEADER_BYTES + STRIDE), theirs.subarray(HEADER_BYTES + STRIDE)]),
  ];
  for (const mix of mixes) {
    await putBack(bytes, blob.id, mix);
    await detected(world, 'a mix of two blobs');
  }
});

test('an older blob put back under the id of a newer one is found', async (world) => {
  const old = await sealedOf(world.bytes, world.blob.id);
  await world.blobs.delete(world.blob.id);
  world.blob = await world.blobs.put(pieces(world.plain));
  await putBack(world.bytes, world.blob.id, old);
  await detected(world, 'an older blob');
});

test('a joined blob whose list or parts were altered, truncated, exchanged or deleted is found', async (world) => {
  const { bytes, blobs } = world;
  const contents = [randomBytes(2 * CHUNK + 1), randomBytes(2 * CHUNK + 1), randomBytes(7)];
  world.plain = Buffer.concat(contents);
  const whole = await blobs.put(pieces(world.plain));
  const parts = await Promise.all(contents.map((content) => blobs.put(pieces(content))));
  world.blob = await blobs.join(parts, whole);
  const ids = [world.blob.id, ...parts.map(({ id }) => id)];
  const files = await Promise.all(ids.map((id) => sealedOf(bytes, id)));
  const random = seeded(20261122);
  for (let n = 0; n < 200; n += 1) {
    const which = random(ids.length);
    const bad = Buffer.from(files[which]!);
    const offset = random(bad.length);
    if (offset >= 92 && offset < HEADER_BYTES) continue;
    bad[offset]! ^= 1 << random(8);
    await putBack(bytes, ids[which]!, bad);
    await detected(world, `bit ${offset} of file ${which}`);
    await putBack(bytes, ids[which]!, files[which]!);
  }
  for (const [n, id] of ids.entries()) {
    await putBack(bytes, id, files[n]!.subarray(0, -1));
    await detected(world, `file ${n} cut`);
    await putBack(bytes, id, files[n]!);
  }
  await putBack(bytes, ids[1]!, files[2]!);
  await detected(world, 'a part under the id of another of the same size');
  await blobs.delete(ids[1]!);
  await detected(world, 'a part missing');
  assert.match(String(await rejection(blobs.size(world.blob.id))), /part 1 of 3.*[^.]\.$/);
  await putBack(bytes, ids[1]!, files[1]!);
  const other = await blobs.put(pieces(randomBytes(CHUNK)));
  const wrong = await blobs.join([other, { ...parts[1]!, size: 3 }], whole);
  assert.match(String(await rejection(blobs.get(wrong.id, { start: CHUNK, end: CHUNK }))), 'part 2 of 2');
});

test('the same content put twice gives sealed files without common bytes', async ({
  bytes,
  blobs,
  plain,
  blob,
}) => {
  const again = await blobs.put(pieces(plain));
  const [first, second] = [await sealedOf(bytes, blob.id), await sealedOf(bytes, again.id)];
  assert.is(again.sha256, blob.sha256);
  for (let start = HEADER_BYTES; start + 8 <= first.length; start += 8) {
    assert.is(second.indexOf(first.subarray(start, start + 8), HEADER_BYTES), -1);
  }
  assert.is(first.indexOf(plain.subarray(0, 8)), -1);
});

test('another master key opens nothing, and the error names the key', async ({ bytes, blob }) => {
  const stranger = createSealedBlobs(bytes, deriveMasterKey(randomBytes(32)));
  const error = await rejection(stranger.get(blob.id));
  assert.instance(error, BlobCorrupt);
  assert.match(String(error), 'another master key');
});

test('verify distinguishes sound, damaged and missing blobs, and those that differ from their record', async ({
  bytes,
  blobs,
  blob,
}) => {
  const gone = await blobs.put(pieces(randomBytes(10)));
  const hurt = await blobs.put(pieces(randomBytes(1000)));
  await blobs.delete(gone.id);
  await bytes.overwrite(hurt.id, HEADER_BYTES + 5 * STRIDE, Buffer.from('damage'));
  const expected = [blob, gone, hurt, { ...blob, sha256: '0'.repeat(64) }, { ...blob, size: 1 }];
  const findings = await all(verify(blobs, expected));
  assert.equal(
    findings.map(({ state }) => state),
    ['sound', 'missing', 'damaged', 'damaged', 'damaged'],
  );
});

test.run();
