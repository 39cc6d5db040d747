import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { BlobId, BlobStore } from '#storage/blobs.ts';
import { BlobMissing } from '#storage/blobs.ts';
import { deriveMasterKey } from '#storage/masterkey.ts';
import { createMemoryBytes } from '#storage/memory.ts';
import { createSealedBlobs } from '#storage/sealed.ts';
import { createJoining } from './joining.ts';

interface Parts {
  blobs: BlobStore;
  joining: ReturnType<typeof createJoining>;
  content: Buffer;
  parts: BlobId[];
  /** Parts that were read, in the order of reading. */
  read: BlobId[];
}

const test = suite<Parts>('joining the parts of an upload');
test.before.each(async (world) => {
  const blobs = createSealedBlobs(createMemoryBytes(), deriveMasterKey(randomBytes(32)));
  const pieces = [randomBytes(900_000), randomBytes(300_000), randomBytes(500)];
  const parts: BlobId[] = [];
  for (const piece of pieces) parts.push((await blobs.put(Readable.from([piece]))).id);
  const read: BlobId[] = [];
  const watched: BlobStore = { ...blobs, get: (id, range) => (read.push(id), blobs.get(id, range)) };
  Object.assign(world, { blobs, parts, read, content: Buffer.concat(pieces) });
  world.joining = createJoining(watched);
});

const count = async ({ blobs }: Parts) => (await Array.fromAsync(blobs.list())).length;

test('what has come is read while more comes, so that the end waits only for the rest', async (world) => {
  const { joining, parts, read, blobs, content } = world;
  joining.follow('upload', parts.slice(0, 1));
  joining.follow('upload', parts.slice(0, 2));
  while (read.length < 2) await turn();
  assert.equal(read, parts.slice(0, 2));
  const { id, size, sha256 } = await joining.finish('upload', parts);
  assert.equal(read, parts, 'each was read once');
  assert.is(size, content.length);
  assert.is(sha256, createHash('sha256').update(content).digest('hex'));
  assert.ok((await buffer(await blobs.get(id))).equals(content));
});

test('what failed on the way is begun again by whoever finishes', async (world) => {
  const { joining, parts, blobs, content } = world;
  joining.follow('upload', ['0'.repeat(32)]);
  for (let n = 0; n < 10; n += 1) await turn();
  const { id } = await joining.finish('upload', parts);
  assert.ok((await buffer(await blobs.get(id))).equals(content));
});

test('a part that is missing at the end is an error and leaves nothing', async (world) => {
  const { joining, parts, blobs } = world;
  await blobs.delete(parts[1]!);
  const error = await joining.finish('upload', parts).catch((reason: unknown) => reason);
  assert.instance(error, BlobMissing);
  assert.is(await count(world), 2);
});

test('what is given up leaves the parts and nothing else, and can be joined later', async (world) => {
  const { joining, parts, blobs, content } = world;
  joining.follow('upload', parts.slice(0, 2));
  await joining.drop('upload');
  await joining.drop('never begun');
  assert.is(await count(world), 3);
  joining.follow('upload', parts.slice(0, 2));
  await joining.stop();
  const { id } = await joining.finish('upload', parts);
  assert.ok((await buffer(await blobs.get(id))).equals(content));
});

test('what is given up before the store has begun to read ends nothing but itself', async ({
  blobs,
  parts,
}) => {
  const slow: BlobStore = { ...blobs, put: (source) => turn().then(() => blobs.put(source)) };
  const joining = createJoining(slow);
  joining.follow('upload', parts.slice(0, 1));
  await joining.drop('upload');
  assert.is((await Array.fromAsync(blobs.list())).length, parts.length);
});

test('more uploads than are joined at once wait for their end, so that memory is bounded', async (world) => {
  const { joining, parts, read, content } = world;
  for (let n = 0; n < 6; n += 1) joining.follow(`upload ${n}`, parts.slice(0, 1));
  while (read.length < 4) await turn();
  for (let n = 0; n < 10; n += 1) await turn();
  assert.is(read.length, 4);
  const sizes = await Promise.all([0, 1, 2, 3, 4, 5].map((n) => joining.finish(`upload ${n}`, parts)));
  assert.ok(sizes.every(({ size }) => size === content.length));
});

test.run();
